/** The same expectations for the online and the offline vault, on the same seeded data. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Field } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { startTestApp, type SignedIn, type TestApp } from '../../../server/src/testing/test-app.ts';
import { isReady } from '../offline/parts/parts.ts';
import { newDevice, openPage, type OfflineTestPage } from '../testing/offline-page.node.ts';
import { takeIn } from '../testing/take-in.node.ts';
import { mateOf, signUpAll } from '../testing/team.node.ts';
import type { EntryPath, FieldPath, NewField, Vault, VaultRead, VaultWrite } from './vault.ts';

const BYTES = Uint8Array.from({ length: 50_000 }, (_, at) => (at * 7) % 256);
const FIELDS: readonly NewField[] = [
  { type: 'password', title: 'Root account', login: 'ledger_root', value: 'q8-Rf3_tYx 🔑' },
  { type: 'password', title: 'Root account 10', login: 'Zoë', value: '' },
  { type: 'link', title: 'Console', value: 'https://console.ledger.internal:8443/primary' },
  { type: 'note', title: 'Runbook', value: 'Pause billing.\nThen promote — ☂' },
  { type: 'TOTP', title: 'Sign-in', value: 'JBSWY3DPEHPK3PXP', algorithm: 'sha256', period: 45 },
  { type: 'file', title: 'Certificate', file: new File([BYTES], 'ledger-root.p12', { type: 'application/x-pkcs12' }) },
];

/** Reads with the same expectation for both. */
type InBoth =
  | 'tree'
  | 'treeAtHand'
  | 'group'
  | 'examine'
  | 'members'
  | 'entries'
  | 'fields'
  | 'search'
  | 'entriesById'
  | 'history'
  | 'groupHistory'
  | 'reveal'
  | 'revealSeveral'
  | 'revealRevision'
  | 'openFile'
  | 'openRevisionFile'
  | 'ownKey'
  | 'keyStates';
/** All other reads; a new read does not compile before it is in one of the two. */
const SERVER_ALONE: Readonly<Record<Exclude<keyof VaultRead, InBoth>, (read: VaultRead) => Promise<unknown>>> = {
  removal: (read) => read.removal(ledger.entryGroupId),
  purgePreview: (read) => read.purgePreview({ groupId: null }),
  trash: (read) => read.trash({ page: 1, groupId: null }),
  journal: (read) => read.journal(1),
  people: (read) => read.people('bob', ''),
  keyTrust: (read) => read.keyTrust({ userId: bobId, name: 'bob' }),
  departures: (read) => read.departures(ledger.entryGroupId, 1),
  departure: (read) => read.departure(ledger.entryGroupId, crypto.randomUUID()).catch(notFound),
  seenBy: (read) => read.seenBy({ entryGroupId: ledger.entryGroupId, entryId: ledger.entryId }),
  opened: (read) => read.opened(ledger.entryGroupId, ada.userId),
  access: (read) => read.access(ledger.entryGroupId, ledger.entryId),
  preview: (read) => read.preview({ kind: 'delete-group', entry_group_id: ledger.entryGroupId }),
};
function notFound(failure: unknown) {
  if (failure instanceof AppError && failure.code === 'not_found') return failure.code;
  throw failure;
}

let app: TestApp;
let bobId: string;
let ada: SignedIn;
let page: OfflineTestPage;
let ledger: EntryPath;
let second: EntryPath;
let shared: EntryPath;
let someoneElses: string;
let someoneElsesEntry: string;
/** By name, so that expectations are the same for both. */
const vaults: { online?: Vault; offline?: Vault } = {};

async function seed(write: VaultWrite, group: string, entries: readonly string[], parentId: string | null = null) {
  const { entryGroup } = await write.createGroup({ name: group, parentId, sameMembers: false });
  const entryGroupId = entryGroup.entry_group_id;
  const paths: EntryPath[] = [];
  for (const title of entries) {
    const { entry_id: entryId } = await write.createEntry(entryGroupId, title);
    paths.push({ entryGroupId, entryId });
  }
  return { entryGroupId, paths };
}

beforeAll(async () => {
  app = await startTestApp();
  const [first, bob] = await signUpAll(app, ['ada', 'bob']);
  if (first === undefined || bob === undefined) throw new Error('nobody signed up');
  ada = first;
  bobId = bob.userId;
  page = await openPage(ada, newDevice());
  await page.unlock();
  const write = page.write();
  const production = await seed(write, 'Production', ['Ledger 10', 'ledger 9', 'Äther', 'Büro']);
  await seed(write, 'Büro süd', ['Printer'], production.entryGroupId);
  ledger = production.paths[0] as EntryPath;
  for (const field of FIELDS) await write.createField(ledger, field);
  second = production.paths[3] as EntryPath;
  await write.createField(second, { type: 'note', title: 'Straße', value: 'x' });
  const note = { type: 'note', title: 'Rotated' } as const;
  const rotated = await write.createField(second, { ...note, value: 'first value' });
  await write.updateField({ ...second, field: rotated }, { ...note, value: 'second value' });

  const his = await mateOf(bob);
  const { entryGroupId, paths } = await seed(his.write, 'Shared', ['Mail server']);
  shared = paths[0] as EntryPath;
  await his.write.createField(shared, { type: 'password', title: 'Postmaster', login: 'postmaster', value: 'of bob' });
  await takeIn(his, entryGroupId, { userId: ada.userId, name: 'ada' }, 'member');
  const secret = await seed(his.write, 'Private', ['Secret']);
  someoneElses = secret.entryGroupId;
  someoneElsesEntry = secret.paths[0]?.entryId ?? '';

  await page.engine.enable();
  await page.engine.setFileLimit(1_000_000);
  await vi.waitFor(() => {
    expect(isReady(page.state().parts)).toBe(true);
    expect(page.device.copies.kept.bodies.get(page.name)?.size).toBe(1);
  }, 30_000);
  vaults.online = page.real.vault;
  const copied = await openPage(ada, page.device);
  await copied.unlock();
  await copied.engine.switchToOffline();
  pages.push(copied);
  const opened = copied.engine.vault();
  if (opened !== null) vaults.offline = opened;
}, 120_000);
const pages: OfflineTestPage[] = [];
afterAll(async () => {
  for (const opened of [page, ...pages]) opened.close();
  await app.stop();
});

describe.each(['online', 'offline'] as const)('the %s vault', (mode) => {
  const vaultOfMode = () => {
    const vault = vaults[mode];
    if (vault === undefined) throw new Error('not opened');
    return vault;
  };
  const read = (): VaultRead => vaultOfMode().read;
  const fieldsOf = async (path: EntryPath): Promise<FieldPath[]> =>
    (await read().fields(path)).map((field) => ({ ...path, field }));
  const titled = async (title: string): Promise<FieldPath> => {
    const found = (await fieldsOf(ledger)).find(({ field }) => field.title === title);
    if (found === undefined) throw new Error(`no field ${title}`);
    return found;
  };

  test('names its mode, and the offline vault has no write interface', () => {
    const vault = vaultOfMode();
    expect(vault.mode).toBe(mode);
    expect(vault.write === null).toBe(mode === 'offline');
  });

  test('shows the trees in their order, with roles', async () => {
    const shown = (await read().tree()).map(({ title, role, children }) => [
      title,
      role,
      children.map((one) => one.title),
    ]);
    expect(shown).toEqual([
      ['Production', 'admin', ['Büro süd']],
      ['Shared', 'member', []],
    ]);
  });

  test('has the trees available synchronously when offline only', async () => {
    const trees = await read().tree();
    expect(read().treeAtHand()).toEqual(mode === 'offline' ? trees : null);
  });

  test('shows a group with its admins and the person’s own role', async () => {
    const { entryGroup, role, admins } = await read().group(shared.entryGroupId);
    expect(entryGroup).toMatchObject({ name: 'Shared', role: 'member', gk_version: 1, origin: 'client' });
    expect(role).toMatchObject({ user_id: ada.userId, role: 'member' });
    expect(admins.map(({ user, role: of }) => [user.name, of])).toEqual([['bob', 'admin']]);
    expect((await read().group(ledger.entryGroupId)).role).toMatchObject({ user_id: ada.userId, role: 'admin' });
  });

  test('shows the known members', async () => {
    const listed = await read().members(shared.entryGroupId);
    expect(listed.map(({ user_id, role }) => [user_id === ada.userId, role])).toEqual([
      [false, 'admin'],
      [true, 'member'],
    ]);
  });

  test('lists entries by title, with numeric order and without regard to accents', async () => {
    const entries = await read().entries(ledger.entryGroupId);
    expect(entries.map(({ title }) => title)).toEqual(['Äther', 'Büro', 'ledger 9', 'Ledger 10']);
    expect(entries.map(({ login }) => login)).toEqual([null, null, null, 'ledger_root']);
  });

  test('lists fields by kind and title, never a value or an envelope', async () => {
    const fields = await read().fields(ledger);
    expect(fields.map(({ type, title }) => [type, title])).toEqual([
      ['password', 'Root account'],
      ['password', 'Root account 10'],
      ['link', 'Console'],
      ['note', 'Runbook'],
      ['file', 'Certificate'],
      ['TOTP', 'Sign-in'],
    ]);
    expect(fields[0]).toMatchObject({ login: 'ledger_root', rev: 1 });
    expect(fields[4]).toMatchObject({ file_name: 'ledger-root.p12', file_size: 50_000 });
    const text = JSON.stringify(fields);
    expect(text).not.toMatch(/cek_wrapped|encrypted_value|initialization_vector|entry_group_id/);
  });

  test('the history of a field ends with its present revision and reveals it', async () => {
    const path = await titled('Root account');
    const { field } = path;
    const [newest] = (await read().history(path)).filter(({ has_value }) => has_value);
    if (newest === undefined) throw new Error('no history');
    expect(newest).toMatchObject({
      field_id: field.field_id,
      event_type: 'created',
      rev: 1,
      title: 'Root account',
      login: 'ledger_root',
      user: { user_id: ada.userId },
      created_at: field.updated_at,
    });
    expect((await read().revealRevision(path, newest)).text).toBe('q8-Rf3_tYx 🔑');
    const gone = { ...path, field: { ...field, field_id: crypto.randomUUID() } };
    await expect(read().history(gone)).rejects.toMatchObject({ code: 'not_found' });
  });

  test.each<[string, readonly string[]]>([
    ['ledger', ['ledger 9', 'Ledger 10']],
    ['BURO', ['Büro', 'Printer']],
    ['büro süd', ['Printer']],
    ['strasse', ['Büro']],
    ['zoe', ['Ledger 10']],
    ['login:root ledger', ['Ledger 10']],
    ['title:root', ['Ledger 10']],
    ['group:prod -ledger', ['Büro', 'Äther']],
    ['type:totp', ['Ledger 10']],
    ['-type:password group:prod', ['Büro', 'Äther', 'ledger 9']],
    ['p12', ['Ledger 10']],
    ['"root account"', ['Ledger 10']],
    ['of bob', []],
    ['secret', []],
    ['%', []],
    ['   ', []],
    ['"-type:password"', []],
    ['ledger -a:b', ['Ledger 10', 'ledger 9']],
    ['ledger tag:prod', []],
    ['ledger -tag:prod -due:week', ['Ledger 10', 'ledger 9']],
    ['due:late', []],
  ])('finds %j', async (query, titles) => {
    const found = await read().search({ query, page: 1, perPage: 20 });
    expect(found.data.map(({ title }) => title).sort()).toEqual([...titles].sort());
    expect(found).toMatchObject({ total: titles.length, current_page: 1, per_page: 20, last_page: 1 });
  });

  test.each<[string, readonly string[]]>([
    ['ledgre', ['Ledger 10', 'ledger 9']],
    ['ledgre 10', ['Ledger 10']],
    ['prodcution ledgre', ['Ledger 10', 'ledger 9']],
    ['title:ledgre -10', ['ledger 9']],
    ['login:ledgre', ['Ledger 10']],
    ['group:ledgre', []],
    ['"ledgre 10"', []],
  ])('finds %j by similar words', async (query, titles) => {
    const { data, total, similar } = await read().search({ query, page: 1, perPage: 20 });
    expect(data.map(({ title }) => title).sort()).toEqual(titles);
    expect([total, similar]).toEqual([titles.length, titles.length > 0 ? true : undefined]);
    expect((await read().search({ query: 'ledger', page: 1, perPage: 1 })).similar).toBeUndefined();
  });

  test('lists search results in a stable order, by pages, with the fields of each entry', async () => {
    const pageOf = async (at: number) => read().search({ query: 'e', page: at, perPage: 2 });
    const found = [await pageOf(1), await pageOf(2), await pageOf(3)];
    orders[mode] = found.flatMap(({ data }) => data.map(({ entry_id }) => entry_id));
    expect(found.map(({ data }) => data.length)).toEqual([2, 2, found[2]?.data.length]);
    expect(found[0]).toMatchObject({ last_page: 3, total: orders[mode]?.length });
    const row = (await read().search({ query: 'ledger 10', page: 1, perPage: 5 })).data[0];
    expect(row?.entry_group.name).toBe('Production');
    expect([row?.passwords.length, row?.links.length, row?.notes.length, row?.files.length, row?.TOTPs.length]).toEqual(
      [2, 1, 1, 1, 1],
    );
    expect(JSON.stringify(row)).not.toMatch(/cek_wrapped|encrypted_value/);
  });

  test('reads entries by id in the order of the ids, without those that are gone or belong to others', async () => {
    const ids = [shared.entryId, crypto.randomUUID(), someoneElsesEntry, ledger.entryId, shared.entryId];
    const rows = await read().entriesById(ids);
    expect(rows.map(({ title, entry_group: group }) => [title, group.name])).toEqual([
      ['Mail server', 'Shared'],
      ['Ledger 10', 'Production'],
    ]);
    expect(rows[0]?.passwords).toMatchObject([{ title: 'Postmaster', login: 'postmaster' }]);
    expect(JSON.stringify(rows)).not.toMatch(/cek_wrapped|encrypted_value/);
    expect(await read().entriesById([])).toEqual([]);
    const many = Array.from({ length: 250 }, () => crypto.randomUUID());
    expect(await read().entriesById([...many, second.entryId])).toMatchObject([{ title: 'Büro' }]);
  });

  test('reveals each of the five kinds', async () => {
    expect(await read().reveal(await titled('Root account'))).toEqual({
      type: 'password',
      title: 'Root account',
      login: 'ledger_root',
      text: 'q8-Rf3_tYx 🔑',
      totp: null,
      file: null,
      disagreements: [],
    });
    expect((await read().reveal(await titled('Root account 10'))).text).toBe('');
    expect((await read().reveal(await titled('Console'))).text).toBe('https://console.ledger.internal:8443/primary');
    expect((await read().reveal(await titled('Runbook'))).text).toBe('Pause billing.\nThen promote — ☂');
    expect(await read().reveal(await titled('Sign-in'))).toMatchObject({
      text: 'JBSWY3DPEHPK3PXP',
      totp: { algorithm: 'sha256', period: 45 },
    });
    const opened = await read().openFile(await titled('Certificate'));
    expect(new Uint8Array(await opened.blob.arrayBuffer())).toEqual(BYTES);
    expect(opened.revealed).toMatchObject({ type: 'file', file: { name: 'ledger-root.p12', size: 50_000 } });
  });

  test('opens a file from its history row, and no file of another revision (M4)', async () => {
    const path = await titled('Certificate');
    const created = (await read().history(path)).find(({ has_value }) => has_value);
    if (created === undefined) throw new Error('no history');
    const opened = await read().openRevisionFile(path, created);
    expect(new Uint8Array(await opened.blob.arrayBuffer())).toEqual(BYTES);
    expect(opened.revealed).toMatchObject({ file: { name: 'ledger-root.p12' }, disagreements: [] });
    const unknown = read().openRevisionFile(path, { ...created, rev: 7 });
    if (mode === 'online') await expect(unknown).rejects.toMatchObject({ code: 'integrity' });
    else await expect(unknown).rejects.toMatchObject({ name: 'NotInCopyError', message: /only the current values/ });
  });

  test('reveals several at once as one by one, or none of them', async () => {
    const paths = [await titled('Runbook'), await titled('Root account'), await titled('Sign-in')];
    const one = [];
    for (const path of paths) one.push(await read().reveal(path));
    expect(await read().revealSeveral(paths, { purpose: 'run', label: 'deploy' })).toEqual(one);
    const [first, second = first] = paths;
    if (first === undefined || second === undefined) throw new Error('There are paths');
    const wrong = { ...second, field: { ...second.field, rev: 2 } };
    await expect(read().revealSeveral([first, wrong], { purpose: 'show' })).rejects.toMatchObject({
      code: 'integrity',
    });
  });

  test('reveals what another admin shared, before that admin’s key is confirmed', async () => {
    const [path] = await fieldsOf(shared);
    expect((await read().reveal(path as FieldPath)).text).toBe('of bob');
    const { memberships } = vaultOfMode();
    // The key is not confirmed yet, but the group is readable.
    expect(memberships.trust(shared.entryGroupId)).toEqual({ state: 'unconfirmed', why: 'new' });
    expect(memberships.of(shared.entryGroupId)).toEqual({ role: 'member', isOwnKey: true });
    expect(memberships.signed(shared.entryGroupId)).toHaveLength(2);
  });

  test('names differences between the list and the sealed content (M5)', async () => {
    const path = await titled('Root account');
    const field = { ...path.field, type: 'password', title: 'Guest account', login: 'eve' } as Field;
    expect(await read().reveal({ ...path, field })).toMatchObject({
      title: 'Root account',
      disagreements: ['title', 'login'],
    });
  });

  test('opens no password as a note, and no revision older than the listed one (M2, M4)', async () => {
    const path = await titled('Root account');
    const asNote = { ...path, field: { ...path.field, type: 'note' } as Field };
    await expect(read().reveal(asNote)).rejects.toMatchObject({ code: 'integrity' });
    await expect(read().reveal({ ...path, field: { ...path.field, rev: 2 } })).rejects.toMatchObject({
      code: 'integrity',
    });
  });

  test('has nothing that is missing or belongs to others', async () => {
    await expect(read().entries(crypto.randomUUID())).rejects.toMatchObject({ code: 'not_found' });
    await expect(read().fields({ ...ledger, entryId: crypto.randomUUID() })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(read().group(someoneElses)).rejects.toBeInstanceOf(AppError);
    const path = await titled('Root account');
    const elsewhere = { ...path, entryId: shared.entryId };
    await expect(read().reveal(elsewhere)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('stops when aborted', async () => {
    const stopped = AbortSignal.abort(new DOMException('gone', 'AbortError'));
    await expect(read().search({ query: 'e', page: 1, perPage: 2 }, stopped)).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  test('shows the person’s own key', async () => {
    const { fingerprint, words } = await read().ownKey();
    expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(words).toHaveLength(8);
  });

  test('shows the history and refuses revisions that it does not have', async () => {
    const path = await titled('Console');
    const created = (await read().history(path)).at(-1);
    if (created === undefined) throw new Error('no history');
    expect(created).toMatchObject({ event_type: 'created', rev: 1 });
    const unknown = read().revealRevision(path, { ...created, rev: 7 });
    if (mode === 'online') await expect(unknown).rejects.toMatchObject({ code: 'integrity' });
    else await expect(unknown).rejects.toMatchObject({ name: 'NotInCopyError', message: /only the current values/ });
  });

  test('names the authors of the first and the present value, and reveals the present one', async () => {
    const once = await titled('Console');
    const [created, ...others] = (await read().history(once)).filter(({ has_value }) => has_value);
    expect(others).toEqual([]);
    expect(created).toMatchObject({ event_type: 'created', rev: 1, title: 'Console', login: null });
    expect([created?.field_id, created?.user?.name, created?.created_at]).toEqual([
      once.field.field_id,
      'ada',
      once.field.created_at,
    ]);
    if (created === undefined) throw new Error('not created');
    expect((await read().revealRevision(once, created)).text).toBe('https://console.ledger.internal:8443/primary');

    const [twice] = (await fieldsOf(second)).filter(({ field }) => field.title === 'Rotated');
    if (twice === undefined) throw new Error('no field');
    const rows = (await read().history(twice)).filter(({ event_type }) => event_type !== 'decrypted');
    expect(rows.map(({ event_type, rev }) => [event_type, rev])).toEqual([
      ['updated', 2],
      ['created', 1],
    ]);
    const [present] = rows;
    if (present === undefined) throw new Error('no row');
    expect(present).toMatchObject({ has_value: true, created_at: twice.field.updated_at });
    expect((await read().revealRevision(twice, present)).text).toBe('second value');
    expect(
      await read()
        .history({ ...twice, field: { ...twice.field, field_id: crypto.randomUUID() } })
        .catch(codeOf),
    ).toBe('not_found');
  });

  test('shows the history of a group by pages, newest first', async () => {
    const kinds = new Set(['created', 'updated']);
    const all = (await read().groupHistory(ledger.entryGroupId)).filter(({ event_type }) => kinds.has(event_type));
    expect(all).toHaveLength(FIELDS.length + 3);
    expect(all[0]).toMatchObject({ event_type: 'updated', field: { title: 'Rotated', entry: { title: 'Büro' } } });
    const times = all.map(({ created_at }) => created_at);
    expect(times).toEqual([...times].sort().toReversed());
    const top = await read().groupHistory(ledger.entryGroupId, undefined, { limit: 2 });
    const before = top[1]?.field_edit_log_id ?? '';
    const next = await read().groupHistory(ledger.entryGroupId, undefined, { limit: 2, before });
    const ids = [...top, ...next].map(({ field_edit_log_id }) => field_edit_log_id);
    expect(new Set(ids).size).toBe(4);
  });

  test('opens a group on request, and reports problems with its keys', async () => {
    await read().examine(ledger.entryGroupId);
    expect(vaultOfMode().memberships.trust(ledger.entryGroupId)).toMatchObject({ state: 'confirmed' });
    await expect(read().examine(someoneElses)).rejects.toBeInstanceOf(AppError);
  });

  // Online each has its own tests; offline each must throw NotInCopyError without a request.
  test.each(Object.entries(SERVER_ALONE))('%s: is answered only online', async (_, ask) => {
    const asked = ask(read());
    if (mode === 'online') await expect(asked).resolves.toBeDefined();
    else await expect(asked).rejects.toMatchObject({ name: 'NotInCopyError', message: /Go online to see it/ });
  });

  test('judges the keys of others online only', async () => {
    const states = await read().keyStates(await read().members(shared.entryGroupId));
    expect(states.size > 0).toBe(mode === 'online');
  });
});

const codeOf = (failure: unknown) => (failure instanceof AppError ? failure.code : failure);

const orders: Partial<Record<'online' | 'offline', readonly string[]>> = {};
test('both vaults list search results in the same order', () => {
  expect(orders.online?.length).toBeGreaterThan(4);
  expect(orders.offline).toEqual(orders.online);
});

test('the offline vault has sent no request', () => {
  const [copied] = pages;
  const after = copied?.real.requests.findLastIndex((request) => request.includes('entryGroups/')) ?? -2;
  expect(after).toBe(-1);
});

test('neither vault reveals anything while locked', async () => {
  const [copied] = pages;
  const path = { ...ledger, field: (await page.real.vault.read.fields(ledger))[0] as Field };
  page.real.keyring.lock();
  copied?.real.keyring.lock();
  for (const vault of [vaults.online, vaults.offline])
    await expect(vault?.read.reveal(path)).rejects.toMatchObject({ code: 'locked' });
});
