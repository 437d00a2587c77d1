/**
 * The real client with a server that lies about values (docs/spec/threats.md §4.3, M1–M8, M23): an error on
 * the page, no value, and no request that depends on forged data.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { API, VALUES, flipped, lyingLedger, type Envelope } from './testing/lies/lying-ledger.ts';
import type { Lie } from './testing/lies/lying-proxy.ts';
import { PERSON } from './testing/vault/screen.ts';

const DAMAGED = 'This value is damaged or was moved, so it is hidden.';
const INVALID = 'The server sent an invalid answer';

const ledger = lyingLedger();
const { post, addField, place, pathOf, openAnew, envelopeOf, about, expectNothingSent, refuses } = ledger;
let page: Page;
let ui: ReturnType<typeof ledger.ui>;
let proxy: ReturnType<typeof ledger.proxy>;
beforeAll(() => {
  page = ledger.page();
  ui = ledger.ui();
  proxy = ledger.proxy();
});

describe('M1–M8: envelopes and bodies', () => {
  // The vault stays unlocked and shown values are cached, so each case uses a field that was not shown.
  test.each([
    [
      'M1 the value and the wrap of another field',
      async () => ({ ...(await envelopeOf('Root')), field_id: undefined }),
    ],
    ['M1 the value of another field under its own wrap', async () => valueOf(await envelopeOf('Root'))],
    ['M1 the wrap of another field around its own value', async () => wrapOf(await envelopeOf('Root'))],
    ['M4 value and wrap of another group', async () => ({ ...(await envelopeOf('Elsewhere')), field_id: undefined })],
    ['M4 an old revision under a new number', async () => ({ rev: 2 })],
  ] as const)('%s is refused', async (_, forged) => {
    const lie = Object.fromEntries(Object.entries(await forged()).filter(([, value]) => value !== undefined));
    const own = await envelopeOf('Backup');
    const ids = {
      field_id: place('Backup').field,
      entry_id: place('Backup').entry,
      entry_group_id: place('Backup').group,
    };
    proxy.tell(about('Backup', () => ({ ...own, ...lie, ...ids })));
    await refuses('Backup', DAMAGED);
  });

  test.each([
    ['the version', 'encrypted_value_base64', 0],
    ['the kind', 'encrypted_value_base64', 3],
    ['the salt', 'encrypted_value_base64', 4],
    ['the commitment', 'encrypted_value_base64', 36],
    ['the ciphertext', 'encrypted_value_base64', 68],
    ['the tag', 'encrypted_value_base64', -1],
    ['the commitment of the wrap', 'cek_wrapped_base64', 40],
    ['the tag of the wrap', 'cek_wrapped_base64', -1],
  ] as const)('M6 a flipped bit in %s is refused', async (_, member, at) => {
    proxy.tell(about('Backup', (own) => ({ ...own, [member]: flipped(own[member], at) })));
    await refuses('Backup', DAMAGED);
  });

  test.each([
    ['M7 the older format', { crypto_profile: 'l0' }, INVALID],
    ['M8 an unknown profile', { crypto_profile: 'pb9' }, INVALID],
    ['M8 an unknown type', { type: 'card' }, INVALID],
    ['M8 a wrap in place of the value', null, DAMAGED],
  ] as const)('%s is refused', async (_, members, problem) => {
    proxy.tell(
      about('Backup', (own) => ({ ...own, ...(members ?? { encrypted_value_base64: own.cek_wrapped_base64 }) })),
    );
    await refuses('Backup', problem);
  });

  test('M2 the body of another file is refused and not saved', async () => {
    const [first, second] = [place('first.bin'), place('second.bin')];
    const body = await (await page.context().request.get(`${proxy.origin}${pathOf(second)}/file`)).body();
    proxy.tell(({ url }) => (url.startsWith(`${pathOf(first)}/file`) ? body : undefined));
    let isSaved = false;
    const saved = () => (isSaved = true);
    page.on('download', saved);
    await ui.button('Download file', ui.row('first.bin')).click();
    await ui.row('first.bin').getByRole('alert').getByText(DAMAGED).waitFor();
    page.off('download', saved);
    expect(isSaved).toBe(false);
    expectNothingSent();
  });
});

const valueOf = ({ encrypted_value_base64, initialization_vector_base64 }: Envelope) => ({
  encrypted_value_base64,
  initialization_vector_base64,
});
const wrapOf = ({ cek_wrapped_base64 }: Envelope) => ({ cek_wrapped_base64 });

/** The list of fields with one forged field. */
const listed =
  (title: string, members: Record<string, unknown>): Lie =>
  ({ url }, body) => {
    const { group, entry, field } = place(title);
    if (url !== `${API}/${group}/entries/${entry}/fields`) return undefined;
    return (body as { field_id: string }[]).map((one) => (one.field_id === field ? { ...one, ...members } : one));
  };

describe('M3, M5: the list of fields', () => {
  test.each([
    ['link', { type: 'link' }, 'Show'],
    ['note', { type: 'note' }, 'Show'],
    ['TOTP', { type: 'TOTP', totp_hash_algorithm: 'sha1', totp_timeout: 30 }, 'Show code'],
  ] as const)('M3 a password served as %s is refused', async (type, members, show) => {
    const list = listed('Backup', members);
    await openAnew((asked, body) => list(asked, body) ?? about('Backup', (own) => ({ ...own, type }))(asked, body));
    await refuses('Backup', DAMAGED, show);
  });

  test('M5 a changed title, login, file name or period shows the sealed one with a warning', async () => {
    const lies = [
      listed('Root', { title: 'Retired', login: 'nobody' }),
      listed('Code', { totp_timeout: 77 }),
      listed('first.bin', { file_name: 'harmless.txt' }),
    ];
    await openAnew((asked, body) => {
      const told = lies.reduce<unknown>((so, lie) => lie(asked, so) ?? so, body);
      return told === body ? undefined : told;
    });
    await ui.button('Show', ui.row('Retired')).click();
    await ui.remember();
    const root = ui.row('Retired');
    await root.getByText(/^The server’s list differs .*title, login/).waitFor();
    expect(await root.innerText()).toContain(VALUES.Root);
    expect(await root.innerText()).toMatch(/Encrypted title\W+Root/);
    expect(await root.innerText()).toMatch(/Encrypted login\W+root/);
    await ui.button('Show code', ui.row('Code')).click();
    await ui
      .row('Code')
      .getByText(/^The server’s list differs .*settings of the one-time code/)
      .waitFor();
    const saving = page.waitForEvent('download');
    await ui.button('Download file', ui.row('first.bin')).click();
    expect((await saving).suggestedFilename()).toBe('first.bin');
    await ui
      .row('first.bin')
      .getByText(/^The server’s list differs .*file name/)
      .waitFor();
  });
});

test('M23 an older revision than this page has seen is shown with a warning', async () => {
  const { group, entry } = place('Root');
  await addField(group, entry, 'Turned back', { type: 'password', login: 'root', value: 'first of two' });
  const list = listed('Turned back', { rev: 1 });
  await openAnew(list);
  const row = ui.row('Turned back');
  await ui.button('Show', row).click();
  await ui.remember();
  await row.getByText('first of two').waitFor();
  const first = await envelopeOf('Turned back');
  const change = { _method: 'put', title: 'Turned back', login: 'root', value: 'second of two' };
  await post(pathOf(place('Turned back')), { ...change, master_password: PERSON.masterPassword });
  /** Reopens the entry on the same page, which clears the cached value. */
  const again = async () => {
    await ui.entry('Ledger').first().click();
    await page.getByRole('table', { name: 'Fields of Ledger' }).waitFor({ state: 'detached' });
    await ui.openEntry('Ledger');
    await ui.button('Show', row).click();
  };
  await again();
  await row.getByText('second of two').waitFor();
  expect(await row.getByText(/^This is older than what you saw/).count()).toBe(0);
  proxy.tell((asked, body) => list(asked, body) ?? about('Turned back', () => first)(asked, body));
  await again();
  await row.getByText(/^This is older than what you saw before/).waitFor();
  await row.getByText('first of two').waitFor();
  expect(proxy.told()).toBeGreaterThan(0);
});

test('a hostile server causes no violation of the content security policy', () => {
  expect(ledger.complaints()).toEqual([]);
});
