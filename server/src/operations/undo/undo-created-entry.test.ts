/** A new entry and the fields that followed are one operation, undone as one (ADR 7). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { v7 } from 'uuid';
import * as entries from '@passwordbroker/core/contract/entries/entries';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { journal, restore, undo } from '@passwordbroker/core/contract/entries/operations';
import { joinGroup } from '../../testing/join-group.ts';
import { createSealedPlace, sealedField, type SealedPlace } from '../../testing/sealed-place.ts';
import { startTestApp, type SignedIn, type TestApp } from '../../testing/test-app.ts';
import { callWithProof } from '../../testing/test-proof.ts';
import { sweep } from '../../system/housekeeping.ts';
import { auditOf, everything, giveRole, makeGroup } from '../testing/vault.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let place: SealedPlace;
beforeAll(async () => {
  app = await startTestApp();
  [ada, bob] = [await app.signUp('ada'), await app.signUp('bob')];
});
beforeEach(async () => {
  place = await createSealedPlace(ada);
  await joinGroup(app, place.g, bob, 'moderator');
});
afterAll(() => app.stop());

const HOUR = 60 * 60 * 1000;
const CHANGED = { code: 'conflict', message: 'It was changed again in the meantime' };
const takeBack = (who: SignedIn, operationId: string) => who.call(undo, { params: { operationId } });
const pathOf = (g: string) => `/passwordBroker/api/entryGroups/${g}/entries`;
const post = (who: SignedIn, json: object) => who.request({ path: pathOf(place.g), json });
const trashOf = (entryId: string) =>
  app.deps.db.read.selectFrom('entries').select('trashed_by').where('entry_id', '=', entryId).executeTakeFirst();

async function create(who: SignedIn = ada, title = 'Ledger') {
  const answer = await post(who, { title });
  expect(answer.status, answer.text).toBe(201);
  return {
    entryId: answer.json<{ entry_id: string }>().entry_id,
    operationId: String(answer.headers['x-operation-id']),
  };
}

async function addField(who: SignedIn, entryId: string): Promise<string> {
  const body = await sealedField({ ...place, e: entryId });
  await who.call(fields.create, { params: { g: place.g, e: entryId }, body });
  return body.field_id;
}

async function refused(act: () => Promise<unknown>, problem: object): Promise<void> {
  const before = await everything(app.deps);
  await expect(act()).rejects.toMatchObject(problem);
  expect(await everything(app.deps)).toBe(before);
}

test('undo puts the entry with all its fields into the trash, once, and a restore brings them back', async () => {
  const { entryId, operationId } = await create();
  for (let at = 0; at < 3; at += 1) await addField(ada, entryId);
  const [row] = (await ada.call(journal)).data;
  expect(row).toMatchObject({
    operation_id: operationId,
    kind: 'create',
    target_kind: 'entry',
    target_id: entryId,
    target_ids: [entryId],
    title: 'Ledger',
    from: null,
    to: null,
    undo_until: new Date(app.clock.now() + 24 * HOUR).toISOString(),
  });
  const undone = await takeBack(ada, operationId);
  expect(undone).toMatchObject({ kind: 'delete', counts: { entry_groups: 0, entries: 1, fields: 3 } });
  expect(await trashOf(entryId)).toEqual({ trashed_by: undone.operation_id });
  expect((await ada.call(entries.search, { query: { q: 'Ledger' } })).total).toBe(0);
  const [event] = await auditOf(app.deps, 'entry_deleted', entryId);
  expect(event?.details).toContain(operationId);
  await refused(() => takeBack(ada, operationId), { code: 'not_found' });
  await ada.call(restore, { params: { operationId: undone.operation_id }, body: {} });
  expect(await ada.call(fields.listAll, { params: { g: place.g, e: entryId } })).toHaveLength(3);
  await refused(() => takeBack(ada, operationId), { code: 'not_found' });
});

test('a field that arrives after the undo is refused: nothing is left behind', async () => {
  const { entryId, operationId } = await create();
  await addField(ada, entryId);
  await takeBack(ada, operationId);
  await refused(() => addField(ada, entryId), { code: 'not_found' });
});

test('undo and a field at the same time leave no field outside the trash', async () => {
  const { entryId, operationId } = await create();
  await Promise.allSettled([addField(ada, entryId), takeBack(ada, operationId), addField(ada, entryId)]);
  const left = await app.deps.db.read
    .selectFrom('fields')
    .select('field_id')
    .where('entry_id', '=', entryId)
    .where('trashed_by', 'is', null)
    .execute();
  expect([(await trashOf(entryId))?.trashed_by === null, left]).toEqual([false, []]);
});

test('a repeated request names the same operation and makes no second one', async () => {
  const json = { title: 'Once', entry_id: v7() };
  const [first, again] = [await post(ada, json), await post(ada, json)];
  expect([first.status, again.status]).toEqual([201, 200]);
  expect(again.headers['x-operation-id']).toBe(first.headers['x-operation-id']);
  const own = (await ada.call(journal, { query: { perPage: 100 } })).data.filter(
    (row) => row.target_id === json.entry_id,
  );
  expect(own).toHaveLength(1);
});

test('a refused request names no operation', async () => {
  for (const json of [{ title: '' }, { title: 'x'.repeat(256) }, { title: 'x', entry_id: place.e }]) {
    const answer = await post(ada, json);
    expect([answer.status >= 400, answer.headers['x-operation-id']]).toEqual([true, undefined]);
  }
});

test('another person cannot undo it, not even an admin of the group', async () => {
  const { operationId } = await create(bob);
  await refused(() => takeBack(ada, operationId), { code: 'forbidden' });
  expect((await ada.call(journal)).data.map((row) => row.operation_id)).not.toContain(operationId);
});

test('it needs the role of now', async () => {
  const { operationId } = await create(bob);
  await giveRole(app.deps, place.g, bob.userId, 'member');
  await refused(() => takeBack(bob, operationId), { code: 'forbidden' });
  await app.deps.db.transact((tx) =>
    tx.deleteFrom('group_members').where('entry_group_id', '=', place.g).where('user_id', '=', bob.userId).execute(),
  );
  await refused(() => takeBack(bob, operationId), { code: 'forbidden' });
});

test.each<[string, (entryId: string) => Promise<unknown>]>([
  ['added a field', (entryId) => addField(bob, entryId)],
  [
    'renamed it',
    (entryId) => bob.call(entries.rename, { params: { g: place.g, e: entryId }, body: { title: 'Bob’s' } }),
  ],
  ['tagged it', (entryId) => bob.call(entries.mark, { params: { g: place.g, e: entryId }, body: { tags: ['Bob’s'] } })],
  [
    'deleted a field',
    async (entryId) => {
      const params = { g: place.g, e: entryId, f: await addField(ada, entryId) };
      await callWithProof(app, bob, fields.remove, { params, body: {} });
    },
  ],
])('it is refused after somebody else has %s', async (_, change) => {
  const { entryId, operationId } = await create();
  await change(entryId);
  await refused(() => takeBack(ada, operationId), CHANGED);
  expect(await trashOf(entryId)).toEqual({ trashed_by: null });
});

test('an entry that was moved or deleted since stays as it is', async () => {
  const moved = await create();
  const other = await makeGroup(ada, 'Other');
  await app.deps.db.transact((tx) =>
    tx.updateTable('entries').set({ entry_group_id: other }).where('entry_id', '=', moved.entryId).execute(),
  );
  await refused(() => takeBack(ada, moved.operationId), CHANGED);
  const deleted = await create();
  await ada.call(entries.remove, { params: { g: place.g, e: deleted.entryId } });
  await refused(() => takeBack(ada, deleted.operationId), { code: 'not_found' });
  expect((await ada.call(journal)).data.map((row) => row.operation_id)).not.toContain(deleted.operationId);
});

test('it ends after a day, and its title is removed then', async () => {
  const { operationId } = await create(ada, 'Short-lived');
  app.clock.advance(24 * HOUR);
  const later = await app.signIn(ada);
  await refused(() => takeBack(later, operationId), { code: 'not_found' });
  await sweep(app.deps);
  const kept = app.deps.db.read.selectFrom('operations').select('title').where('operation_id', '=', operationId);
  expect(await kept.execute()).toEqual([]);
  for (const person of [ada, bob]) Object.assign(person, { cookies: (await app.signIn(person)).cookies });
});
