import { afterAll, beforeAll, expect, test } from 'vitest';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import { purge, restore } from '@passwordbroker/core/contract/entries/operations';
import { sweep } from '../../system/housekeeping.ts';
import { startTestApp } from '../../testing/test-app.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { purgeExpired } from './purge.ts';
import { purgeEntries } from './purge-repository.ts';
import { auditOf, everything, giveRole, makeGroup, putEntry, putField, trash } from '../testing/vault.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  [ada, bob] = [await app.signUp('ada'), await app.signUp('bob')];
});
afterAll(() => app.stop());

const DAYS = 30 * 24 * 60 * 60 * 1000;
const removeGroup = async (g: string) => (await ada.call(groups.remove, { params: { g } })).operation_id;
const purgeAct = (who: SignedIn, operationId: string) => who.call(purge, { params: { operationId } });
const bringBack = (operationId: string) => ada.call(restore, { params: { operationId }, body: {} });
const isStored = (name: string) => app.deps.bodies.has(name);
/** Number of rows in any table that contain one of these ids. */
async function mentions(ids: readonly string[]): Promise<string[]> {
  const kept = await everything(app.deps);
  const { read } = app.deps.db;
  const keys = await Promise.all(
    (['group_keys', 'group_grants', 'group_rosters'] as const).map((table) =>
      read.selectFrom(table).selectAll().execute(),
    ),
  );
  const [stored] = JSON.parse(kept) as unknown[];
  return ids.filter((id) => JSON.stringify([stored, keys]).includes(id));
}
async function refused(operation: () => Promise<unknown>, problem: object): Promise<void> {
  const before = await everything(app.deps);
  await expect(operation()).rejects.toMatchObject(problem);
  expect(await everything(app.deps)).toBe(before);
}

test('purging a group removes all of its contents, including files, and nothing else', async () => {
  const g = await makeGroup(ada, 'G');
  const child = await makeGroup(ada, 'Child', g);
  const elsewhere = await makeGroup(ada, 'Elsewhere');
  const [only, shared] = [await app.deps.bodies.put(Buffer.from('one')), await app.deps.bodies.put(Buffer.from('two'))];
  const entry = await putEntry(app.deps, child, 'Entry');
  const fields = [
    await putField(app.deps, entry, 'a', only.sha256),
    await putField(app.deps, entry, 'b', shared.sha256),
  ];
  const other = await putEntry(app.deps, elsewhere, 'Other');
  const otherField = await putField(app.deps, other, 'b', shared.sha256);
  const goneField = await putField(app.deps, entry, 'gone');
  const earlierField = await trash(app.deps, ada, { groupId: child, field: goneField });
  const goneEntry = await putEntry(app.deps, child, 'gone');
  const earlierEntry = await trash(app.deps, ada, { groupId: child, entries: [goneEntry] });
  await ada.call(groups.rename, { params: { g }, body: { name: 'Renamed' } });
  const operationId = await removeGroup(g);
  const answer = await ada.request({ method: 'DELETE', path: `/passwordBroker/api/trash/${operationId}` });
  expect([answer.status, answer.text]).toEqual([204, '']);
  const gone = [g, child, entry, ...fields, goneField, goneEntry, operationId, earlierField, earlierEntry];
  expect(await mentions(gone)).toEqual([]);
  expect(await mentions([elsewhere, other, otherField])).toHaveLength(3);
  expect([await isStored(only.sha256), await isStored(shared.sha256)]).toEqual([false, true]);
  expect(await auditOf(app.deps, 'purged', g)).toMatchObject([{ user_id: ada.userId, target_type: 'entry_group' }]);
  for (const operation of [operationId, earlierEntry]) {
    await refused(() => purgeAct(ada, operation), { code: 'not_found' });
    await refused(() => bringBack(operation), { code: 'not_found' });
  }
});

test('large values are removed in separate transactions, the present revision last', async () => {
  const g = await makeGroup(ada, 'G');
  const entry = await putEntry(app.deps, g, 'Entry');
  const small = [await putField(app.deps, entry, 'a'), await putField(app.deps, entry, 'b')];
  const large = await putField(app.deps, entry, 'c');
  const addRevision = (rev: number) =>
    app.deps.db.transact(async (tx) => {
      const { value: _, ...first } = await tx
        .selectFrom('field_revisions')
        .selectAll()
        .where('field_id', '=', large)
        .executeTakeFirstOrThrow();
      await tx
        .insertInto('field_revisions')
        .values({ ...first, rev, value: Buffer.alloc(200_000) })
        .execute();
      await tx.updateTable('fields').set({ rev }).where('field_id', '=', large).execute();
    });
  for (let rev = 2; rev <= 4; rev += 1) await addRevision(rev);
  const operationId = await removeGroup(g);
  const next = () => app.deps.db.transact((tx) => purgeEntries(tx, operationId));
  const left = async () => {
    const rows = await app.deps.db.read
      .selectFrom('field_revisions')
      .select(['field_id', 'rev'])
      .where('field_id', 'in', [...small, large])
      .orderBy('rev')
      .execute();
    return rows.filter(({ field_id }) => field_id === large).map(({ rev }) => rev);
  };
  const seen: number[][] = [];
  for (let portion = 0; portion < 10 && (await next()).rows > 0; portion += 1) seen.push(await left());
  expect(seen).toEqual([[1, 2, 3, 4], [3, 4], [4], []]);
  expect(await mentions([entry, ...small, large])).toEqual([]);
});

test('a purge needs an admin of every group it contains', async () => {
  const g = await makeGroup(ada, 'G');
  const child = await makeGroup(ada, 'Child', g);
  const ofEntry = await trash(app.deps, ada, { groupId: g, entries: [await putEntry(app.deps, g, 'Entry')] });
  await refused(() => purgeAct(bob, ofEntry), { code: 'forbidden' });
  await giveRole(app.deps, g, bob.userId, 'moderator');
  await refused(() => purgeAct(bob, ofEntry), { code: 'forbidden' });
  await giveRole(app.deps, g, bob.userId, 'admin');
  await purgeAct(bob, ofEntry);
  await giveRole(app.deps, child, bob.userId, 'moderator');
  const ofGroup = await removeGroup(g);
  await refused(() => purgeAct(bob, ofGroup), { code: 'forbidden' });
  await purgeAct(ada, ofGroup);
  await refused(() => purgeAct(ada, crypto.randomUUID()), { code: 'not_found' });
});

test('a group whose parent was purged is restored as a root, with all subgroups', async () => {
  const g = await makeGroup(ada, 'G');
  const parent = await makeGroup(ada, 'Parent', g);
  const child = await makeGroup(ada, 'Child', parent);
  const below = await makeGroup(ada, 'Below', child);
  const ofChild = await removeGroup(child);
  await purgeAct(ada, await removeGroup(g));
  await bringBack(ofChild);
  const { entryGroup } = await ada.call(groups.get, { params: { g: child } });
  expect(entryGroup).toMatchObject({ parent_entry_group_id: null, materialized_path: child });
  const lower = await ada.call(groups.get, { params: { g: below } });
  expect(lower.entryGroup).toMatchObject({ parent_entry_group_id: child, materialized_path: `${child}.${below}` });
});

test('a concurrent restore and purge: one succeeds', async () => {
  const g = await makeGroup(ada, 'G');
  const operationId = await removeGroup(g);
  const [back, gone] = await Promise.allSettled([bringBack(operationId), purgeAct(ada, operationId)]);
  expect([back.status, gone.status].sort()).toEqual(['fulfilled', 'rejected']);
});

test('the scheduler purges only what has been in the trash for 30 days (T104)', async () => {
  const [old, young] = [await makeGroup(ada, 'Old'), await makeGroup(ada, 'Young')];
  const entry = await putEntry(app.deps, old, 'Entry');
  for (let n = 0; n < 5; n += 1) await putField(app.deps, entry, `${n}`);
  const oldAct = await removeGroup(old);
  app.clock.advance(1000);
  const youngAct = await removeGroup(young);
  app.clock.advance(DAYS - 1001);
  await sweep(app.deps);
  expect(await mentions([old, young])).toHaveLength(2);
  app.clock.advance(1);
  await sweep(app.deps);
  expect(await mentions([old, entry, oldAct])).toEqual([]);
  expect(await mentions([young, youngAct])).toHaveLength(2);
  expect(await auditOf(app.deps, 'purged', old)).toMatchObject([{ user_id: null, login: null }]);
});

test('an interrupted purge is continued, and meanwhile nothing of it can be restored', async () => {
  Object.assign(ada, { cookies: (await app.signIn(ada)).cookies });
  const g = await makeGroup(ada, 'G');
  const child = await makeGroup(ada, 'Child', g);
  const entry = await putEntry(app.deps, child, 'Entry');
  const body = await app.deps.bodies.put(Buffer.from('interrupted'));
  const field = await putField(app.deps, entry, 'Field', body.sha256);
  const operationId = await removeGroup(g);
  app.clock.advance(DAYS);
  Object.assign(ada, { cookies: (await app.signIn(ada)).cookies });
  await expect(purgeExpired(app.deps, app.clock.now(), AbortSignal.abort())).rejects.toThrow();
  expect(await mentions([g, child, entry, field, operationId])).toHaveLength(5);
  await refused(() => bringBack(operationId), { code: 'not_found' });
  await sweep(app.deps);
  expect(await mentions([g, child, entry, field, operationId])).toEqual([]);
  expect(await isStored(body.sha256)).toBe(false);
  expect(await auditOf(app.deps, 'purged', g)).toHaveLength(1);
});

test('a purge by age whose record cannot be written deletes no operation, and is recorded by the next run', async () => {
  Object.assign(ada, { cookies: (await app.signIn(ada)).cookies });
  const g = await makeGroup(ada, 'Unrecorded');
  const operationId = await removeGroup(g);
  app.clock.advance(DAYS);
  const newId = () => {
    throw new Error('The record fails');
  };
  await expect(purgeExpired({ ...app.deps, newId }, app.clock.now())).rejects.toThrow('The record fails');
  expect(await mentions([operationId])).toHaveLength(1);
  await sweep(app.deps);
  expect(await mentions([operationId])).toEqual([]);
  expect(await auditOf(app.deps, 'purged', g)).toHaveLength(1);
});
