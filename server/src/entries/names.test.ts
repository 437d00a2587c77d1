/** Names by id (docs/spec/api.md §3.10): members read them; in the trash, those who may restore. */
import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as entries from '@passwordbroker/core/contract/entries/entries';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { giveRole, makeGroup, putEntry, putField } from '../operations/testing/vault.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { putIntoTrash } from '../testing/trash.ts';

let app: TestApp;
let [ada, moe, mia, out]: SignedIn[] = [];
beforeAll(async () => {
  app = await startTestApp();
  const people: SignedIn[] = [];
  for (const name of ['ada', 'moe', 'mia', 'out']) people.push(await app.signUp(name));
  [ada, moe, mia, out] = people;
});
afterAll(() => app.stop());

async function placeOfAll() {
  const g = await makeGroup(ada!, 'Ops');
  await giveRole(app.deps, g, moe!.userId, 'moderator');
  await giveRole(app.deps, g, mia!.userId, 'member');
  const e = await putEntry(app.deps, g, 'Search cluster');
  return { g, e, f: await putField(app.deps, e, 'Root account') };
}
const names = async (person: SignedIn | undefined, ids: readonly string[]) =>
  (await person!.call(entries.names, { query: { ids: [...ids] } })).map(({ kind, title }) => `${kind} ${title}`).sort();

test('a member reads the names of a group, an entry and a field with their place; an outsider reads none', async () => {
  const { g, e, f } = await placeOfAll();
  const [field] = await mia!.call(entries.names, { query: { ids: [f] } });
  expect(field).toEqual({
    id: f,
    kind: 'field',
    title: 'Root account',
    entry: { entry_id: e, title: 'Search cluster' },
    entry_group: { entry_group_id: g, name: 'Ops' },
  });
  const all = ['entry Search cluster', 'entry_group Ops', 'field Root account'];
  for (const person of [ada, moe, mia]) expect(await names(person, [g, e, f, v7()])).toEqual(all);
  expect(await names(out, [g, e, f])).toEqual([]);
});

test('people are named for everybody who is signed in', async () => {
  expect(await names(out, [ada!.userId])).toEqual([expect.stringMatching(/^user /)]);
});

test.each([
  [
    'field',
    { ada: ['entry', 'entry_group', 'field'], moe: ['entry', 'entry_group', 'field'], mia: ['entry', 'entry_group'] },
  ],
  ['entry', { ada: ['entry', 'entry_group', 'field'], moe: ['entry', 'entry_group', 'field'], mia: ['entry_group'] }],
  ['entry_group', { ada: ['entry_group'], moe: [], mia: [] }],
] as const)('with the %s in the trash its names are left to those who may restore it', async (kind, expected) => {
  const { g, e, f } = await placeOfAll();
  await putIntoTrash(app, kind, { field: f, entry: e, entry_group: g }[kind]);
  const kinds = async (person: SignedIn | undefined) =>
    (await names(person, [g, e, f])).map((name) => name.split(' ')[0]);
  expect({ ada: await kinds(ada), moe: await kinds(moe), mia: await kinds(mia) }).toEqual(expected);
  expect(await names(out, [g, e, f])).toEqual([]);
});

test.each([
  ['no ids', ''],
  ['too many ids', Array.from({ length: LIMITS.namesAtOnce + 1 }, () => v7()).join(',')],
  ['what is no id', `${v7()},' or 1=1 --`],
])('%s are refused', async (_name, ids) => {
  const answer = await ada!.request({
    path: `/passwordBroker/api/names?${new URLSearchParams({ ids }).toString()}`,
  });
  expect([answer.status, Object.keys(answer.json<{ errors: object }>().errors)[0]]).toEqual([
    422,
    expect.stringMatching(/^ids/),
  ]);
});
