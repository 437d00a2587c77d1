/**
 * Previews of operations: each preview equals what then happens (AC1), and reveals nothing that the single calls
 * refuse (AC2). Rights: `authorisation/matrix.test.ts`.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as entries from '@passwordbroker/core/contract/entries/entries';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { type Act, type Preview, preview, whoCanRead } from '@passwordbroker/core/contract/groups/access';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import * as members from '@passwordbroker/core/contract/groups/members';
import type { TreeNode } from '@passwordbroker/core/contract/entities';
import { ROLES } from '@passwordbroker/core/domain/policy';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { sharing, type Sharing } from '../members/testing/sharing.ts';
import { joinGroup } from '../testing/join-group.ts';
import { createEntryIn, createSealedPlace, sealedField, type SealedPlace } from '../testing/sealed-place.ts';
import { startTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';

const NAMES = ['ada', 'bob', 'eve', 'dan'] as const;

let app: TestApp;
let as: Sharing;
let people: readonly SignedIn[];
let ada: SignedIn;
let bob: SignedIn;
let eve: SignedIn;
let dan: SignedIn;

beforeAll(async () => {
  app = await startTestApp();
  as = sharing(app);
  const all: SignedIn[] = [];
  for (const name of NAMES) all.push(await app.signUp(name));
  people = all;
  [ada, bob, eve, dan] = all as [SignedIn, SignedIn, SignedIn, SignedIn];
});
afterAll(() => app.stop());

const ask = (act: Act, person = ada) => person.call(preview, { body: { act } });
const nameOf = (userId: string) => NAMES[people.findIndex((one) => one.userId === userId)] ?? '?';
const short = ({ gains, loses, changes, notes }: Preview) => ({
  gains: gains.map(({ user, to, entries: count }) => [user.name, to, count]),
  loses: loses.map(({ user, from, entries: count, known }) => [user.name, from, count, known]),
  changes: changes.map(({ user, from, to }) => [user.name, from, to]),
  notes,
});
const put = async (place: SealedPlace) => {
  const body = await sealedField(place, { type: 'note', title: 'note', value: utf8('value') });
  return (await ada.call(fields.create, { params: place, body })).field_id;
};

test('members: only where something changes, with what leavers have opened', async () => {
  const [first, second] = [
    await createSealedPlace(ada, { name: 'One' }),
    await createSealedPlace(ada, { name: 'Two' }),
  ];
  await createEntryIn(ada, second.g);
  await as.add(ada, first.g, bob, 'moderator');
  await as.add(ada, first.g, eve, 'admin');
  const opened = await put(first);
  await put(first);
  await bob.call(fields.envelope, { params: { ...first, f: opened } });
  const both = { entry_group_ids: [first.g, second.g] };

  const adding = await ask({ kind: 'add-user', ...both, user_ids: [bob.userId, dan.userId], role: 'member' });
  expect(short(adding)).toEqual({
    gains: [
      ['bob', 'member', 2],
      ['dan', 'member', 3],
    ],
    loses: [],
    changes: [],
    notes: [],
  });
  expect(adding.totals).toMatchObject({ gains: 2, loses: 0, entry_groups: 2, entries: 3, known: null });

  const removing = await ask({ kind: 'remove-user', ...both, user_ids: [ada.userId, bob.userId, eve.userId] });
  expect(short(removing).loses).toEqual([['bob', 'moderator', 1, 1]]);
  expect(removing.totals).toMatchObject({ loses: 1, entry_groups: 1, entries: 1, known: 1 });

  const role = { kind: 'change-role', role: 'member' } as const;
  expect(short(await ask({ ...role, ...both, user_ids: [bob.userId, eve.userId] })).changes).toEqual([
    ['bob', 'moderator', 'member'],
    ['eve', 'admin', 'member'],
  ]);
  expect((await ask({ ...role, ...both, user_ids: [ada.userId] })).notes).toEqual(['nobody_changes', 'last_admin']);
  await expect(
    ask({ kind: 'add-user', ...both, user_ids: [crypto.randomUUID()], role: 'member' }),
  ).rejects.toMatchObject({ code: 'validation' });
});

test('moving a group changes nobody’s access; new names are told, also of people whom the caller may not name', async () => {
  const root = await createSealedPlace(ada, { name: 'Customers' });
  const target = await createSealedPlace(ada, { name: 'North', parent: root.g });
  await as.add(ada, root.g, bob, 'member');
  const moved = await createSealedPlace(ada, { name: 'Moved' });
  await as.add(ada, moved.g, bob, 'member');
  await as.add(ada, moved.g, eve, 'moderator');
  const below = await createSealedPlace(eve, { name: 'Hers', parent: moved.g });
  await as.add(eve, below.g, dan, 'member');

  const said = await ask({ kind: 'move-group', entry_group_id: moved.g, target: target.g });
  expect(short(said)).toEqual({ gains: [], loses: [], changes: [], notes: ['nobody_changes', 'not_yours'] });
  expect(said.names.map(({ user, entry_groups }) => [user.name, entry_groups])).toEqual([
    ['bob', ['North']],
    ['eve', ['Customers', 'North']],
  ]);
  expect(said.totals.names).toBe(3);
  expect(JSON.stringify(said)).not.toContain(dan.userId);
  expect((await ask({ kind: 'move-group', entry_group_id: moved.g, target: undefined })).totals.names).toBe(0);
  const refused = await ask({ kind: 'delete-group', entry_group_id: moved.g });
  expect([refused.totals.loses, refused.notes]).toEqual([0, ['nobody_changes', 'not_yours']]);
});

test('moving entries: only an admin of their group is told what people have opened', async () => {
  const [from, to] = [await createSealedPlace(ada, { name: 'From' }), await createSealedPlace(ada, { name: 'To' })];
  await as.add(ada, from.g, bob, 'moderator');
  await as.add(ada, from.g, eve, 'member');
  await as.add(ada, to.g, bob, 'member');
  await as.add(ada, to.g, dan, 'member');
  await eve.call(fields.envelope, { params: { ...from, f: await put(from) } });
  const other = { ...from, e: await createEntryIn(ada, from.g) };
  await eve.call(fields.envelope, { params: { ...other, f: await put(other) } });
  const act = { kind: 'move-entries' as const, entry_group_id: from.g, entries: [from.e], target: to.g } satisfies Act;
  const expected = (known: number | null) => ({
    gains: [['dan', 'member', 1]],
    loses: [['eve', 'member', 1, known]],
    changes: [['bob', 'moderator', 'member']],
    notes: [],
  });
  expect(short(await ask(act))).toEqual(expected(1));
  await expect(ask(act, bob)).rejects.toMatchObject({ code: 'forbidden' });
  const own = await createSealedPlace(bob, { name: 'Of bob' });
  const his = await ask({ ...act, target: own.g }, bob);
  expect(his.loses.map(({ user, known }) => [user.name, known])).toEqual([
    ['ada', null],
    ['eve', null],
  ]);
  expect(his.totals.known).toBeNull();
});

/** A fixed sequence of pseudo-random numbers. */
function sequence(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

test('a random walk: what the preview says is what happens (AC1)', async () => {
  const chance = sequence(20_261_127);
  const of = <T>(all: readonly T[]): T => all[chance(all.length)] as T;
  const places: SealedPlace[] = [];
  for (const name of ['a', 'b', 'c', 'd']) {
    const parent = places.length > 0 && chance(2) === 0 ? { parent: of(places).g } : {};
    places.push(await createSealedPlace(ada, { name, ...parent }));
  }
  for (const place of places) {
    for (const person of people.slice(1)) {
      if (chance(2) === 0) await joinGroup(app, place.g, person, of(['moderator', 'member'] as const));
      await person.call(fields.envelope, { params: { ...place, f: await put(place) } }).catch(() => undefined);
    }
  }
  /** Roles by person and group: 'bob place'. */
  const access = async () => {
    const known = new Map<string, string>();
    for (const { g } of places) {
      const answer = await ada.call(whoCanRead, { params: { g } }).catch(() => ({ users: [] }));
      for (const { user, role } of answer.users) known.set(`${user.name} ${g}`, role);
    }
    return known;
  };
  const treeOf = async (person: SignedIn) => {
    const titles = new Set<string>();
    const walk = (nodes: readonly TreeNode[]) => nodes.forEach((node) => (titles.add(node.title), walk(node.children)));
    walk((await person.call(groups.tree)).trees);
    return titles;
  };
  const users = (rows: Preview['gains']) => rows.map(({ user }) => user.name).toSorted();

  for (let step = 0; step < 30; step += 1) {
    const [place, person, target] = [of(places), of(people.slice(1)), of(places)];
    const before = await access();
    const kind = of(['add-user', 'remove-user', 'change-role', 'move-group', 'move-entries'] as const);
    const role = of(ROLES.slice(1));
    const name = nameOf(person.userId);
    const is = (key: string, map = before) => map.get(key) ?? null;
    if (kind === 'move-group') {
      const trees = await Promise.all(people.map(treeOf));
      const said = await ask({ kind, entry_group_id: place.g, target: target.g });
      const { moved } = await ada.call(groups.move, { params: place, body: { entryGroupTarget: target.g } });
      const after = await Promise.all(people.map(treeOf));
      const seen = people.map((_, at) => [...(after[at] ?? [])].filter((title) => trees[at]?.has(title) !== true));
      const told = people.map(
        ({ userId }) => said.names.find(({ user }) => user.user_id === userId)?.entry_groups ?? [],
      );
      expect([step, moved, told.map((titles) => titles.toSorted())]).toEqual([
        step,
        moved,
        seen.map((titles) => titles.toSorted()),
      ]);
      expect(await access()).toEqual(before);
      continue;
    }
    if (kind === 'move-entries') {
      const e = await createEntryIn(ada, place.g);
      const f = await put({ ...place, e });
      await person.call(fields.envelope, { params: { g: place.g, e, f } }).catch(() => undefined);
      const said = await ask({ kind, entry_group_id: place.g, entries: [e], target: target.g });
      const gains = people.filter(
        (one) => is(`${nameOf(one.userId)} ${place.g}`) === null && is(`${nameOf(one.userId)} ${target.g}`) !== null,
      );
      const loses = people.filter(
        (one) => is(`${nameOf(one.userId)} ${place.g}`) !== null && is(`${nameOf(one.userId)} ${target.g}`) === null,
      );
      expect([users(said.gains), users(said.loses)]).toEqual([
        gains.map(({ userId }) => nameOf(userId)).toSorted(),
        loses.map(({ userId }) => nameOf(userId)).toSorted(),
      ]);
      for (const { user, known } of said.loses) expect(known).toBe(user.name === 'ada' || user.name === name ? 1 : 0);
      const body = { entries: [e], entryGroupTarget: target.g, master_password: ada.masterPassword };
      await ada.call(entries.moveMany, { params: { g: place.g }, body });
      continue;
    }
    const act = { entry_group_ids: places.map(({ g }) => g), user_ids: [person.userId] };
    const said = await ask(kind === 'remove-user' ? { kind, ...act } : { kind, ...act, role });
    const open = new Set<string>();
    for (const { g } of places) {
      const present = is(`${name} ${g}`);
      if (kind === 'add-user' && present === null) await as.add(ada, g, person, role);
      if (kind === 'change-role' && present !== null && present !== role) await as.add(ada, g, person, role);
      if (kind === 'remove-user' && present !== null) {
        await as.remove(ada, g, person);
        const { data } = await ada.call(members.formerMembers, { params: { g } });
        const d = data[0]?.departure_id ?? '';
        const { rows } = await ada.call(members.formerMember, { params: { g, d } });
        for (const { field, changed, trashed } of rows) if (!changed && !trashed) open.add(field.field_id);
      }
    }
    const after = await access();
    const differing = places.filter(({ g }) => is(`${name} ${g}`) !== is(`${name} ${g}`, after));
    const [change] = [...said.gains, ...said.loses, ...said.changes];
    expect([step, kind, change?.entry_groups ?? 0, said.totals.entry_groups]).toEqual([
      step,
      kind,
      differing.length,
      differing.length,
    ]);
    if (change === undefined) continue;
    expect(change.user.name).toBe(name);
    expect([change.from === null, change.to === null]).toEqual([kind === 'add-user', kind === 'remove-user']);
    if (kind === 'remove-user') expect(change.known).toBe(open.size);
  }

  const top = places.find(({ g }) => g === places[0]?.g) as SealedPlace;
  const said = await ask({ kind: 'delete-group', entry_group_id: top.g });
  const before = await access();
  await ada.call(groups.remove, { params: top });
  const after = await access();
  const lost = new Set([...before.keys()].filter((key) => !after.has(key)).map((key) => key.split(' ')[0]));
  expect(new Set(users(said.loses))).toEqual(lost);
});

test('deleting entries concerns all people of the group; restoring a group gives back what its deletion took', async () => {
  const top = await createSealedPlace(ada, { name: 'Ops' });
  const below = await createSealedPlace(ada, { name: 'Below', parent: top.g });
  await as.add(ada, top.g, bob, 'member');
  await as.add(ada, below.g, eve, 'moderator');
  expect(short(await ask({ kind: 'delete-entries', entry_group_id: top.g, entries: [top.e] })).loses).toEqual([
    ['ada', 'admin', 1, null],
    ['bob', 'member', 1, null],
  ]);
  const { operation_id } = await ada.call(groups.remove, { params: top });
  const said = await ask({ kind: 'restore-group', operation_id });
  expect(short(said).gains).toEqual([
    ['ada', 'admin', 2],
    ['bob', 'member', 1],
    ['eve', 'moderator', 1],
  ]);
  expect(said.totals).toMatchObject({ gains: 3, entry_groups: 2, entries: 2 });
  await expect(ask({ kind: 'restore-group', operation_id }, eve)).rejects.toMatchObject({ code: 'forbidden' });
});
