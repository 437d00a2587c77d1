/**
 * People with very many groups are searched with another plan (`search-repository.ts`) and find the
 * same results.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { indexEntries } from '../db/text-search/search-index.ts';
import type { Tables } from '../db/schema/tables.ts';
import { NO_MARKS } from '../entries/mark-entry.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { search } from './search.ts';

/** Ada is in the first 120 of them, one of which is in the trash, and Bob in the first three. */
const GROUPS = 125;
const OWN = 120;
const TRASHED = 7;

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  [ada, bob] = [await app.signUp('ada'), await app.signUp('bob')];
  const now = app.clock.now();
  const groups = Array.from({ length: GROUPS }, (_, at) => groupRow(at, now));
  const entries = groups.map(({ entry_group_id }, at): Tables['entries'] => ({
    entry_id: crypto.randomUUID(),
    entry_group_id,
    title: at % 10 === 0 ? `Needle ${at}` : `Straw ${at}`,
    ...NO_MARKS,
    created_by: null,
    created_at: now + at,
    updated_at: now + at,
    trashed_by: null,
  }));
  const member = (userId: string, group: Tables['entry_groups']) => ({
    id: crypto.randomUUID(),
    entry_group_id: group.entry_group_id,
    user_id: userId,
    role: 'member' as const,
    created_at: now,
    updated_at: now,
  });
  await app.deps.db.transact(async (tx) => {
    await tx.insertInto('entry_groups').values(groups).execute();
    const members = [
      ...groups.slice(0, OWN).map((group) => member(ada.userId, group)),
      ...groups.slice(0, 3).map((group) => member(bob.userId, group)),
    ];
    await tx.insertInto('group_members').values(members).execute();
    await tx.insertInto('entries').values(entries).execute();
    await indexEntries(
      tx,
      entries.map(({ entry_id }) => entry_id),
    );
  });
});
afterAll(() => app.stop());

function groupRow(at: number, now: number): Tables['entry_groups'] {
  const entry_group_id = crypto.randomUUID();
  return {
    entry_group_id,
    parent_entry_group_id: null,
    materialized_path: entry_group_id,
    name: `Stack ${at}`,
    name_folded: `stack ${at}`,
    gk_version: 1,
    origin: 'client',
    rotation_due: 0,
    roster_seq: 0,
    created_by: null,
    created_at: now,
    updated_at: now,
    trashed_by: null,
  };
}

const titles = async (person: SignedIn, q: string, page = 1) => {
  const { data, total } = await search(app.deps, person.userId, { q, page, perPage: 100 });
  return { total, titles: data.map(({ title }) => title) };
};

test('all own results are found, newest first, and none of others', async () => {
  const own = Array.from({ length: 12 }, (_, at) => `Needle ${10 * (11 - at)}`);
  expect(await titles(ada, 'needle')).toEqual({ total: 12, titles: own });
  expect(await titles(bob, 'needle')).toEqual({ total: 1, titles: ['Needle 0'] });
  expect((await titles(ada, 'st')).total).toBe(OWN);
  expect(await titles(ada, 'straw 12')).toEqual({ total: 2, titles: ['Straw 12', 'Straw 112'] });
});

test('ranking and pages are the same as with few groups', async () => {
  const { titles: first } = await titles(ada, 'stack -needle');
  const second = await titles(ada, 'stack -needle', 2);
  expect([first.length, second.titles.length, second.total]).toEqual([100, 8, 108]);
  expect(new Set([...first, ...second.titles]).size).toBe(108);
  expect((await titles(ada, 'stack -needle', 3)).total).toBe(108);
});

test('entries of a group in the trash are not found', async () => {
  const { db } = app.deps;
  const operation_id = crypto.randomUUID();
  await db.transact(async (tx) => {
    const group = await tx
      .selectFrom('entry_groups')
      .select('entry_group_id')
      .where('name', '=', `Stack ${TRASHED}`)
      .executeTakeFirstOrThrow();
    await tx
      .insertInto('operations')
      .values({
        operation_id,
        kind: 'delete',
        user_id: null,
        target_kind: 'entry_group',
        target_id: group.entry_group_id,
        title: `Stack ${TRASHED}`,
        entry_group_id: null,
        detail: '{}',
        entry_groups: 1,
        entries: 1,
        fields: 0,
        created_at: 1,
        undo_until: null,
        undone_at: null,
      })
      .execute();
    await tx
      .updateTable('entry_groups')
      .set({ trashed_by: operation_id })
      .where('entry_group_id', '=', group.entry_group_id)
      .execute();
  });
  expect((await titles(ada, `straw ${TRASHED}`)).titles).not.toContain(`Straw ${TRASHED}`);
  expect((await titles(ada, 'st')).total).toBe(OWN - 1);
});
