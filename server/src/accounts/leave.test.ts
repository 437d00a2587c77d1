import { afterEach, beforeEach, expect, test } from 'vitest';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import * as people from '@passwordbroker/core/contract/users/people';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { keyBundle } from '@passwordbroker/core/contract/users/users';
import * as session from '@passwordbroker/core/contract/account/session';
import { joinGroup } from '../testing/join-group.ts';
import { createSealedPlace, sealedField } from '../testing/sealed-place.ts';
import type { SealedPlace } from '../testing/sealed-place.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { MINUTE } from '../testing/test-clock.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let carol: SignedIn;
/** Groups of Bob's: without others, with Carol as a member, and with Carol as an admin. */
let own: SealedPlace;
let team: SealedPlace;
let led: SealedPlace;
beforeEach(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  bob = await app.signUp('bob');
  carol = await app.signUp('carol');
  own = await createSealedPlace(bob, { name: 'Own' });
  team = await createSealedPlace(bob, { name: 'Team' });
  led = await createSealedPlace(bob, { name: 'Led' });
  await joinGroup(app, team.g, carol, 'member');
  await joinGroup(app, led.g, carol, 'admin');
});
afterEach(() => app.stop());

const remove = (confirm_groups?: readonly string[], of = bob.userId) =>
  ada.call(people.remove, { params: { id: of }, body: { confirm_groups } });
const reset = (confirm_groups?: readonly string[], of = bob.userId) =>
  ada.call(people.resetKeys, { params: { id: of }, body: { confirm_groups } });
const isIn = async (client: SignedIn) => (await client.call(session.me)).message === 'loggedIn';
const read = () => app.deps.db.read;
const events = async () =>
  (await read().selectFrom('audit_log').select('event_type').where('user_id', '=', ada.userId).execute()).map(
    ({ event_type }) => event_type,
  );
const count = async (
  table: 'group_members' | 'group_grants' | 'user_key_slots' | 'user_keysets' | 'sessions',
  userId: string,
) => (await read().selectFrom(table).selectAll().where('user_id', '=', userId).execute()).length;

const conflict = () => ({
  code: 'conflict',
  message: 'This person is the only admin of 2 groups.',
  details: {
    groups: [
      { entry_group_id: own.g, name: 'Own', members: 1 },
      { entry_group_id: team.g, name: 'Team', members: 2 },
    ],
  },
});

test('a deletion first lists the groups without another admin, and changes nothing until they are confirmed', async () => {
  for (const confirmed of [undefined, [], [own.g], [own.g, team.g, led.g], [own.g, led.g]]) {
    await expect(remove(confirmed)).rejects.toMatchObject(conflict());
  }
  expect(await isIn(bob)).toBe(true);
  expect(await count('group_members', bob.userId)).toBe(3);
  expect(await events()).not.toContain('user_deleted');
});

test('a deleted account loses its keys; its groups stay for other members or go to the trash (T12)', async () => {
  const body = await sealedField(team);
  const created = await bob.call(fields.create, { params: team, body });
  expect(created.created_by?.name).toBe('bob');
  await remove([team.g, own.g]);
  expect(await isIn(bob)).toBe(false);
  expect((await bob.request({ path: '/identity/api/keyBundle' })).status).toBe(401);
  for (const table of ['group_members', 'group_grants', 'user_key_slots', 'user_keysets', 'sessions'] as const) {
    expect([table, await count(table, bob.userId)]).toEqual([table, 0]);
  }
  await expect(ada.call(people.get, { params: { id: bob.userId } })).rejects.toMatchObject({ code: 'not_found' });
  // His own group is in the trash; the others stay, need a new key, and the history has no name for
  // him.
  const rows = await read()
    .selectFrom('entry_groups')
    .select(['entry_group_id', 'trashed_by', 'rotation_due'])
    .execute();
  const states = new Map(rows.map((row) => [row.entry_group_id, [row.trashed_by !== null, row.rotation_due]]));
  expect([states.get(own.g), states.get(team.g), states.get(led.g)]).toEqual([
    [true, 1],
    [false, 1],
    [false, 1],
  ]);
  expect(await carol.call(groups.get, { params: team })).toMatchObject({
    admins: [],
    entryGroup: { rotation_due: true },
  });
  expect(await carol.call(fields.get, { params: { ...team, f: body.field_id } })).toMatchObject({ created_by: null });
  const departures = await read().selectFrom('departures').select(['entry_group_id', 'user_name', 'cause']).execute();
  expect(departures).toHaveLength(3);
  expect(new Set(departures.map(({ user_name, cause }) => `${user_name} ${cause}`))).toEqual(new Set(['bob deleted']));
  expect(await events()).toEqual(expect.arrayContaining(['user_deleted', 'group_deleted']));
  // The certificate that signed the newest rosters is kept to verify them.
  const { rosters } = await carol.call(groups.roster, { params: team, query: {} });
  expect(rosters[0]?.signer_certificate).toMatchObject({ user_id: bob.userId, fpr: bob.keyring.fingerprint });
  const login = { email: bob.email, password: bob.password };
  expect((await app.guest().request({ path: '/identity/api/login', json: login })).status).toBe(401);
});

test('a group without members stays while a subgroup has members', async () => {
  const below = await createSealedPlace(bob, { name: 'Below', parent: own.g });
  await joinGroup(app, below.g, carol, 'member');
  await remove([own.g, team.g, below.g]);
  const rows = await read()
    .selectFrom('entry_groups')
    .select('entry_group_id')
    .where('trashed_by', 'is', null)
    .execute();
  expect(rows.map(({ entry_group_id }) => entry_group_id)).toEqual(expect.arrayContaining([own.g, below.g]));
  expect((await carol.call(groups.tree)).trees.map(({ title }) => title).sort()).toEqual(['Led', 'Own', 'Team']);
});

test('oneself and an unknown account cannot be deleted (T94)', async () => {
  await expect(remove(undefined, ada.userId)).rejects.toMatchObject({
    code: 'conflict',
    message: 'You cannot delete your own account',
  });
  await expect(remove(undefined, app.deps.newId())).rejects.toMatchObject({ code: 'not_found' });
  await expect(reset(undefined, ada.userId)).rejects.toMatchObject({ code: 'conflict' });
  await expect(reset(undefined, app.deps.newId())).rejects.toMatchObject({ code: 'not_found' });
  const path = `/identity/api/user/${app.deps.newId()}/keyReset`;
  expect((await ada.request({ path })).status).toBe(404);
});

test('a person who is no group’s only admin is deleted at once, and the name is free again', async () => {
  await remove(undefined, carol.userId);
  expect(await isIn(carol)).toBe(false);
  expect(
    await read().selectFrom('user_certificates').selectAll().where('user_id', '=', carol.userId).execute(),
  ).toEqual([]);
  await ada.call(people.update, { params: { id: bob.userId }, body: { name: 'carol', email: 'carol@example.org' } });
});

test('a reset deletes keys and memberships, with a fresh sign-in, after the groups are confirmed (T113, T12)', async () => {
  expect(await ada.call(people.keyReset, { params: { id: bob.userId } })).toEqual({
    user_id: bob.userId,
    groups: conflict().details.groups,
    only_member: 1,
  });
  await expect(reset([own.g])).rejects.toMatchObject(conflict());
  app.clock.advance(10 * MINUTE);
  await expect(reset([own.g, team.g])).rejects.toMatchObject({ code: 'reauth_required' });
  await ada.request({ path: '/identity/api/confirmPassword', json: { password: ada.password } });
  expect(await isIn(bob)).toBe(true);
  expect(await reset([own.g, team.g])).toMatchObject({ user_id: bob.userId, has_keys: false, must_rekey: false });
  expect(await isIn(bob)).toBe(false);
  for (const table of ['group_members', 'group_grants', 'user_key_slots', 'user_keysets', 'sessions'] as const) {
    expect([table, await count(table, bob.userId)]).toEqual([table, 0]);
  }
  const departures = await read().selectFrom('departures').select('cause').execute();
  expect(departures.map(({ cause }) => cause)).toEqual(['reset', 'reset', 'reset']);
  expect(await events()).toContain('keys_reset');
  // He can sign in with his account password and has no keys.
  const again = await app.signIn(bob);
  expect((await again.call(session.me)).user).toMatchObject({ has_keys: false });
  expect(await again.call(keyBundle)).toMatchObject({ keyset: null, certificate: null, slots: [], documents: [] });
  expect((await again.request({ path: `/identity/api/user/${bob.userId}/certificate` })).status).toBe(404);
  const refused = await again.request({
    path: '/passwordBroker/api/entryGroups',
    json: { name: 'x', master_password: bob.masterPassword },
  });
  expect([refused.status, refused.json()['message']]).toEqual([
    409,
    'The account has no keys yet. Unlock the vault once to make them.',
  ]);
});
