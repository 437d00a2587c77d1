import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { search } from '@passwordbroker/core/contract/entries/entries';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import { journal, restore, undo } from '@passwordbroker/core/contract/entries/operations';
import { sweep } from '../../system/housekeeping.ts';
import { startTestApp } from '../../testing/test-app.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { recordOperation } from '../journal.ts';
import { auditOf, everything, giveRole, makeGroup, putEntry, putField } from '../testing/vault.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  [ada, bob] = [await app.signUp('ada'), await app.signUp('bob')];
});
afterAll(() => app.stop());

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const DAYS = 30 * 24 * 60 * 60 * 1000;
const takeBack = (who: SignedIn, operationId: string) => who.call(undo, { params: { operationId } });
const groupRow = (id: string) =>
  app.deps.db.read.selectFrom('entry_groups').selectAll().where('entry_group_id', '=', id).executeTakeFirstOrThrow();
const entryRow = (id: string) =>
  app.deps.db.read.selectFrom('entries').selectAll().where('entry_id', '=', id).executeTakeFirstOrThrow();
const acting = async (who: SignedIn, method: 'PUT' | 'PATCH', g: string, json: object) => {
  const answer = await who.request({ method, path: `/passwordBroker/api/entryGroups/${g}`, json });
  expect(answer.status, answer.text).toBe(200);
  return String(answer.headers['x-operation-id']);
};
const renaming = (who: SignedIn, g: string, name: string) => acting(who, 'PUT', g, { name });
const moving = (who: SignedIn, g: string, target: string | null) =>
  acting(who, 'PATCH', g, { entryGroupTarget: target });
const removing = async (who: SignedIn, g: string) => (await who.call(groups.remove, { params: { g } })).operation_id;
async function refused(act: () => Promise<unknown>, problem: object): Promise<void> {
  const before = await everything(app.deps);
  await expect(act()).rejects.toMatchObject(problem);
  expect(await everything(app.deps)).toBe(before);
}
const CHANGED = { code: 'conflict', message: 'It was changed again in the meantime' };
const NO_RIGHT_THERE = { code: 'forbidden', message: "You don't have permission to move to that group" };
const isInJournal = async (who: SignedIn, operationId: string) =>
  (await who.call(journal)).data.some(({ operation_id }) => operation_id === operationId);

/** Renames an entry and records the operation as the call does. */
async function renamedEntry(g: string, to: string) {
  const entryId = await putEntry(app.deps, g, 'Before');
  const before = await entryRow(entryId);
  app.clock.advance(1000);
  const { operation_id } = await app.deps.db.transact(async (tx) => {
    const columns = { title: to, updated_at: app.clock.now() };
    await tx.updateTable('entries').set(columns).where('entry_id', '=', entryId).execute();
    return recordOperation(tx, app.deps, {
      kind: 'rename',
      actor: ada,
      target: { kind: 'entry', id: entryId, title: to, groupId: g },
      detail: { from: before.title, to, updated_at: before.updated_at },
      undoUntil: app.clock.now() + DAYS,
    });
  });
  return { entryId, before, operation_id };
}

describe('undoing a rename of a group', () => {
  test('restores its name and time, once', async () => {
    const g = await makeGroup(ada, 'Älter');
    const before = await groupRow(g);
    app.clock.advance(1000);
    const operationId = await renaming(ada, g, 'Newer');
    expect(await takeBack(ada, operationId)).toEqual({
      operation_id: operationId,
      kind: 'rename',
      counts: { entry_groups: 0, entries: 0, fields: 0 },
      undo_until: null,
    });
    expect(await groupRow(g)).toEqual(before);
    expect(await auditOf(app.deps, 'group_renamed', g)).toHaveLength(2);
    expect(await isInJournal(ada, operationId)).toBe(false);
    await refused(() => takeBack(ada, operationId), { code: 'not_found' });
  });

  test('is refused after another rename, and possible again after that is undone', async () => {
    const g = await makeGroup(ada, 'A');
    const [first, second] = [await renaming(ada, g, 'B'), await renaming(ada, g, 'C')];
    await refused(() => takeBack(ada, first), CHANGED);
    await takeBack(ada, second);
    await takeBack(ada, first);
    expect((await groupRow(g)).name).toBe('A');
  });

  test('is refused when later renames have led to the same name', async () => {
    const g = await makeGroup(ada, 'A');
    const first = await renaming(ada, g, 'B');
    await renaming(ada, g, 'C');
    await renaming(ada, g, 'B');
    await refused(() => takeBack(ada, first), CHANGED);
  });

  test('needs the same person, who is still admin, and a group outside the trash', async () => {
    const g = await makeGroup(ada, 'A');
    await giveRole(app.deps, g, bob.userId, 'admin');
    const operationId = await renaming(bob, g, 'B');
    await refused(() => takeBack(ada, operationId), { code: 'forbidden' });
    await giveRole(app.deps, g, bob.userId, 'moderator');
    await refused(() => takeBack(bob, operationId), { code: 'forbidden' });
    await giveRole(app.deps, g, bob.userId, 'admin');
    const removal = await removing(ada, g);
    await refused(() => takeBack(bob, operationId), { code: 'not_found' });
    await ada.call(restore, { params: { operationId: removal }, body: {} });
    await takeBack(bob, operationId);
  });

  test('twice at the same time happens once', async () => {
    const g = await makeGroup(ada, 'A');
    const operationId = await renaming(ada, g, 'B');
    const results = await Promise.allSettled([takeBack(ada, operationId), takeBack(ada, operationId)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await groupRow(g)).name).toBe('A');
  });
});

describe('undoing a rename of an entry', () => {
  test('restores its title and time, and updates search', async () => {
    const g = await makeGroup(ada, 'G');
    const { entryId, before, operation_id } = await renamedEntry(g, 'Afterwards');
    await takeBack(ada, operation_id);
    expect(await entryRow(entryId)).toEqual(before);
    const found = async (q: string) => (await ada.call(search, { query: { q } })).total;
    expect([await found('Afterwards'), await found('Before')]).toEqual([0, 1]);
    await refused(() => takeBack(ada, operation_id), { code: 'not_found' });
  });

  test('keeps a later time of update', async () => {
    const g = await makeGroup(ada, 'G');
    const { entryId, before, operation_id } = await renamedEntry(g, 'Renamed');
    app.clock.advance(1000);
    const updated_at = app.clock.now();
    await app.deps.db.transact((tx) =>
      tx.updateTable('entries').set({ updated_at }).where('entry_id', '=', entryId).execute(),
    );
    await takeBack(ada, operation_id);
    expect(await entryRow(entryId)).toEqual({ ...before, updated_at });
  });

  test('needs a moderator, and is refused after another rename', async () => {
    const g = await makeGroup(ada, 'G');
    const { entryId, operation_id } = await renamedEntry(g, 'Renamed');
    await giveRole(app.deps, g, ada.userId, 'member');
    await refused(() => takeBack(ada, operation_id), { code: 'forbidden' });
    await giveRole(app.deps, g, ada.userId, 'moderator');
    await refused(() => takeBack(bob, operation_id), { code: 'forbidden' });
    await app.deps.db.transact((tx) =>
      tx.updateTable('entries').set({ title: 'Again' }).where('entry_id', '=', entryId).execute(),
    );
    await refused(() => takeBack(ada, operation_id), CHANGED);
  });
});

describe('undoing a move of a group', () => {
  test('moves it back with everything below it', async () => {
    const [a, b] = [await makeGroup(ada, 'A'), await makeGroup(ada, 'B')];
    const moved = await makeGroup(ada, 'Moved', a);
    const below = await makeGroup(ada, 'Below', moved);
    const before = [await groupRow(moved), await groupRow(below)];
    const operationId = await moving(ada, moved, b);
    const toRoot = await moving(ada, moved, null);
    await refused(() => takeBack(ada, operationId), CHANGED);
    expect(await takeBack(ada, toRoot)).toMatchObject({ operation_id: toRoot, kind: 'move', undo_until: null });
    await takeBack(ada, operationId);
    expect([await groupRow(moved), await groupRow(below)]).toEqual(before);
    expect(await auditOf(app.deps, 'group_moved', moved)).toHaveLength(4);
    await refused(() => takeBack(ada, operationId), { code: 'not_found' });
  });

  test('needs the right on both sides, and a target outside the trash', async () => {
    const [a, b] = [await makeGroup(ada, 'A'), await makeGroup(ada, 'B')];
    const moved = await makeGroup(ada, 'Moved', a);
    const operationId = await moving(ada, moved, b);
    await giveRole(app.deps, a, ada.userId, 'moderator');
    await refused(() => takeBack(ada, operationId), NO_RIGHT_THERE);
    await giveRole(app.deps, a, ada.userId, 'admin');
    await giveRole(app.deps, moved, ada.userId, 'moderator');
    await refused(() => takeBack(ada, operationId), { code: 'forbidden' });
    await giveRole(app.deps, moved, ada.userId, 'admin');
    await refused(() => takeBack(bob, operationId), { code: 'forbidden' });
    await removing(ada, a);
    await refused(() => takeBack(ada, operationId), NO_RIGHT_THERE);
  });

  test('is refused if the former parent is now below the group', async () => {
    const [a, b] = [await makeGroup(ada, 'A'), await makeGroup(ada, 'B')];
    const moved = await makeGroup(ada, 'Moved', a);
    const operationId = await moving(ada, moved, b);
    await moving(ada, a, moved);
    await refused(() => takeBack(ada, operationId), CHANGED);
  });
});

describe('the journal', () => {
  test('lists what the caller can undo, newest first, in pages', async () => {
    const carol = await app.signUp('carol');
    const [a, b] = [await makeGroup(carol, 'A'), await makeGroup(carol, 'B')];
    const renamed = await renaming(carol, a, 'C');
    const moved = await moving(carol, a, b);
    await removing(carol, await makeGroup(carol, 'Gone'));
    const common = {
      counts: { entry_groups: 0, entries: 0, fields: 0 },
      undo_until: new Date(app.clock.now() + DAYS).toISOString(),
      target_kind: 'entry_group',
      target_id: a,
      target_ids: [a],
      title: 'C',
      created_at: new Date(app.clock.now()).toISOString(),
    };
    const rows = [
      { ...common, operation_id: moved, kind: 'move', from: null, to: b },
      { ...common, operation_id: renamed, kind: 'rename', from: 'A', to: 'C' },
    ];
    const page = { current_page: 1, last_page: 1, per_page: 20, total: 2 };
    expect(await carol.call(journal)).toEqual({ data: rows, ...page });
    expect(await carol.call(journal, { query: { page: 2, perPage: 1 } })).toEqual({
      data: rows.slice(1),
      current_page: 2,
      last_page: 2,
      per_page: 1,
      total: 2,
    });
    expect((await bob.call(journal)).data.map(({ operation_id }) => operation_id)).not.toContain(moved);
    app.clock.advance(DAYS);
    const later = await app.signIn(carol);
    expect(await later.call(journal)).toEqual({ data: [], ...page, total: 0 });
    await refused(() => takeBack(later, moved), { code: 'not_found' });
    for (const person of [ada, bob]) Object.assign(person, { cookies: (await app.signIn(person)).cookies });
  });
});

test('a deletion can be undone with the id of its operation (T103)', async () => {
  const g = await makeGroup(ada, 'G');
  await putField(app.deps, await putEntry(app.deps, g, 'Entry'), 'Field');
  const operationId = await removing(ada, g);
  expect(await takeBack(ada, operationId)).toMatchObject({
    kind: 'restore',
    counts: { entry_groups: 1, entries: 1, fields: 1 },
    undo_until: null,
  });
  await refused(() => takeBack(ada, operationId), { code: 'not_found' });
  await refused(() => takeBack(ada, UNKNOWN), { code: 'not_found' });
});

test('a restore from the trash cannot be undone', async () => {
  const g = await makeGroup(ada, 'G');
  const operationId = await removing(ada, g);
  const back = await ada.call(restore, { params: { operationId }, body: {} });
  await refused(() => takeBack(ada, back.operation_id), { code: 'not_found' });
});

test('operations that can no longer be undone are removed from the journal with their titles', async () => {
  const g = await makeGroup(ada, 'A');
  const undone = await renaming(ada, g, 'B');
  await takeBack(ada, undone);
  const open = await renaming(ada, g, 'C');
  const imported = await app.deps.db.transact((tx) =>
    recordOperation(tx, app.deps, {
      kind: 'import',
      actor: ada,
      target: { kind: 'entry_group', id: g, title: 'A', groupId: null },
      undoUntil: app.clock.now(),
    }),
  );
  const kept = async () => {
    const ids = [undone, open, imported.operation_id];
    const rows = await app.deps.db.read
      .selectFrom('operations')
      .select('operation_id')
      .where('operation_id', 'in', ids)
      .execute();
    return new Set(rows.map(({ operation_id }) => operation_id));
  };
  await sweep(app.deps);
  expect(await kept()).toEqual(new Set([open, imported.operation_id]));
  app.clock.advance(DAYS);
  await sweep(app.deps);
  // A repeated import gets its response from this row.
  expect(await kept()).toEqual(new Set([imported.operation_id]));
});
