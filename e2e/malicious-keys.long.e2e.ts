/**
 * The real client with a server that lies about keys of the user and of groups (docs/spec/threats.md §4.3,
 * M8–M12, M17, M19–M21): nothing opens, and no request depends on forged data.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Page, Worker } from 'playwright-core';
import { API, VALUES, flipped, lyingLedger } from './testing/lies/lying-ledger.ts';
import type { Asked, Lie } from './testing/lies/lying-proxy.ts';
import { PERSON } from './testing/vault/screen.ts';

const MISMATCH = 'The key of this group is not the right one, so nothing here can be opened or saved.';

const ledger = lyingLedger();
const { read, place, openAnew, expectNothingShown, expectNothingSent } = ledger;
let page: Page;
let ui: ReturnType<typeof ledger.ui>;
let proxy: ReturnType<typeof ledger.proxy>;
beforeAll(() => {
  page = ledger.page();
  ui = ledger.ui();
  proxy = ledger.proxy();
});

const KEY_BUNDLE = '/identity/api/keyBundle';
type Bundle = Record<string, unknown> & { readonly slots: readonly Record<string, unknown>[] };
/** The key bundle with forged slots. */
const slotAs =
  (forge: (slot: Record<string, unknown>) => Record<string, unknown>): Lie =>
  ({ method, url }, body) =>
    method === 'GET' && url === KEY_BUNDLE
      ? { ...(body as Bundle), slots: (body as Bundle).slots.map(forge) }
      : undefined;

describe('M9–M12, M21: keys of the user', () => {
  /** Number of key derivations during `work`. Each keyring has a worker that closes after one derivation. */
  async function derivationsDuring(work: () => Promise<void>): Promise<() => number> {
    let count = 0;
    const watch = (worker: Worker) => {
      if (worker.url().includes('kdf-worker')) worker.on('close', () => (count += 1));
    };
    page.on('worker', watch);
    await work();
    page.off('worker', watch);
    return () => count;
  }
  const tryToShow = async () => {
    await ui.button('Show', ui.row('Root')).click();
    await ui.remember();
    await page.getByRole('alert').first().waitFor();
  };

  test.each([
    ['M9 an unknown profile', { kdf: 'Z9' }],
    ['M9 the profile of tests', { kdf: 'T0' }],
    ['M9 no profile', { kdf: null }],
    ['M9 a profile given as numbers', { kdf: { iterations: 1, memoryKib: 8, parallelism: 1 } }],
    ['M10 an empty salt', { salt_base64: '' }],
    ['M10 a short salt', { salt_base64: Buffer.alloc(8, 1).toString('base64') }],
  ])('%s is refused before a key is derived', async (_, members) => {
    await openAnew(slotAs((slot) => ({ ...slot, ...members })));
    const derived = await derivationsDuring(tryToShow);
    await expectNothingShown();
    expectNothingSent();
    expect(derived()).toBe(0);
    expect(await page.locator('body').innerText()).not.toContain('MasterPassword is invalid');
  });

  test('M10 a different salt opens nothing', async () => {
    await openAnew(slotAs((slot) => ({ ...slot, salt_base64: Buffer.alloc(16, 1).toString('base64') })));
    const derived = await derivationsDuring(tryToShow);
    await expect.poll(derived).toBe(1);
    await expectNothingShown();
    expectNothingSent();
  });

  test('M11, M21 iterations, escrow keys, enrolments and policy flags in the key bundle change nothing', async () => {
    await openAnew((asked, body) => {
      const bundle = slotAs((slot) => ({ ...slot, iterations: 1, memory: 8, parallelism: 1 }))(asked, body);
      if (bundle === undefined) return undefined;
      const more = { recovery_enrolled: true, escrow_key_base64: 'AAAA', policy: { kdf: 'T0' }, profile: 'legacy' };
      return { ...(bundle as object), ...more };
    });
    await ui.button('Show', ui.row('Root')).click();
    await ui.remember();
    await ui.row('Root').getByText(VALUES.Root).waitFor();
    expectNothingSent();
  });

  test('M12 a weak profile served during a change of the master password is ignored: the new slot is A1', async () => {
    await openAnew(() => undefined);
    await ui.button('Show', ui.row('Root')).click();
    await ui.remember();
    await ui.row('Root').getByText(VALUES.Root).waitFor();
    proxy.tell((asked, body) =>
      slotAs((slot) => ({ ...slot, next_kdf: 'T0', default_kdf: 'T0', minimum: 'T0' }))(asked, body),
    );
    await ui.button('Master password menu').click();
    await page.getByRole('menuitem', { name: 'Change master password' }).click();
    await ui.box('Old master password', ui.dialog()).fill(PERSON.masterPassword);
    await ui.box('New master password', ui.dialog()).fill(`${PERSON.masterPassword} again`);
    await ui.box('New master password confirmation', ui.dialog()).fill(`${PERSON.masterPassword} again`);
    await ui.button('Change', ui.dialog()).click();
    await ui.closed();
    const write = proxy.asked().find(({ method }) => method === 'PUT');
    expect((JSON.parse(write?.body ?? '{}') as { slot?: { kdf?: string } }).slot?.kdf).toBe('A1');
    expect(proxy.told()).toBeGreaterThan(0);
  });
});

interface Signed {
  readonly roster_base64: string;
  readonly roster_sig_base64: string;
  readonly signer_certificate: Record<string, unknown>;
}
type Keys = Record<string, unknown> & {
  readonly rosters: readonly Signed[];
  readonly grants: readonly Record<string, unknown>[];
};
const isRoster = ({ url }: Asked) => url.startsWith(`${API}/${place('Root').group}/roster`);
const keysAs =
  (forge: (keys: Keys) => unknown): Lie =>
  (asked, body) =>
    isRoster(asked) ? forge(body as Keys) : undefined;
const withRoster = (forge: (roster: Signed) => unknown) =>
  keysAs((keys) => ({ ...keys, rosters: keys.rosters.map(forge) }));
const rewritten = (roster: Signed, change: (content: Record<string, unknown>) => Record<string, unknown>) => {
  const content = JSON.parse(Buffer.from(roster.roster_base64, 'base64').toString()) as Record<string, unknown>;
  return { ...roster, roster_base64: Buffer.from(JSON.stringify(change(content))).toString('base64') };
};

describe('M8, M17, M19, M20: the key of a group', () => {
  const master = () => `${PERSON.masterPassword} again`;
  let foreign: Keys;
  beforeAll(async () => {
    foreign = await read<Keys>(`${API}/${place('Elsewhere').group}/roster`);
  });

  const cases: readonly (readonly [string, () => Lie])[] = [
    [
      'M8 a grant of an unknown algorithm',
      () => keysAs((keys) => ({ ...keys, grants: keys.grants.map((grant) => ({ ...grant, alg: 'xwing' })) })),
    ],
    [
      'M17, M20 a secret that the roster does not commit to',
      () =>
        keysAs((keys) => ({
          ...keys,
          grants: keys.grants.map((grant) => ({
            ...grant,
            encrypted_aes_password_base64: foreign.grants[0]?.['encrypted_aes_password_base64'],
          })),
        })),
    ],
    [
      'M19 a bad signature',
      () => withRoster((roster) => ({ ...roster, roster_sig_base64: flipped(roster.roster_sig_base64, 0) })),
    ],
    ['M19 the roster of another group', () => keysAs((keys) => ({ ...keys, rosters: foreign.rosters }))],
    [
      'M19 a signer who is no admin in it',
      () =>
        withRoster((roster) =>
          rewritten(roster, (content) => ({
            ...content,
            members: (content['members'] as string[][]).map(([id, , fpr]) => [id, 'member', fpr]),
          })),
        ),
    ],
    [
      'M19 a certificate with another RSA key',
      () =>
        withRoster((roster) => ({
          ...roster,
          signer_certificate: {
            ...roster.signer_certificate,
            rsa_spki_base64: flipped(String(roster.signer_certificate['rsa_spki_base64']), 60),
          },
        })),
    ],
    ['M19 no roster where a client made the group', () => keysAs((keys) => ({ ...keys, rosters: [] }))],
  ];
  test.each(cases)('%s: the group does not open, cannot be written to, and says why', async (_, lie) => {
    await openAnew(lie());
    await ui.button('Show', ui.row('Root')).click();
    await ui.remember(master());
    await page.getByRole('alert').getByText(MISMATCH).first().waitFor();
    await expectNothingShown();
    expectNothingSent();
    const add = ui.button('Add field', page.getByRole('main'));
    await expect.poll(() => add.isDisabled()).toBe(true);
    await page
      .getByText(/This group (cannot be opened|is read-only) here/)
      .filter({ visible: true })
      .first()
      .waitFor();
    await add.press('Enter');
    expect(await ui.dialog().count()).toBe(0);
    expect(ledger.changes()).toEqual([]);
  });
});

test('a hostile server causes no violation of the content security policy', () => {
  expect(ledger.complaints()).toEqual([]);
});
