/**
 * Ada shares a tree of a hundred groups with Bob and Eve, each in a separate browser context, and removes
 * Bob: his keys open nothing written later, and Eve reads everything. Then a browser is killed during a key
 * rotation, and that of another admin finishes it.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chromium, type Browser, type BrowserServer, type Page } from 'playwright-core';
import { decodeBase64, encodeBase64 } from '@passwordbroker/core/crypto/bytes';
import { DEFAULT_KDF, KDF_PROFILES } from '@passwordbroker/core/crypto/kdf';
import { openField, type EnvelopeWire } from '@passwordbroker/core/domain/fields/field';
import { deriveGroupKey, unwrapGroupSecret } from '@passwordbroker/core/domain/groups/grants';
import { openGroup, type GroupKeysWire } from '@passwordbroker/core/domain/groups/group-keys';
import { unlock, type Keyring, type LockedKeyring } from '@passwordbroker/core/domain/keyring/keyring';
import { openWriter } from '../server/src/db/sqlite/connections.ts';
import { argon2idNative } from '../server/src/platform/passwords/argon2.ts';
import { browserOptions, closePages, openPage, sharedBrowser } from './testing/browser/browser.ts';
import { fieldsOf } from './testing/vault/fields.ts';
import { beforeSending } from './testing/browser/intercept.ts';
import { addPeople, signIn, signUpFirst, type Person } from './testing/people/people.ts';
import { screenOf } from './testing/vault/screen.ts';
import {
  addRevisions,
  addSealedEntry,
  addSealedGroup,
  addSealedTree,
  type SealedGroup,
} from './testing/vault/sealed-tree.ts';
import { startServer, type RunningServer } from './testing/server/server.ts';
import { usersOf } from './testing/vault/users.ts';

const API = '/passwordBroker/api';
const GROUPS = 100;
/** More than one batch of the key rotation. */
const REVISIONS = 520;

let server: RunningServer;
let browser: Browser;
let ada: Person;
let bob: Person;
let eve: Person;
let carol: Person;
let adas: Page;
let bobs: Page;
let eves: Page;
let tree: SealedGroup[];
let root: SealedGroup;
let entryId: string;
let fieldIds: readonly string[];
const complaints: (() => readonly string[])[] = [];

/** Everything that Bob's browser could keep before his removal. */
interface KeptByBob {
  readonly bundle: LockedKeyring;
  readonly groups: ReadonlyMap<string, GroupKeysWire>;
  readonly envelope: EnvelopeWire;
}
let kept: KeptByBob;

async function openWindow(): Promise<Page> {
  const watched = await openPage(browser);
  // A hundred groups take long on a busy machine.
  watched.page.setDefaultTimeout(90_000);
  complaints.push(() => watched.complaints());
  return watched.page;
}

beforeAll(async () => {
  server = await startServer();
  browser = await sharedBrowser();
  [adas, bobs, eves] = await Promise.all([openWindow(), openWindow(), openWindow()]);
  ada = await signUpFirst(adas, server.origin, 'Ada Adler');
  const names = ['Bob Brandt', 'Eve Evans', 'Carol Cole'] as const;
  [bob, eve, carol] = await addPeople(screenOf(adas), server.dataDir, names);
  await Promise.all([signIn(bobs, server.origin, bob), signIn(eves, server.origin, eve)]);
  tree = await addSealedTree(screenOf(adas), ada, 'Company', GROUPS);
  root = tree[0] as SealedGroup;
  const entry = { title: 'Ledger', fields: ['Root account', 'Console'] };
  ({ entryId, fieldIds } = await addSealedEntry(screenOf(adas), root, entry));
});
afterAll(async () => {
  await closePages(browser);
  await server.stop();
});

const openGroupPage = (page: Page) => page.goto(`${server.origin}/entryGroup/${root.id}`);
const fieldPath = (fieldId: string) => `${API}/entryGroups/${root.id}/entries/${entryId}/fields/${fieldId}`;
const place = (fieldId: string, rev: number) =>
  ({ entryGroupId: root.id, entryId, fieldId, type: 'password', rev }) as const;

test('Ada shares every group with Bob as moderator and Eve as member, comparing each key once', async () => {
  const screen = screenOf(adas);
  const users = usersOf(adas, screen);
  await openGroupPage(adas);
  await users.open();
  await adas.getByLabel(`Also in the ${GROUPS - 1} child groups where you are admin`).check();
  for (const [person, role] of [[bob, 'Moderator'] as const, [eve, 'Member'] as const]) {
    await users.add(person.name, role);
    if (person === bob) await screen.remember(ada.masterPassword);
    await screen.button('Compared, verified', screen.dialog()).click();
    await adas.getByText(`${person.name} added as ${role} in ${GROUPS} groups`).first().waitFor();
  }
  expect(await rolesOf(bob)).toEqual({ moderator: GROUPS });
  expect(await rolesOf(eve)).toEqual({ member: GROUPS });
});

test('Bob edits a value; Eve reads it, and her write is refused', async () => {
  const his = fieldsOf(bobs);
  await openGroupPage(bobs);
  await his.openEntry('Ledger');
  await his.button('Edit Root account', his.row('Root account')).click();
  await his.remember(bob.masterPassword);
  await his.box('Value', his.dialog()).fill('written by Bob');
  await his.button('Save', his.dialog()).click();
  // Ada's key is new to Bob: the page asks once, then writes the value.
  await bobs.getByRole('heading', { name: 'Who shares “Company” with you?' }).waitFor();
  await his.button('Compared, verified').click();
  await his.closed();

  const hers = fieldsOf(eves);
  await openGroupPage(eves);
  await hers.openEntry('Ledger');
  await hers.button('Show', hers.row('Root account')).click();
  await hers.remember(eve.masterPassword);
  await hers.row('Root account').getByText('written by Bob').waitFor();
  expect(await hers.button(/^Edit/).count()).toBe(0);
  const attempt = screenOf(eves).call('PUT', fieldPath(fieldIds[0] ?? ''), { title: 'Mine', value: 'x' });
  await expect(attempt).rejects.toThrow(': 403');
});

test('Ada removes Bob from every group: his requests get 403, and her page rotates every key', async () => {
  kept = await keepAll();
  const screen = screenOf(adas);
  const users = usersOf(adas, screen);
  await screen.button('Remove Bob Brandt').click();
  await users.question().getByText('Bob Brandt has opened 1 value in this group').waitFor();
  await users
    .question()
    .getByLabel(`Also in the ${GROUPS - 1} child groups`)
    .check();
  await screen.button('Remove', users.question()).click();
  // A notice stays for five seconds only.
  await adas.getByText(`Bob Brandt removed from ${GROUPS} groups`).first().waitFor();
  await users.row(bob.name).waitFor({ state: 'detached' });

  for (const path of [`${API}/entryGroups/${root.id}`, `${fieldPath(fieldIds[0] ?? '')}/envelope`])
    await expect(screenOf(bobs).call('GET', path)).rejects.toThrow(': 403');
  await bobs.reload();
  await bobs.getByRole('heading', { name: 'You cannot open this group' }).waitFor();
  expect(await rolesOf(bob)).toEqual({});

  await expect.poll(versions, { timeout: 120_000 }).toEqual({ 2: GROUPS });
  await expect.poll(revisionsUnder, { timeout: 30_000 }).toEqual({ 2: 3 });
});

test('Bob’s former keys open no value written after his removal', async () => {
  const at = fieldsOf(adas);
  await adas.getByRole('tab', { name: /^Entries/ }).click();
  await at.openEntry('Ledger');
  await at.button('Edit Root account', at.row('Root account')).click();
  await at.box('Value', at.dialog()).fill('after Bob');
  await at.button('Save', at.dialog()).click();
  await at.closed();
  const written = await screenOf(adas).call<EnvelopeWire>('GET', `${fieldPath(fieldIds[0] ?? '')}/envelope`);
  expect(written).toMatchObject({ rev: 3, gk_version: 2 });

  const kdf = { profiles: KDF_PROFILES, defaultProfile: DEFAULT_KDF, argon2id: argon2idNative };
  const his: Keyring = await unlock({ bundle: kept.bundle, masterPassword: bob.masterPassword, kdf });
  // His keys are valid: they open the value that he read.
  const { groupKey } = await openGroup(his, kept.groups.get(root.id) as GroupKeysWire, root.id);
  const read = await openField(groupKey, place(fieldIds[0] ?? '', 2), kept.envelope);
  expect(read.type === 'password' && new TextDecoder().decode(read.value)).toBe('written by Bob');

  for (const [id, { grants }] of kept.groups) {
    for (const grant of grants) {
      const secret = await unwrapGroupSecret(his, decodeBase64(grant.encrypted_aes_password_base64));
      for (const version of [1, 2]) {
        const key = { ...(await deriveGroupKey(secret, id, version)), groupId: root.id };
        await expect(openField(key, place(fieldIds[0] ?? '', 3), written)).rejects.toThrow();
      }
    }
  }
  // His keys open no wrap of the new key.
  const wraps = await grantsOf(root.id);
  expect(wraps.map(({ gk_version }) => gk_version)).toEqual([2, 2]);
  for (const { wrapped } of wraps)
    await expect(unwrapGroupSecret(his, decodeBase64(encodeBase64(new Uint8Array(wrapped))))).rejects.toThrow();
});

test('Eve still reads every value and the history', async () => {
  const hers = fieldsOf(eves);
  await eves.reload();
  await hers.openEntry('Ledger');
  await hers.button('Show', hers.row('Root account')).click();
  await hers.remember(eve.masterPassword);
  await hers.row('Root account').getByText('after Bob').waitFor();
  await hers.button('Show', hers.row('Console')).click();
  await hers.row('Console').getByText('elosnoC').waitFor();
  await hers.button('History of Root account', hers.row('Root account')).click();
  const rowOf = (event: string) => hers.dialog().getByRole('row').filter({ hasText: event }).last();
  await hers.button('Show', rowOf('created')).click();
  await rowOf('created').getByText('tnuocca tooR').waitFor();
});

test('the browser of another admin finishes a key rotation after the first browser was killed', async () => {
  const screen = screenOf(adas);
  const large = await addSealedGroup(screen, ada, 'Large');
  const many = await addSealedEntry(screen, large, { title: 'Many', fields: ['Often changed', 'Never changed'] });
  const often = { entryId: many.entryId, fieldId: many.fieldIds[0] ?? '', last: REVISIONS };
  await addRevisions(server.dataDir, large, often);
  for (const [person, role] of [[carol, 'admin'] as const, [bob, 'member'] as const]) {
    const body = { target_user_id: person.userId, role, master_password: ada.masterPassword };
    await screen.call('POST', `${API}/entryGroups/${large.id}/users`, body);
  }
  // A new browser rotates no key by itself, so Carol confirms the group in it first.
  const carols = await openWindow();
  const hers = await signIn(carols, server.origin, carol);
  await carols.goto(`${server.origin}/entryGroup/${large.id}`);
  await hers.button(/^Master Pasword not entered$/).click();
  await hers.remember(carol.masterPassword);
  await hers.button('Confirm now').click();
  await hers.button('Compared, verified').click();
  await hers.button('Confirm now').waitFor({ state: 'detached' });
  const doomed = await chromium.launchServer(browserOptions());
  await removeUntilTheSecondBatch(doomed, large.id);
  const left = await revisionsUnder(large.id);
  expect(left[1]).toBeGreaterThan(0);
  expect(left[2]).toBeGreaterThanOrEqual(500);

  await carols.reload();
  const at = fieldsOf(carols);
  await at.openEntry('Many');
  await hers.button('Show', at.row('Never changed')).click();
  await hers.remember(carol.masterPassword);
  await at.row('Never changed').getByText('degnahc reveN').waitFor();
  await expect.poll(() => revisionsUnder(large.id), { timeout: 60_000 }).toEqual({ 2: REVISIONS + 1 });
  await hers.button('Show', at.row('Often changed')).click();
  await at.row('Often changed').getByText(`value ${REVISIONS}`).waitFor();
  for (const told of complaints) expect(told()).toEqual([]);
});

/** Ada removes Bob in another browser, which is killed before its second batch. */
async function removeUntilTheSecondBatch(doomed: BrowserServer, groupId: string): Promise<void> {
  const { page } = await openPage(await chromium.connect(doomed.wsEndpoint()));
  const screen = await signIn(page, server.origin, ada);
  let batches = 0;
  let reached = () => {};
  const second = new Promise<void>((resolve) => (reached = resolve));
  await beforeSending(page, '*/rotate/rewraps', async (caught) => {
    batches += 1;
    if (batches === 1) await caught.goOn();
    else reached();
  });
  await page.goto(`${server.origin}/entryGroup/${groupId}`);
  const users = usersOf(page, screen);
  await users.open();
  await screen.button('Remove Bob Brandt').click();
  await screen.button('Remove', users.question()).click();
  await screen.remember(ada.masterPassword);
  await second;
  await doomed.kill();
}

/** Everything that Bob's browser can fetch before his removal. */
async function keepAll(): Promise<KeptByBob> {
  const screen = screenOf(bobs);
  const groups = new Map<string, GroupKeysWire>();
  for (const { id } of tree) groups.set(id, await screen.call<GroupKeysWire>('GET', `${API}/entryGroups/${id}/roster`));
  return {
    bundle: await screen.call<LockedKeyring>('GET', '/identity/api/keyBundle'),
    groups,
    envelope: await screen.call<EnvelopeWire>('GET', `${fieldPath(fieldIds[0] ?? '')}/envelope`),
  };
}

async function inDatabase<T>(ask: (queries: ReturnType<typeof openWriter>['queries']) => Promise<T>): Promise<T> {
  const { queries } = openWriter(join(server.dataDir, 'passwordbroker.sqlite'));
  try {
    return await ask(queries);
  } finally {
    await queries.destroy();
  }
}

function counted<Row>(rows: readonly Row[], by: (row: Row) => string | number): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const row of rows) counts[by(row)] = (counts[by(row)] ?? 0) + 1;
  return counts;
}

const ids = () => tree.map(({ id }) => id);
const rolesOf = async (person: Person) =>
  counted(
    await inDatabase((queries) =>
      queries
        .selectFrom('group_members')
        .select('role')
        .where('user_id', '=', person.userId)
        .where('entry_group_id', 'in', ids())
        .execute(),
    ),
    ({ role }) => role,
  );
/** Number of groups of the tree by key version; due ones do not count. */
const versions = async () =>
  counted(
    await inDatabase((queries) =>
      queries
        .selectFrom('entry_groups')
        .select('gk_version')
        .where('entry_group_id', 'in', ids())
        .where('rotation_due', '=', 0)
        .execute(),
    ),
    ({ gk_version }) => gk_version,
  );
/** Number of revisions of a group by key version. */
const revisionsUnder = async (groupId = root.id) =>
  counted(
    await inDatabase((queries) =>
      queries
        .selectFrom('field_revisions')
        .innerJoin('fields', 'fields.field_id', 'field_revisions.field_id')
        .innerJoin('entries', 'entries.entry_id', 'fields.entry_id')
        .select('field_revisions.gk_version')
        .where('entries.entry_group_id', '=', groupId)
        .execute(),
    ),
    ({ gk_version }) => gk_version,
  );
const grantsOf = (groupId: string) =>
  inDatabase((queries) =>
    queries
      .selectFrom('group_grants')
      .select(['gk_version', 'wrapped'])
      .where('entry_group_id', '=', groupId)
      .execute(),
  );
