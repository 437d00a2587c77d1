/**
 * Objects of other groups, named in paths and bodies, by people with a role here, there, or in no
 * group (docs/spec/threats.md §4.2, 'Objects').
 */
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as entries from '@passwordbroker/core/contract/entries/entries';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import * as members from '@passwordbroker/core/contract/groups/members';
import * as offline from '@passwordbroker/core/contract/account/offline';
import * as operations from '@passwordbroker/core/contract/entries/operations';
import { BASE } from '@passwordbroker/core/contract/endpoint';
import { joinGroup } from '../testing/join-group.ts';
import type { TestAnswer } from '../testing/test-client.ts';
import { putIntoTrash } from '../testing/trash.ts';
import { changedTables, readStored } from './testing/stored.ts';
import { TABLE } from './testing/table.ts';
import { type World, startWorld } from './testing/world.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const NO_RIGHT = "You don't have permission to move to that group";
let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.app.stop());

const allGroups = async () =>
  (await world.app.deps.db.read.selectFrom('entry_groups').select('entry_group_id').limit(90).execute()).map(
    ({ entry_group_id }) => entry_group_id,
  );

const allEntries = async () =>
  (await world.app.deps.db.read.selectFrom('entries').select('entry_id').limit(90).execute()).map(
    ({ entry_id }) => entry_id,
  );
async function allEntriesAndFields(): Promise<string> {
  const { read } = world.app.deps.db;
  const rows = await read
    .selectFrom('fields')
    .select(['field_id', 'entry_id'])
    .where('title', 'like', 'canary%')
    .execute();
  return [...new Set(rows.flatMap(({ field_id, entry_id }) => [field_id, entry_id]))].join(',');
}

/** Runs calls that must not change anything and returns their results. */
async function unchanged<T>(calls: () => Promise<T>): Promise<T> {
  const before = await readStored(world.app.deps);
  const answers = await calls();
  expect(changedTables(before, await readStored(world.app.deps))).toEqual([]);
  return answers;
}
const problem = (answer: TestAnswer) => [answer.status, answer.json()['code']];

test('people and departures of another group are not found in this one, for every caller (T31)', async () => {
  const { people, as } = world;
  const other = await world.groupLikeG();
  await as.remove(people.Ad, other.g, people.Me);
  const page = await people.Ad.call(members.formerMembers, { params: { g: other.g } });
  const d = page.data[0]?.departure_id ?? '';
  const { g } = world.g;
  const calls = [
    ['GET', `${BASE}/entryGroups/${g}/departures/${d}`],
    ['GET', `${BASE}/entryGroups/${other.g}/users/${people.Me.userId}/opened`],
    ['DELETE', `${BASE}/entryGroups/${other.g}/users/${people.Me.userId}`],
    ['DELETE', `${BASE}/entryGroups/${g}/users/${world.target.userId}`],
  ] as const;
  await unchanged(async () => {
    for (const [method, path] of calls) {
      expect([path, ...problem(await people.Ad.request({ method, path }))]).toEqual([path, 404, 'not_found']);
      for (const person of [people.Mo, people.Me, people.Gu, people.Ou, people.SA]) {
        expect([path, ...problem(await person.request({ method, path }))]).toEqual([path, 403, 'forbidden']);
      }
    }
  });
});

test('an application is accessible to its owner only, not to site admins or group admins (T47)', async () => {
  const { people } = world;
  const { userApplication } = await people.Me.call(offline.openApplication, { body: { clientId: v7() } });
  const path = `/identity/api/userApplication/${userApplication.user_application_id}`;
  const calls = [
    { method: 'GET', path },
    { method: 'DELETE', path },
    { method: 'GET', path: `${path}/offlineDatabaseMode` },
    { method: 'PUT', path: `${path}/offlineDatabaseMode`, json: { status: true } },
    { method: 'GET', path: `${path}/isRsaPrivateRequiredUpdate` },
    { method: 'GET', path: `${path}/isOfflineDatabaseRequiredUpdate` },
  ] as const;
  await unchanged(async () => {
    for (const call of calls) {
      for (const person of [people.Ad, people.Mo, people.Ou, people.SA])
        expect([call, ...problem(await person.request(call))]).toEqual([call, 403, 'forbidden']);
    }
  });
  expect((await people.Me.request({ method: 'GET', path })).json()).toEqual({ userApplication });
});

describe('entries in bodies', () => {
  test('foreign, unknown and trashed entries get the same error, and nothing moves or is deleted (T34)', async () => {
    const { g, home, people, app } = world;
    const [here, gone] = [await world.entryOf(g.g), await world.entryOf(g.g)];
    await putIntoTrash(app, 'entry', gone);
    const chosen = { entries: [here, home.e, UNKNOWN, gone] };
    const text = ['The entry does not belong to this entry group.'];
    const to = { entryGroupTarget: home.g };
    const bodies = [
      ['delete', chosen],
      ['move', { ...chosen, ...to, master_password: people.Mo.masterPassword }],
    ] as const;
    await unchanged(async () => {
      for (const [act, json] of bodies) {
        const path = `${BASE}/entryGroups/${g.g}/entries/bulkEdit/${act}`;
        const answer = await people.Mo.request({ path, json });
        expect([act, answer.status, answer.json()['errors']]).toEqual([
          act,
          422,
          { 'entries.1': text, 'entries.2': text, 'entries.3': text },
        ]);
      }
    });
  });

  test('moves need a moderator in the target, and an admin for groups (T35, T36)', async () => {
    const { g, people, app } = world;
    const target = await world.groupOf(world.ad2, 'admin');
    await joinGroup(app, target, people.Mo, 'member');
    await joinGroup(app, target, people.Ad, 'moderator');
    const master = { master_password: people.Mo.masterPassword };
    const e = await world.entryOf(g.g);
    await unchanged(async () => {
      const many = await people.Mo.request({
        path: `${BASE}/entryGroups/${g.g}/entries/bulkEdit/move`,
        json: { entries: [e], entryGroupTarget: target, ...master },
      });
      const one = await people.Mo.request({
        method: 'PATCH',
        path: `${BASE}/entryGroups/${g.g}/entries/${e}`,
        json: { entryGroupTarget: target, ...master },
      });
      const group = await people.Ad.request({
        method: 'PATCH',
        path: `${BASE}/entryGroups/${g.g}`,
        json: { entryGroupTarget: target },
      });
      for (const answer of [many, one, group]) {
        expect([answer.status, answer.json()['message']]).toEqual([403, NO_RIGHT]);
      }
    });
  });
});

test('groups whose ids differ in their last character are not confused (T36)', async () => {
  const { Ad } = world.people;
  const id = (last: number) => `aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaa${last}`;
  for (const last of [1, 2]) await Ad.call(groups.create, { body: { name: 'Twin', entry_group_id: id(last) } });
  const child = { name: 'Child', entry_group_id: id(3), parent_entry_group_id: id(1) };
  await Ad.call(groups.create, { body: child });
  const move = (g: string, entryGroupTarget: string) =>
    Ad.call(groups.move, { params: { g }, body: { entryGroupTarget } });
  expect(await move(id(2), id(3))).toMatchObject({ moved: true });
  expect(await move(id(1), id(2))).toMatchObject({ moved: false });
  expect(await move(id(2), id(1))).toMatchObject({ moved: true });
  await Ad.call(groups.remove, { params: { g: id(2) } });
  expect((await Ad.call(groups.get, { params: { g: id(3) } })).entryGroup.materialized_path).toBe(`${id(1)}.${id(3)}`);
});

test('a site admin without a role is refused every call in a group (T44)', async () => {
  const { SA } = world.people;
  const inGroup = TABLE.filter(({ path }) => path.includes('/entryGroups/:g'));
  expect(inGroup.length).toBeGreaterThan(40);
  await unchanged(async () => {
    for (const { name, method, path } of inGroup) {
      const ids: Readonly<Record<string, string>> = {
        ...world.secret,
        u: world.people.Me.userId,
        d: UNKNOWN,
        t: UNKNOWN,
      };
      const filled = path.replaceAll(/:(\w+)/g, (_, param: string) => ids[param] ?? '');
      const answer = await SA.request({ method, path: filled, ...(method === 'GET' ? {} : { json: {} }) });
      expect([name, ...problem(answer)]).toEqual([name, 403, 'forbidden']);
    }
  });
});

test('raw bodies of tree, lists and search contain nothing foreign; a guest node has only its five members (T45)', async () => {
  // Calls with ids of all groups return the caller's groups only.
  const ids = [world.home.g, world.g.g, ...(await allGroups())].join(',');
  const paths = [
    'entryGroupsAsTree',
    'entryGroups',
    'entryGroupsWithFields',
    'entrySearch?q=canary',
    'trash',
    'operations',
    'departures',
    `groupUsers?entry_group_ids=${ids}`,
    `rosters?entry_group_ids=${ids}`,
    `entries?entry_ids=${(await allEntries()).join(',')}`,
    `names?ids=${await allEntriesAndFields()}`,
    `names?ids=${ids}`,
  ];
  for (const caller of world.callers.filter(({ isSignedIn }) => isSignedIn)) {
    for (const path of paths) {
      const answer = await caller.send({ path: `${BASE}/${path}` });
      const isWay = caller.actor === 'Gu' && /^entryGroups(AsTree|WithFields)$/.test(path);
      const foreign = world.foreignTo(caller.actor).filter((text) => !isWay || !world.way.includes(text));
      // A service account may not make every call.
      expect(answer.status).toBe(caller.actor === 'Sv' && answer.status === 403 ? 403 : 200);
      expect([caller.name, path, foreign.filter((text) => answer.text.includes(text))]).toEqual([
        caller.name,
        path,
        [],
      ]);
    }
  }
  const { trees } = await world.people.Gu.call(groups.tree, {});
  const [home] = trees.filter(({ entry_group_id }) => entry_group_id === world.home.g);
  const path = `${world.home.g}.${world.g.g}`;
  expect(home).toEqual({
    entry_group_id: world.home.g,
    title: 'canary of home',
    materialized_path: world.home.g,
    role: 'guest',
    children: expect.arrayContaining([
      {
        entry_group_id: world.g.g,
        title: 'canary of g',
        materialized_path: path,
        role: 'guest',
        children: [expect.objectContaining({ title: 'plain', role: 'admin' })],
      },
    ]),
  });
});

test('no list contains trashed items, for any person (T101)', async () => {
  const { app, people } = world;
  const group = await world.groupLikeG();
  const [entry, field] = [await world.entryOf(world.g.g), await world.freshField()];
  await people.Ad.call(groups.remove, { params: { g: group.g } });
  await putIntoTrash(app, 'entry', entry);
  await putIntoTrash(app, 'field', field.f);
  const { g, e } = field;
  const base = `${BASE}/entryGroups`;
  const lists = ['AsTree', 'WithFields', '', `/${g}/entries`, `/${g}/entries/${e}/fields`, `/${g}/history`].map(
    (end) => base + end,
  );
  const named = `${BASE}/entries?entry_ids=${[group.e, entry, e].join(',')}`;
  const finds = [`${BASE}/entrySearch?q=entry&perPage=100`, `${BASE}/entrySearch?q=field&perPage=100`, named];
  for (const person of [people.Me, people.Mo, people.Ad]) {
    for (const path of [...lists, ...finds]) {
      const { status, text } = await person.request({ path });
      expect([path, status]).toEqual([path, 200]);
      for (const id of [group.g, group.e, entry, field.f]) expect([path, text.includes(id)]).toEqual([path, false]);
    }
  }
  expect((await people.Me.call(operations.trash, {})).total).toBe(0);
});

test('lists contain no ciphertext; one envelope adds one history row and one event; a refusal adds neither (T109)', async () => {
  const { app, people, secret } = world;
  const { read } = app.deps.db;
  const row = await read
    .selectFrom('field_revisions')
    .select(['value', 'cek_wrapped'])
    .where('field_id', '=', secret.f)
    .executeTakeFirstOrThrow();
  const ciphertext = [row.value, row.cek_wrapped].map((bytes) => bytes.toString('base64').slice(0, 40));
  const witnesses = async () => ({
    history: (await people.Ad.call(fields.history, { params: secret })).filter(
      ({ event_type }) => event_type === 'decrypted',
    ),
    audit: await read
      .selectFrom('audit_log')
      .select('user_id')
      .where('event_type', '=', 'field_revealed')
      .where('target_id', '=', secret.f)
      .execute(),
  });
  const ids: Readonly<Record<string, string>> = { ...secret };
  const reads = TABLE.filter(
    ({ method, path }) => method === 'GET' && path.includes(':g') && !/envelope|file|rotate|:u|:d/.test(path),
  );
  for (const { name, path } of [...reads, { name: 'search', path: `${BASE}/entrySearch?q=canary` }]) {
    const answer = await people.Ad.request({
      path: path.replaceAll(/:(\w+)/g, (_, param: string) => ids[param] ?? ''),
    });
    expect([name, answer.status]).toEqual([name, 200]);
    expect([name, ciphertext.some((text) => answer.text.includes(text))]).toEqual([name, false]);
  }
  const before = await witnesses();
  const opened = await people.Me.call(fields.envelope, { params: secret });
  expect(opened.encrypted_value_base64).toContain(ciphertext[0]);
  const after = await witnesses();
  expect(after.history.length).toBe(before.history.length + 1);
  expect(after.history[0]).toMatchObject({ rev: 1, user: { user_id: people.Me.userId } });
  expect(after.audit.length).toBe(before.audit.length + 1);
  expect(after.audit.at(-1)).toEqual({ user_id: people.Me.userId });
  await expect(people.Ou.call(fields.envelope, { params: secret })).rejects.toMatchObject({ code: 'forbidden' });
  const lost = { ...secret, e: world.home.e };
  await expect(people.Me.call(fields.envelope, { params: lost })).rejects.toMatchObject({ code: 'not_found' });
  expect(await witnesses()).toEqual(after);
});

test('a moved entry is no longer in its former group (T114)', async () => {
  const { people, g, home } = world;
  const e = await world.entryOf(g.g);
  const body = { entries: [e], entryGroupTarget: home.g, master_password: people.Ad.masterPassword };
  await people.Ad.call(entries.moveMany, { params: { g: g.g }, body });
  const listed = async (place: string) =>
    (await people.Ad.call(entries.listAll, { params: { g: place } })).some(({ entry_id }) => entry_id === e);
  expect([await listed(g.g), await listed(home.g)]).toEqual([false, true]);
});
