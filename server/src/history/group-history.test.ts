/** The history of a group with filters, and with the child groups that the caller may read (docs/spec/api.md §3.6). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HistoryEvent } from '@passwordbroker/core/contract/entities';
import { history } from '@passwordbroker/core/contract/groups/entry-groups';
import type { QueryInput } from '@passwordbroker/core/contract/endpoint';
import { insertHistoryRow } from '../fields/reveal-repository.ts';
import { giveRole, makeGroup, putEntry, putField } from '../operations/testing/vault.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { putIntoTrash } from '../testing/trash.ts';

const DAY = 24 * 60 * 60 * 1000;

let app: TestApp;
let [ada, bob, out]: SignedIn[] = [];
/** Groups by what is special about them; each has the entry `in {name}` with one field. */
const at = { top: '', child: '', foreign: '', below: '', gone: '', sibling: '' };
let start: number;

async function fill(group: keyof typeof at): Promise<string> {
  const entry = await putEntry(app.deps, at[group], `in ${group}`);
  return putField(app.deps, entry, 'Root account');
}
const log = (field: string, who: SignedIn | undefined, event_type: HistoryEvent, day: number) =>
  app.deps.db.transact((tx) =>
    insertHistoryRow(tx, {
      field_edit_log_id: app.deps.newId(),
      field_id: field,
      event_type,
      rev: 1,
      user_id: who?.userId ?? null,
      created_at: start + day * DAY,
    }),
  );

beforeAll(async () => {
  app = await startTestApp();
  const people: SignedIn[] = [];
  for (const name of ['ada', 'bob', 'out']) people.push(await app.signUp(name));
  [ada, bob, out] = people;
  start = app.clock.now();
  at.top = await makeGroup(ada!, 'Top');
  at.child = await makeGroup(ada!, 'Child', at.top);
  at.foreign = await makeGroup(ada!, 'Foreign', at.child);
  at.below = await makeGroup(ada!, 'Below', at.foreign);
  at.gone = await makeGroup(ada!, 'Gone', at.top);
  at.sibling = await makeGroup(ada!, 'Sibling');
  for (const group of ['top', 'child', 'below', 'gone', 'sibling'] as const)
    await giveRole(app.deps, at[group], bob!.userId, 'member');
  const top = await fill('top');
  await log(top, ada, 'decrypted', 1);
  await log(top, bob, 'decrypted', 2);
  await log(top, bob, 'updated', 3);
  for (const group of ['child', 'foreign', 'below', 'gone', 'sibling'] as const) await fill(group);
  await putIntoTrash(app, 'entry_group', at.gone);
});
afterAll(() => app.stop());

const rows = (who: SignedIn | undefined, query: QueryInput<typeof history>) =>
  who!.call(history, { params: { g: at.top }, query });
/** 'user event' of each row, newest first. */
const told = async (query: QueryInput<typeof history>) =>
  (await rows(ada, query)).map(({ user, event_type }) => `${user?.name.split(' ')[0] ?? 'nobody'} ${event_type}`);
const day = (count: number) => new Date(start + count * DAY).toISOString();

test('without filters it has all rows of the group and of no other one', async () => {
  expect(await told({})).toEqual(['bob updated', 'bob decrypted', 'ada decrypted', 'nobody created']);
});

test.each([
  ['a person', () => ({ user_id: bob!.userId }), ['bob updated', 'bob decrypted']],
  ['an event', () => ({ event_type: 'decrypted' as const }), ['bob decrypted', 'ada decrypted']],
  ['a period, without its end', () => ({ from: day(1), to: day(3) }), ['bob decrypted', 'ada decrypted']],
  ['all of them', () => ({ user_id: ada!.userId, event_type: 'decrypted' as const, from: day(1) }), ['ada decrypted']],
  ['a person without rows', () => ({ user_id: out!.userId }), []],
])('filters by %s', async (_name, query, expected) => {
  expect(await told(query())).toEqual(expected);
});

test('the link to the next page keeps the filters', async () => {
  const path = `/passwordBroker/api/entryGroups/${at.top}/history?event_type=decrypted&limit=1`;
  const first = await ada!.request({ path });
  const next = /<([^>]+)>; rel="next"/.exec(String(first.headers['link']))?.[1] ?? '';
  expect(next).toContain('event_type=decrypted');
  const second = await ada!.request({ path: next });
  expect(second.json<{ user: { user_id: string } }[]>().map(({ user }) => user.user_id)).toEqual([ada!.userId]);
  expect(String(second.headers['link'])).not.toContain('rel="next"');
});

test('child groups are those outside the trash of which the caller is a member, at any depth', async () => {
  const groups = async (who: SignedIn | undefined) => {
    const all = await rows(who, { with_children: true, event_type: 'created' });
    return all.map(({ field }) => [field.entry.entry_group_id, field.entry.title]);
  };
  const told = (...of: (keyof typeof at)[]) => of.map((group) => [at[group], `in ${group}`]);
  expect(await groups(ada)).toEqual(told('below', 'foreign', 'child', 'top'));
  expect(await groups(bob)).toEqual(told('below', 'child', 'top'));
  expect(await rows(bob, { with_children: true, user_id: bob!.userId, limit: 1 })).toHaveLength(1);
});

test('a group with very many entries has its rows in the same order', async () => {
  const before = await ada!.call(history, { params: { g: at.sibling } });
  const row = { entry_group_id: at.sibling, title: 'one of many', created_by: null, trashed_by: null };
  const many = Array.from({ length: 1001 }, () => ({
    ...row,
    entry_id: app.deps.newId(),
    created_at: start,
    updated_at: start,
  }));
  await app.deps.db.transact((tx) => tx.insertInto('entries').values(many).execute());
  const field = await fill('sibling');
  await log(field, bob, 'decrypted', 1);
  const after = await ada!.call(history, { params: { g: at.sibling } });
  expect(after.map(({ event_type, field_id }) => [event_type, field_id])).toEqual([
    ['decrypted', field],
    ['created', field],
    ...before.map(({ event_type, field_id }) => [event_type, field_id]),
  ]);
  const asked = { params: { g: at.sibling }, query: { event_type: 'decrypted', user_id: bob!.userId } } as const;
  expect(await ada!.call(history, asked)).toHaveLength(1);
});

test('people without a role in the group get nothing, whatever they filter', async () => {
  for (const query of [{}, { with_children: true }])
    await expect(rows(out, query)).rejects.toMatchObject({ code: 'forbidden' });
});

test.each(['event_type=shown', 'user_id=bob', 'from=yesterday', 'with_children=perhaps'])(
  '%s is refused by the name of the filter',
  async (query) => {
    const answer = await ada!.request({ path: `/passwordBroker/api/entryGroups/${at.top}/history?${query}` });
    expect([answer.status, Object.keys(answer.json<{ errors: object }>().errors)]).toEqual([
      422,
      [query.split('=')[0]],
    ]);
  },
);
