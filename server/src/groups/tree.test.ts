/**
 * Compares each person's tree with one that is built from the tables in the simplest way, after
 * every change. `authorisation/random-walk.long.test.ts` does the same after every API call.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tree } from '@passwordbroker/core/contract/groups/entry-groups';
import { giveRole, makeGroup } from '../operations/testing/vault.ts';
import { startTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';
import { plainTrees } from './testing/plain-trees.ts';

const BASE = '/passwordBroker/api';
const PATH = `${BASE}/entryGroupsAsTree`;
let app: TestApp;
let ada: SignedIn;
let people: SignedIn[];
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  people = [ada, await app.signUp('bob'), await app.signUp('carol')];
});
afterAll(() => app.stop());

const treeOf = async (person: SignedIn) => (await person.request({ path: PATH })).json<{ trees: unknown }>().trees;

async function expectTrue(): Promise<void> {
  for (const person of people) expect(await treeOf(person)).toEqual(await plainTrees(app.deps, person.userId));
}

test('no groups give no trees', async () => {
  expect((await ada.request({ path: PATH })).text).toBe('{"trees":[]}');
});

test('the response matches the contract exactly', async () => {
  const g = await makeGroup(ada, 'Contract');
  const answer = await ada.request({ path: PATH });
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(answer.bytes.length),
    'cache-control': 'no-store',
  });
  expect(tree.answer.schema.parse(answer.json())).toEqual(answer.json());
  const [node] = answer.json<{ trees: object[] }>().trees;
  expect(node).toEqual({ entry_group_id: g, title: 'Contract', materialized_path: g, role: 'admin', children: [] });
});

test('the next response contains every change of a tree', async () => {
  const [, bob, carol] = people as [SignedIn, SignedIn, SignedIn];
  /** Returns the id of the operation, for undo and restore. */
  const act = async (method: string, path: string, json?: object) => {
    const answer = await ada.request({ method, path: `${BASE}${path}`, ...(json === undefined ? {} : { json }) });
    expect(answer.status, `${method} ${path} ${answer.text}`).toBeLessThan(300);
    await expectTrue();
    if (answer.status === 204) return '';
    return String(answer.headers['x-operation-id'] ?? answer.json<{ operation_id?: string }>().operation_id);
  };
  const group = async (name: string, parent: string | null = null) => {
    const g = await makeGroup(ada, name, parent);
    await expectTrue();
    return g;
  };
  const master_password = ada.masterPassword;
  const member = (role: string) => ({ target_user_id: bob.userId, role, master_password });

  const top = await group('Top 10');
  const middle = await group('Middle "1" \\ Ünï', top);
  const low = await group('Löw 日本', middle);
  const other = await group('top 9');
  await act('POST', `/entryGroups/${low}/users`, member('member'));
  await act('POST', `/entryGroups/${low}/users`, member('moderator'));
  // Bob is not a member of this group, but of one below it.
  await act('PUT', `/entryGroups/${top}`, { name: 'Ťop "renamed"' });
  await act('PUT', `/entryGroups/${middle}`, { name: 'Middle, renamed' });
  const moved = await act('PATCH', `/entryGroups/${middle}`, { entryGroupTarget: other });
  await act('POST', `/operations/${moved}/undo`, {});
  await act('PATCH', `/entryGroups/${low}`, {});
  await act('PATCH', `/entryGroups/${low}`, { entryGroupTarget: middle });
  const deleted = await act('DELETE', `/entryGroups/${top}`);
  await act('POST', `/trash/${deleted}/restore`, {});
  const again = await act('DELETE', `/entryGroups/${middle}`);
  await act('POST', `/operations/${again}/undo`, {});
  await act('DELETE', `/entryGroups/${low}/users/${bob.userId}`);
  const last = await act('DELETE', `/entryGroups/${other}`);
  await act('DELETE', `/trash/${last}`);
  // Written directly to the tables, as another process would.
  await giveRole(app.deps, low, carol.userId, 'member');
  await expectTrue();
  await giveRole(app.deps, top, carol.userId, 'admin');
  await expectTrue();
  await app.deps.db.transact((tx) =>
    tx.deleteFrom('group_members').where('entry_group_id', '=', low).where('user_id', '=', carol.userId).execute(),
  );
  await expectTrue();
});

test('more ancestors than one statement can look up', async () => {
  const [, , carol] = people as [SignedIn, SignedIn, SignedIn];
  const now = app.clock.now();
  const rows = Array.from({ length: 600 }, (_, at) => {
    const [parent, child] = [app.deps.newId(), app.deps.newId()];
    const row = (entry_group_id: string, above: string | null) => ({
      entry_group_id,
      parent_entry_group_id: above,
      materialized_path: above === null ? entry_group_id : `${above}.${entry_group_id}`,
      name: `Many ${at}`,
      name_folded: `many ${at}`,
      gk_version: 1,
      origin: 'server' as const,
      rotation_due: 0 as const,
      roster_seq: null,
      created_by: null,
      created_at: now,
      updated_at: now,
      trashed_by: null,
    });
    return [row(parent, null), row(child, parent)] as const;
  });
  const members = rows.map(([, { entry_group_id }]) => ({
    id: app.deps.newId(),
    entry_group_id,
    user_id: carol.userId,
    role: 'member' as const,
    created_at: now,
    updated_at: now,
  }));
  await app.deps.db.transact(async (tx) => {
    for (const half of [0, 1] as const)
      for (let at = 0; at < rows.length; at += 50)
        await tx
          .insertInto('entry_groups')
          .values(rows.slice(at, at + 50).map((pair) => pair[half]))
          .execute();
    for (let at = 0; at < members.length; at += 100)
      await tx
        .insertInto('group_members')
        .values(members.slice(at, at + 100))
        .execute();
  });
  await expectTrue();
});
