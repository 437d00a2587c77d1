/**
 * The real client against a server that lies (`threats-and-tests.md` §4.3, M1–M12, M17, M19–M21): a typed refusal on the page, no value, and
 * no request that depends on what was forged.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { APIResponse, Browser, Page } from 'playwright-core';
import { launchBrowser, openPage, type WatchedPage } from './testing/browser.ts';
import { fieldsOf } from './testing/fields.ts';
import { startLyingProxy, type Asked, type Lie, type LyingProxy } from './testing/lying-proxy.ts';
import { PERSON } from './testing/screen.ts';
import { freePort, startServer, type RunningServer } from './testing/server.ts';

const API = '/passwordBroker/api/entryGroups';
const VALUES = {
  Root: 'wG7-kestrel-41',
  Backup: 'hollow.birch/93',
  Console: 'https://console.example.test/42',
  Runbook: 'Pause billing before the switch.',
  Code: 'JBSWY3DPEHPK3PXP',
  Elsewhere: 'amber+quarry+77',
} as const;
const FILES = { 'first.bin': Buffer.alloc(3000, 0x41), 'second.bin': Buffer.alloc(3000, 0x42) } as const;

const DAMAGED = 'The stored value is damaged or was put in another place.';
const MISMATCH = 'The key of this group does not fit its signed list of members.';
const INVALID = 'The answer of the server is not valid';

interface Envelope {
  readonly crypto_profile: string;
  readonly type: string;
  readonly rev: number;
  readonly cek_wrapped_base64: string;
  readonly encrypted_value_base64: string;
  readonly initialization_vector_base64: string;
}
interface Place {
  readonly group: string;
  readonly entry: string;
  readonly field: string;
}

let server: RunningServer;
let proxy: LyingProxy;
let browser: Browser;
let watched: WatchedPage;
let page: Page;
let ui: ReturnType<typeof fieldsOf>;
const places = new Map<string, Place>();

const place = (title: string): Place => {
  const found = places.get(title);
  if (found === undefined) throw new Error(`no field ${title}`);
  return found;
};
const pathOf = ({ group, entry, field }: Place) => `${API}/${group}/entries/${entry}/fields/${field}`;

async function post(path: string, body: Record<string, unknown>, isForm = false): Promise<Record<string, unknown>> {
  const cookies = await watched.context.cookies();
  const token = decodeURIComponent(cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? '');
  const answer: APIResponse = await watched.context.request.post(`${proxy.origin}${path}`, {
    headers: { 'X-XSRF-TOKEN': token },
    ...(isForm ? { multipart: body as Record<string, string> } : { data: body }),
  });
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}
const read = async <T>(path: string): Promise<T> =>
  (await (await watched.context.request.get(`${proxy.origin}${path}`)).json()) as T;

const master_password = PERSON.masterPassword;
const addGroup = async (name: string) =>
  String(((await post(API, { name, master_password }))['entryGroup'] as { entry_group_id: string }).entry_group_id);
const addEntry = async (group: string, title: string) =>
  String((await post(`${API}/${group}/entries`, { title }))['entry_id']);
async function addField(group: string, entry: string, title: string, members: Record<string, unknown>, isForm = false) {
  const path = `${API}/${group}/entries/${entry}/fields`;
  const { field_id } = await post(path, { title, master_password, ...members }, isForm);
  places.set(title, { group, entry, field: String(field_id) });
}

beforeAll(async () => {
  const port = await freePort();
  server = await startServer({ publicUrl: `http://localhost:${port}` });
  proxy = await startLyingProxy(port, () => server.port);
  browser = await launchBrowser();
  watched = await openPage(browser);
  page = watched.page;
  page.setDefaultTimeout(15_000);
  ui = fieldsOf(page);
  await ui.signUp(proxy.origin);
  const [group, other] = [await addGroup('Production'), await addGroup('Archive')];
  const entry = await addEntry(group, 'Ledger');
  await addField(group, entry, 'Root', { type: 'password', login: 'root', value: VALUES.Root });
  await addField(group, entry, 'Backup', { type: 'password', login: 'root', value: VALUES.Backup });
  await addField(group, entry, 'Console', { type: 'link', value: VALUES.Console });
  await addField(group, entry, 'Runbook', { type: 'note', value: VALUES.Runbook });
  await addField(group, entry, 'Code', { type: 'TOTP', value: VALUES.Code });
  for (const [name, buffer] of Object.entries(FILES)) {
    const file = { name, mimeType: 'application/octet-stream', buffer };
    await addField(group, entry, name, { type: 'file', file }, true);
  }
  await addField(other, await addEntry(other, 'Old ledger'), 'Elsewhere', {
    type: 'password',
    login: 'root',
    value: VALUES.Elsewhere,
  });
  await openLedger();
  await ui.button('Show', ui.row('Root')).click();
  await ui.remember();
  await ui.row('Root').getByText(VALUES.Root).waitFor();
  await ui.button('Hide', ui.row('Root')).click();
});
afterAll(async () => {
  await browser.close();
  await proxy.close();
  await server.stop();
});
beforeEach(() => proxy.tell(null));

async function openLedger() {
  const { group, entry } = place('Root');
  await page.goto(`${proxy.origin}/entryGroup/${group}?entry=${entry}`);
  await page.getByRole('table', { name: 'Fields of Ledger' }).waitFor();
}

/** With the vault locked again: every list and every key is asked for anew. */
async function openAnew(lie: Lie) {
  proxy.tell(lie);
  await openLedger();
}

const envelopeOf = (title: string) => read<Envelope>(`${pathOf(place(title))}/envelope`);
const isEnvelopeOf = (title: string, { method, url }: Asked) =>
  method === 'GET' && url === `${pathOf(place(title))}/envelope`;
/** Only the envelope of that field is answered with a lie. */
const about =
  (title: string, forge: (envelope: Envelope) => unknown): Lie =>
  (asked, body) =>
    isEnvelopeOf(title, asked) ? forge(body as Envelope) : undefined;

/** Nothing that was ever sealed is on the page. */
async function expectNothingShown() {
  const text = await page.locator('body').innerText();
  for (const value of Object.values(VALUES)) expect(text).not.toContain(value);
}

/** The lie was heard, and since then the client has written nothing, and put nothing of what it knows into an address. */
function expectNothingSent() {
  expect(proxy.told()).toBeGreaterThan(0);
  expect(proxy.asked().filter(({ method }) => method !== 'GET')).toEqual([]);
  const addresses = proxy.asked().map(({ url }) => decodeURIComponent(url));
  for (const value of Object.values(VALUES)) expect(addresses.filter((url) => url.includes(value))).toEqual([]);
}

async function refuses(title: string, problem: string, show: 'Show' | 'Show code' = 'Show') {
  const hide = ui.button(/^Hide/, ui.row(title));
  if ((await hide.count()) > 0) await hide.click();
  await ui.button(show, ui.row(title)).click();
  if (await isAsked()) await ui.remember();
  await ui.row(title).getByRole('alert').getByText(problem).waitFor();
  await expectNothingShown();
  expectNothingSent();
}

/** Whether the master password is asked for now, rather than the value opened or refused. */
async function isAsked(): Promise<boolean> {
  const modal = page.getByRole('dialog').getByLabel('Master password', { exact: true });
  const answer = page.getByRole('table', { name: 'Fields of Ledger' }).getByRole('alert');
  await modal.or(answer).first().waitFor();
  return (await modal.count()) > 0;
}

const flipped = (base64: string, at: number): string => {
  const bytes = Buffer.from(base64, 'base64');
  const index = at < 0 ? bytes.length + at : at;
  bytes[index] = (bytes[index] ?? 0) ^ 1;
  return bytes.toString('base64');
};

describe('M1–M8: envelopes and bodies', () => {
  // The vault stays unlocked; a value that was shown is taken from memory, so each case looks at a field that was not.
  test.each([
    [
      'M1 the value and the wrap of another field',
      async () => ({ ...(await envelopeOf('Root')), field_id: undefined }),
    ],
    ['M1 the value of another field under its own wrap', async () => valueOf(await envelopeOf('Root'))],
    ['M1 the wrap of another field around its own value', async () => wrapOf(await envelopeOf('Root'))],
    ['M4 value and wrap of another group', async () => ({ ...(await envelopeOf('Elsewhere')), field_id: undefined })],
    ['M4 an old revision under a new number', async () => ({ rev: 2 })],
  ] as const)('%s', async (_, forged) => {
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
  ] as const)('M6 one bit of %s', async (_, member, at) => {
    proxy.tell(about('Backup', (own) => ({ ...own, [member]: flipped(own[member], at) })));
    await refuses('Backup', DAMAGED);
  });

  test.each([
    ['M7 the older format', { crypto_profile: 'l0' }, INVALID],
    ['M8 an unknown profile', { crypto_profile: 'pb9' }, INVALID],
    ['M8 an unknown type', { type: 'card' }, INVALID],
    ['M8 a wrap where the value belongs', null, DAMAGED],
  ] as const)('%s', async (_, members, problem) => {
    proxy.tell(
      about('Backup', (own) => ({ ...own, ...(members ?? { encrypted_value_base64: own.cek_wrapped_base64 }) })),
    );
    await refuses('Backup', problem);
  });

  test('M2 the body of another file is refused, and nothing is saved', async () => {
    const [first, second] = [place('first.bin'), place('second.bin')];
    const body = await (await watched.context.request.get(`${proxy.origin}${pathOf(second)}/file`)).body();
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

/** The list of fields with one field told otherwise. */
const listed =
  (title: string, members: Record<string, unknown>): Lie =>
  ({ url }, body) => {
    const { group, entry, field } = place(title);
    if (url !== `${API}/${group}/entries/${entry}/fields`) return undefined;
    return (body as { field_id: string }[]).map((one) => (one.field_id === field ? { ...one, ...members } : one));
  };

describe('M3, M5: what the list says', () => {
  test.each([
    ['link', { type: 'link' }, 'Show'],
    ['note', { type: 'note' }, 'Show'],
    ['TOTP', { type: 'TOTP', totp_hash_algorithm: 'sha1', totp_timeout: 30 }, 'Show code'],
  ] as const)('M3 a password served as %s is refused', async (type, members, show) => {
    const list = listed('Backup', members);
    await openAnew((asked, body) => list(asked, body) ?? about('Backup', (own) => ({ ...own, type }))(asked, body));
    await refuses('Backup', DAMAGED, show);
  });

  test('M5 another title, login, file name or period: what was sealed is shown, with a warning', async () => {
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
    await root.getByText(/^The list disagrees .*title, login/).waitFor();
    expect(await root.innerText()).toContain(VALUES.Root);
    expect(await root.innerText()).toMatch(/Sealed title\W+Root/);
    expect(await root.innerText()).toMatch(/Sealed login\W+root/);
    await ui.button('Show code', ui.row('Code')).click();
    await ui
      .row('Code')
      .getByText(/^The list disagrees .*TOTP parameters/)
      .waitFor();
    const saving = page.waitForEvent('download');
    await ui.button('Download file', ui.row('first.bin')).click();
    expect((await saving).suggestedFilename()).toBe('first.bin');
    await ui
      .row('first.bin')
      .getByText(/^The list disagrees .*file name/)
      .waitFor();
  });
});

test('M23 an older revision than this page has seen: shown, with a warning', async () => {
  const { group, entry } = place('Root');
  await addField(group, entry, 'Turned back', { type: 'password', login: 'root', value: 'first of two' });
  const list = listed('Turned back', { rev: 1 });
  await openAnew(list);
  const row = ui.row('Turned back');
  await ui.button('Show', row).click();
  await ui.remember();
  await row.getByText('first of two').waitFor();
  const first = await envelopeOf('Turned back');
  const change = { _method: 'put', title: 'Turned back', login: 'root', value: 'second of two', master_password };
  await post(pathOf(place('Turned back')), change);
  /** Closed and opened again on the same page: the value is not there any more. */
  const again = async () => {
    await ui.entry('Ledger').first().click();
    await page.getByRole('table', { name: 'Fields of Ledger' }).waitFor({ state: 'detached' });
    await ui.openEntry('Ledger');
    await ui.button('Show', row).click();
  };
  await again();
  await row.getByText('second of two').waitFor();
  expect(await row.getByText(/^This is an earlier value/).count()).toBe(0);
  proxy.tell((asked, body) => list(asked, body) ?? about('Turned back', () => first)(asked, body));
  await again();
  await row.getByText(/^This is an earlier value than the one you have seen here before/).waitFor();
  await row.getByText('first of two').waitFor();
  expect(proxy.told()).toBeGreaterThan(0);
});

const KEY_BUNDLE = '/identity/api/keyBundle';
type Bundle = Record<string, unknown> & { readonly slots: readonly Record<string, unknown>[] };
/** The key bundle with its slot told otherwise. */
const slotAs =
  (forge: (slot: Record<string, unknown>) => Record<string, unknown>): Lie =>
  ({ method, url }, body) =>
    method === 'GET' && url === KEY_BUNDLE
      ? { ...(body as Bundle), slots: (body as Bundle).slots.map(forge) }
      : undefined;

describe('M9–M12, M21: keys', () => {
  /** Workers that derive keys, started while it runs: each derivation has one of its own. */
  async function derivationsDuring(work: () => Promise<void>): Promise<number> {
    let count = 0;
    const watch = (worker: { url(): string }) => (count += /kdf-worker/.test(worker.url()) ? 1 : 0);
    page.on('worker', watch);
    await work();
    page.off('worker', watch);
    return count;
  }
  const tryToShow = async () => {
    await ui.button('Show', ui.row('Root')).click();
    await ui.remember();
    await page.getByRole('alert').first().waitFor();
  };

  test.each([
    ['M9 an unknown profile', { kdf: 'Z9' }],
    ['M9 the profile of tests', { kdf: 'T0' }],
    ['M9 none', { kdf: null }],
    ['M9 numbers', { kdf: { iterations: 1, memoryKib: 8, parallelism: 1 } }],
    ['M10 an empty salt', { salt_base64: '' }],
    ['M10 a short salt', { salt_base64: Buffer.alloc(8, 1).toString('base64') }],
  ])('%s is refused before anything is derived', async (_, members) => {
    await openAnew(slotAs((slot) => ({ ...slot, ...members })));
    expect(await derivationsDuring(tryToShow)).toBe(0);
    await expectNothingShown();
    expectNothingSent();
    expect(await page.locator('body').innerText()).not.toContain('MasterPassword is invalid');
  });

  test('M10 another salt opens nothing', async () => {
    await openAnew(slotAs((slot) => ({ ...slot, salt_base64: Buffer.alloc(16, 1).toString('base64') })));
    expect(await derivationsDuring(tryToShow)).toBe(1);
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

  test('M12 a weak profile named during a change of the master password: the new slot is A1', async () => {
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

  /** What a write is refused with: the group is locked, or this device knows that there was another list. */
  const cases: readonly (readonly [string, () => Lie] | readonly [string, () => Lie, RegExp])[] = [
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
    [
      'M19 no roster where a client made the group',
      () => keysAs((keys) => ({ ...keys, rosters: [] })),
      /does not follow from the one that this device knows/,
    ],
  ];
  const named = cases.map(([name, lie, written = MISMATCH]) => ({ name, lie, written }));
  test.each(named)('$name locks the group: nothing is opened, nothing is written', async ({ lie, written }) => {
    await openAnew(lie());
    await ui.button('Show', ui.row('Root')).click();
    await ui.remember(master());
    await page.getByRole('alert').getByText(MISMATCH).first().waitFor();
    await expectNothingShown();
    expectNothingSent();
    await ui.button('Add field', page.getByRole('main')).click();
    await ui.dialog().getByText('Note', { exact: true }).click();
    await ui.box('Title', ui.dialog()).fill('Late');
    await ui.box('Value', ui.dialog()).fill('never to be written');
    await ui.button('Add field', ui.dialog()).click();
    await ui.dialog().getByRole('alert').getByText(written).waitFor();
    expect(proxy.asked().filter(({ method }) => method !== 'GET')).toEqual([]);
    await page.keyboard.press('Escape');
  });
});

test('a hostile server makes no page complain about its own policy', () => {
  expect(watched.complaints()).toEqual([]);
});
