import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { get as getEntry, search } from '@passwordbroker/core/contract/entries/entries';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import type { TargetKind } from '@passwordbroker/core/contract/entities';
import { restore, trash as trashList, undo } from '@passwordbroker/core/contract/entries/operations';
import { startTestApp } from '../../testing/test-app.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { auditOf, everything, inOrder, giveRole, makeGroup, putEntry, putField, trash } from '../testing/vault.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  [ada, bob] = [await app.signUp('ada'), await app.signUp('bob')];
});
afterAll(() => app.stop());

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
type Items = readonly { kind: TargetKind; id: string }[];
const bringBack = (who: SignedIn, operationId: string, items?: Items) =>
  who.call(restore, { params: { operationId }, body: { items } });
const removeGroup = async (who: SignedIn, g: string) => (await who.call(groups.remove, { params: { g } })).operation_id;
const rows = async () => {
  const { read } = app.deps.db;
  return Promise.all(
    (['entry_groups', 'entries', 'fields', 'entry_search'] as const).map(async (table) =>
      inOrder(await read.selectFrom(table).selectAll().execute()),
    ),
  );
};
async function refused(operation: () => Promise<unknown>, problem: object): Promise<void> {
  const before = await everything(app.deps);
  await expect(operation()).rejects.toMatchObject(problem);
  expect(await everything(app.deps)).toBe(before);
}
const found = async (q: string) => (await ada.call(search, { query: { q } })).data.map(({ entry_id }) => entry_id);

test('a group is restored with everything deleted with it, and without anything deleted before (T103)', async () => {
  const g = await makeGroup(ada, 'G');
  const child = await makeGroup(ada, 'Child', g);
  const earlier = await makeGroup(ada, 'Earlier', g);
  const entry = await putEntry(app.deps, child, 'Zebra entry');
  const field = await putField(app.deps, entry, 'Field');
  const goneField = await putField(app.deps, entry, 'Vanished');
  const goneEntry = await putEntry(app.deps, child, 'Gone');
  const operations = [
    await removeGroup(ada, earlier),
    await trash(app.deps, ada, { groupId: child, field: goneField }),
    await trash(app.deps, ada, { groupId: child, entries: [goneEntry] }),
  ];
  const before = await rows();
  const operationId = await removeGroup(ada, g);
  expect(await found('zebra')).toEqual([]);
  const answer = await bringBack(ada, operationId);
  expect(answer).toEqual({
    operation_id: expect.any(String),
    kind: 'restore',
    counts: { entry_groups: 2, entries: 1, fields: 1 },
    undo_until: null,
  });
  expect(await rows()).toEqual(before);
  expect(await found('zebra')).toEqual([entry]);
  expect(await found('vanished')).toEqual([]);
  const history = await ada.call(groups.history, { params: { g: child } });
  expect(history.map(({ event_type, field_id }) => [event_type, field_id])).toEqual([
    ['restored', field],
    ['trashed', field],
    ['created', field],
  ]);
  expect(history[0]?.user).toEqual({ user_id: ada.userId, name: 'ada' });
  expect(await auditOf(app.deps, 'restored', g)).toHaveLength(1);
  await refused(() => bringBack(ada, operationId), { code: 'not_found' });
  for (const operation of operations.toReversed()) await bringBack(ada, operation);
  expect(await found('vanished')).toEqual([entry]);
  expect((await ada.call(groups.get, { params: { g: earlier } })).entryGroup.materialized_path).toBe(`${g}.${earlier}`);
});

test('some of the items can be restored first, and the rest later', async () => {
  const g = await makeGroup(ada, 'G');
  const [one, two, three] = [
    await putEntry(app.deps, g, 'One'),
    await putEntry(app.deps, g, 'Two'),
    await putEntry(app.deps, g, 'Three'),
  ];
  await putField(app.deps, two, 'Field');
  const operationId = await trash(app.deps, ada, { groupId: g, entries: [one, two, three], title: 'One' });
  expect(await bringBack(ada, operationId, [{ kind: 'entry', id: two }])).toMatchObject({
    counts: { entry_groups: 0, entries: 1, fields: 1 },
  });
  const left = (await ada.call(trashList)).data[0];
  expect(left).toMatchObject({ operation_id: operationId, title: 'One', counts: { entries: 2, fields: 0 } });
  const again = [
    { kind: 'entry' as const, id: one },
    { kind: 'entry' as const, id: two },
    { kind: 'field' as const, id: three },
  ];
  const texts = ['The item does not exist.'];
  await refused(() => bringBack(ada, operationId, again), {
    code: 'validation',
    errors: { 'items.1': texts, 'items.2': texts },
  });
  await refused(() => bringBack(ada, operationId, []), { errors: { items: ['The items is required.'] } });
  await bringBack(ada, operationId, [{ kind: 'entry', id: one }]);
  expect((await ada.call(trashList)).data[0]).toMatchObject({ title: 'Three' });
  // Undo restores what is left.
  await ada.call(undo, { params: { operationId } });
  await refused(() => ada.call(undo, { params: { operationId } }), { code: 'not_found' });
});

describe('missing rights', () => {
  test('entries and fields need a moderator', async () => {
    const g = await makeGroup(ada, 'G');
    const entry = await putEntry(app.deps, g, 'Entry');
    const field = await putField(app.deps, entry, 'Field');
    const operations = [
      await trash(app.deps, ada, { groupId: g, field }),
      await trash(app.deps, ada, { groupId: g, entries: [await putEntry(app.deps, g, 'Other')] }),
    ];
    for (const role of [null, 'member'] as const) {
      if (role !== null) await giveRole(app.deps, g, bob.userId, role);
      for (const operation of operations) {
        await refused(() => bringBack(bob, operation), { code: 'forbidden' });
        await refused(() => bringBack(bob, operation, [{ kind: 'entry', id: UNKNOWN }]), { code: 'forbidden' });
        await refused(() => bob.call(undo, { params: { operationId: operation } }), { code: 'forbidden' });
      }
    }
    await giveRole(app.deps, g, bob.userId, 'moderator');
    for (const operation of operations) await bringBack(bob, operation);
    expect(await bob.call(getEntry, { params: { g, e: entry } })).toMatchObject({ title: 'Entry' });
  });

  test('groups need an admin of each of them', async () => {
    const g = await makeGroup(ada, 'G');
    const child = await makeGroup(ada, 'Child', g);
    await giveRole(app.deps, g, bob.userId, 'admin');
    await giveRole(app.deps, child, bob.userId, 'moderator');
    const operationId = await removeGroup(ada, g);
    await refused(() => bringBack(bob, operationId), { code: 'forbidden' });
    await giveRole(app.deps, child, bob.userId, 'admin');
    expect(await bringBack(bob, operationId)).toMatchObject({ counts: { entry_groups: 2 } });
  });

  test('an unknown operation and one of another kind are not found', async () => {
    const g = await makeGroup(ada, 'G');
    const renamed = await ada.request({
      method: 'PUT',
      path: `/passwordBroker/api/entryGroups/${g}`,
      json: { name: 'Other' },
    });
    for (const id of [UNKNOWN, String(renamed.headers['x-operation-id'])]) {
      await refused(() => bringBack(ada, id), { code: 'not_found' });
    }
  });
});

test('an item below something in the trash cannot be restored (T103)', async () => {
  const g = await makeGroup(ada, 'G');
  const child = await makeGroup(ada, 'Child', g);
  const entry = await putEntry(app.deps, g, 'Entry');
  const field = await putField(app.deps, entry, 'Field');
  const ofField = await trash(app.deps, ada, { groupId: g, field });
  const ofEntry = await trash(app.deps, ada, { groupId: g, entries: [entry] });
  const ofChild = await removeGroup(ada, child);
  const waits = {
    code: 'conflict',
    message: 'The group or entry that it was in is in the trash too. Restore that first.',
  };
  await refused(() => bringBack(ada, ofField), waits);
  const ofGroup = await removeGroup(ada, g);
  for (const operation of [ofField, ofEntry, ofChild]) await refused(() => bringBack(ada, operation), waits);
  for (const operation of [ofGroup, ofChild, ofEntry, ofField]) await bringBack(ada, operation);
  expect(await found('field')).toContain(entry);
});

test('two concurrent restores: one succeeds', async () => {
  const g = await makeGroup(ada, 'G');
  const operationId = await removeGroup(ada, g);
  const results = await Promise.allSettled([bringBack(ada, operationId), bringBack(ada, operationId)]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});
