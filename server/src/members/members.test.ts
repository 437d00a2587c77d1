/** Adding people, roles, removing (docs/spec/api.md §3.7; T38, T40–T43, T106, T117, T118). */
import { describe, expect, test } from 'vitest';
import * as entries from '@passwordbroker/core/contract/entries/entries';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import * as members from '@passwordbroker/core/contract/groups/members';
import { setDisabled } from '@passwordbroker/core/contract/users/people';
import { openGroup } from '@passwordbroker/core/domain/groups/group-keys';
import { storedGroups } from '../groups/testing/stored-groups.ts';
import type { SealedPlace } from '../testing/sealed-place.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { callWithProof } from '../testing/test-proof.ts';
import { refused } from './testing/refused.ts';
import { valueFor, withSharedPlace } from './testing/shared-place.ts';
import type { Sharing } from './testing/sharing.ts';

const GROUP = () => `/passwordBroker/api/entryGroups/${place.g}`;
const users = (more = '') => `${GROUP()}/users${more}`;
const plain = (body: object) => ada.request({ path: users(), json: { master_password: ada.masterPassword, ...body } });
const HASH: unknown = expect.stringMatching(/^[0-9a-f]{64}$/);
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
let app: TestApp;
let as: Sharing;
let ada: SignedIn;
let bob: SignedIn;
let eve: SignedIn;
let place: SealedPlace;
let f: string;

withSharedPlace(
  (people) => ({ app, as, ada, bob, eve } = people),
  (newPlace, field) => ([place, f] = [newPlace, field]),
);
const auditOf = async (events: readonly string[]) =>
  (
    await app.deps.db.read
      .selectFrom('audit_log')
      .select(['event_type', 'user_id', 'details'])
      .where('target_id', '=', place.g)
      .where('event_type', 'in', events)
      .orderBy('audit_id')
      .execute()
  ).map(({ details, ...row }) => ({ ...row, details: JSON.parse(details ?? '{}') as unknown }));

describe('adding', () => {
  test('one wrap and the next roster: the new member opens existing values, and the addition is recorded', async () => {
    const added = await as.add(ada, place.g, bob, 'moderator');
    expect(added).toMatchObject({ user_id: bob.userId, role: 'moderator', fpr: bob.keyring.fingerprint });
    expect(added.user).toEqual({ user_id: bob.userId, name: 'bob' });
    expect(await valueFor(bob, place, f)).toBe('s3cr3t');
    const { rosters, grants } = await bob.call(groups.roster, { params: { g: place.g } });
    expect(rosters.map(({ seq, signer }) => [seq, signer])).toEqual([[1, ada.userId]]);
    expect(grants).toMatchObject([{ user_id: bob.userId, role: 'moderator', gk_version: 1, granted_by: ada.userId }]);
    expect(await auditOf(['role_granted'])).toEqual([
      {
        event_type: 'role_granted',
        user_id: ada.userId,
        details: { user_id: bob.userId, role: 'moderator', roster_hash: HASH },
      },
    ]);
  });

  test('with a master password: the same, by a script without keys', async () => {
    const body = { target_user_id: bob.userId, role: 'member', master_password: ada.masterPassword };
    const answer = await ada.request({ path: users('/'), json: body });
    expect([answer.status, answer.json()['role']]).toEqual([201, 'member']);
    expect(await valueFor(bob, place, f)).toBe('s3cr3t');
    const again = await ada.request({ path: users(), json: { ...body, role: 'admin' } });
    expect([again.status, again.json()['role']]).toEqual([200, 'admin']);
    expect((await auditOf(['role_granted', 'role_changed'])).map(({ details }) => details)).toEqual([
      { user_id: bob.userId, role: 'member', roster_hash: HASH },
      { user_id: bob.userId, role: 'admin', from: 'member', roster_hash: HASH },
    ]);
    const used = await app.deps.db.read
      .selectFrom('audit_log')
      .select('event_type')
      .where('user_id', '=', ada.userId)
      .where('event_type', '=', 'mp_used_on_server')
      .execute();
    expect(used).toHaveLength(2);
  });

  test('each change adds the next roster, which every member verifies with their own grant (T117)', async () => {
    await as.add(ada, place.g, bob, 'member');
    await plain({ target_user_id: eve.userId, role: 'moderator' });
    await as.add(ada, place.g, bob, 'admin');
    await as.add(bob, place.g, eve, 'member');
    for (const person of [ada, bob, eve]) {
      const wire = await person.call(groups.roster, { params: { g: place.g } });
      const { roster } = await openGroup(person.keyring, wire, place.g);
      expect([roster?.seq, roster?.signer, roster?.members.length]).toEqual([4, bob.userId, 3]);
    }
    const { rosters } = await ada.call(groups.roster, { params: { g: place.g }, query: { from: 2 } });
    expect(rosters.map(({ seq, signer }) => [seq, signer])).toEqual([
      [2, ada.userId],
      [3, ada.userId],
      [4, bob.userId],
    ]);
    expect((await ada.call(groups.roster, { params: { g: place.g }, query: { from: 9 } })).rosters).toEqual([]);
  });

  test('a group that the server made has no signed rosters', async () => {
    const made = await ada.request({ path: '/passwordBroker/api/entryGroups', json: { name: 'Plain' } });
    place = { ...place, g: made.json<{ entryGroup: { entry_group_id: string } }>().entryGroup.entry_group_id };
    await as.add(ada, place.g, bob, 'member');
    expect((await plain({ target_user_id: eve.userId, role: 'member' })).status).toBe(201);
    expect((await plain({ target_user_id: eve.userId, role: 'moderator' })).status).toBe(200);
    const { origin, rosters } = await bob.call(groups.roster, { params: { g: place.g } });
    expect([origin, rosters]).toEqual(['server', []]);
    for (const person of [ada, bob, eve]) {
      await openGroup(person.keyring, await person.call(groups.roster, { params: { g: place.g } }), place.g);
    }
  });

  test.each<[string, object, object]>([
    ['nobody', {}, { target_user_id: ['The target user id is required.'] }],
    ['no id', { target_user_id: 'x' }, { target_user_id: ['The target user id is not a valid id.'] }],
    ['somebody unknown', { target_user_id: UNKNOWN }, { target_user_id: ['The target user id does not exist.'] }],
    ['another role', { role: 'owner' }, { role: ['The role must be one of: admin, moderator, member.'] }],
    ['a list as the role', { role: ['admin'] }, { role: ['The role must be one of: admin, moderator, member.'] }],
    [
      'nothing at all',
      { role: null, master_password: '' },
      {
        target_user_id: ['The target user id is required.'],
        role: ['The role is required.'],
        master_password: ['MasterPassword is missing'],
      },
    ],
  ])('%s is reported (T42)', async (what, change, errors) => {
    const target = what === 'nothing at all' || what === 'nobody' ? {} : { target_user_id: bob.userId };
    const answer = await plain({ ...target, role: 'member', ...change });
    expect([answer.status, answer.json()['errors']]).toEqual([422, errors]);
  });

  test('a wrong master password, an account without keys, and a `__proto__` member are refused', async () => {
    const wrong = await plain({ target_user_id: bob.userId, role: 'member', master_password: 'wrong' });
    expect(wrong.json()['code']).toBe('master_password_invalid');
    const dora = await app.signUp('dora');
    await app.deps.db.transact((tx) => tx.deleteFrom('user_keysets').where('user_id', '=', dora.userId).execute());
    const keyless = await plain({ target_user_id: dora.userId, role: 'member' });
    expect(keyless.json()['errors']).toEqual({
      target_user_id: ['This person has no keys yet. They have to sign in and unlock the vault once.'],
    });
    const raw = `{"target_user_id":"${bob.userId}","role":"member","__proto__":{}}`;
    const headers = { 'content-type': 'application/json' };
    expect((await ada.request({ path: users(), raw, headers })).status).toBe(400);
  });

  test('a disabled account gets no key, in either form; a disabled member’s role can be lowered', async () => {
    const dan = await app.signUp('dan');
    const disable = (status: boolean) => ada.call(setDisabled, { params: { id: dan.userId }, body: { status } });
    await disable(true);
    const errors = { target_user_id: ['The account of this user is disabled'] };
    await refused(as.add(ada, place.g, dan, 'member'), { code: 'validation', errors });
    expect((await plain({ target_user_id: dan.userId, role: 'member' })).json()['errors']).toEqual(errors);
    await disable(false);
    await as.add(ada, place.g, dan, 'admin');
    await disable(true);
    expect(await as.add(ada, place.g, dan, 'member')).toMatchObject({ role: 'member' });
  });

  test('moderators and members may not, whatever method the body names (T38, T42)', async () => {
    await as.add(ada, place.g, bob, 'moderator');
    await as.add(ada, place.g, eve, 'member');
    const before = await storedGroups(app);
    for (const person of [bob, eve]) {
      const body = { target_user_id: person.userId, role: 'admin', master_password: person.masterPassword };
      expect((await person.request({ path: users(), json: body })).status).toBe(403);
      for (const _method of ['put', 'patch', 'delete', 'DELETE']) {
        const answer = await person.request({ path: users(`/${ada.userId}`), json: { _method } });
        expect([_method, answer.status]).toEqual([_method, _method.toLowerCase() === 'delete' ? 403 : 405]);
      }
      expect((await person.request({ path: `${GROUP()}/rotate`, json: { master_password: 'x' } })).status).toBe(403);
    }
    for (const _method of ['put', 'patch', 'delete']) {
      expect((await eve.request({ path: GROUP(), json: { _method, name: 'x' } })).status).toBe(403);
    }
    expect(await storedGroups(app)).toEqual(before);
  });

  test('a proof is needed', async () => {
    const body = await as.bodyOf(ada, place.g, bob, 'member');
    await refused(ada.call(members.add, { params: { g: place.g }, body }), {
      errors: { master_password: ['MasterPassword is missing'] },
    });
  });
});

describe('roles (T106)', () => {
  test('another role changes no key; the same role, and demoting the last admin, are refused', async () => {
    await as.add(ada, place.g, bob, 'member');
    const grants = () => app.deps.db.read.selectFrom('group_grants').select(['user_id', 'wrapped']).execute();
    const before = await grants();
    expect(await as.add(ada, place.g, bob, 'moderator')).toMatchObject({ role: 'moderator' });
    expect(await grants()).toEqual(before);
    expect((await bob.call(groups.roster, { params: { g: place.g } })).grants[0]?.role).toBe('moderator');
    await refused(as.add(ada, place.g, bob, 'moderator'), {
      code: 'conflict',
      message: 'The user already has this role',
    });
    const demotion = { target_user_id: ada.userId, role: 'member' };
    const lastAdmin = [409, 'conflict', 'This is the last admin of the group. Make someone else an admin first.'];
    const answer = await plain(demotion);
    expect([answer.status, answer.json()['code'], answer.json()['message']]).toEqual(lastAdmin);
    const body = { ...demotion, gk_version: 1 };
    await refused(callWithProof(app, ada, members.add, { params: { g: place.g }, body }), { message: lastAdmin[2] });
  });

  test('only another admin can demote an admin', async () => {
    await as.add(ada, place.g, bob, 'admin');
    const answer = await plain({ target_user_id: ada.userId, role: 'member' });
    expect([answer.status, answer.json()['message']]).toEqual([409, 'Another admin has to change your role']);
    expect(await as.add(bob, place.g, ada, 'member')).toMatchObject({ role: 'member' });
    expect((await plain({ target_user_id: eve.userId, role: 'member' })).status).toBe(403);
  });
});

describe('removing (T40, T41)', () => {
  test('takes effect at once: every call is refused, tree and search show nothing, and a key rotation is due', async () => {
    await as.add(ada, place.g, bob, 'moderator');
    const paths = [GROUP(), users(), `${GROUP()}/roster`, `${GROUP()}/history`, `${GROUP()}/entries`];
    const inField = `${GROUP()}/entries/${place.e}/fields/${f}`;
    paths.push(inField, `${inField}/envelope`, `${inField}/file`, `${inField}/history`);
    expect((await bob.request({ path: paths[6] ?? '' })).status).toBe(200);
    expect(await as.remove(ada, place.g, bob)).toEqual({
      entry_group_id: place.g,
      user_id: bob.userId,
      rotation_due: true,
    });
    for (const path of paths) expect([path, (await bob.request({ path })).status]).toEqual([path, 403]);
    expect(JSON.stringify(await bob.call(groups.tree))).not.toContain(place.g);
    const found = (await bob.call(entries.search, { query: { q: 'entry', perPage: 100 } })).data;
    expect(found.map(({ entry_group_id }) => entry_group_id)).not.toContain(place.g);
    expect((await ada.call(groups.get, { params: place })).entryGroup.rotation_due).toBe(true);
    expect((await auditOf(['role_removed'])).map(({ details }) => details)).toEqual([
      { user_id: bob.userId, role: 'moderator' },
    ]);
    const left = await app.deps.db.read
      .selectFrom('group_grants')
      .select('user_id')
      .where('entry_group_id', '=', place.g)
      .execute();
    expect(left).toEqual([{ user_id: ada.userId }]);
    // The next roster does not contain the removed person.
    await as.add(ada, place.g, eve, 'member');
    const { shared } = await as.view(eve, place.g);
    expect(shared.roster?.content.members.map(({ userId }) => userId).toSorted()).toEqual(
      [ada.userId, eve.userId].toSorted(),
    );
  });

  test('oneself, another admin, and a person outside the group cannot be removed', async () => {
    await as.add(ada, place.g, bob, 'admin');
    const before = await storedGroups(app);
    await refused(as.remove(ada, place.g, ada), { code: 'forbidden', message: 'You cannot remove yourself' });
    await refused(as.remove(ada, place.g, bob), { code: 'forbidden', message: 'An admin cannot be removed' });
    await refused(as.remove(ada, place.g, eve), { code: 'not_found' });
    expect(await storedGroups(app)).toEqual(before);
  });

  test('twice at the same time: the second is refused', async () => {
    await as.add(ada, place.g, bob, 'member');
    const answers = await Promise.allSettled([as.remove(ada, place.g, bob), as.remove(ada, place.g, bob)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});

test('a deleted account remains the signer of the newest roster until there is another one (T119)', async () => {
  const carol = await app.signUp('carol');
  await as.add(ada, place.g, carol, 'admin');
  await as.add(carol, place.g, eve, 'member');
  await app.deps.db.transact((tx) => tx.deleteFrom('users').where('user_id', '=', carol.userId).execute());
  const { roster } = await openGroup(eve.keyring, await eve.call(groups.roster, { params: { g: place.g } }), place.g);
  expect(roster?.signer).toBe(carol.userId);
  const certificates = () =>
    app.deps.db.read.selectFrom('user_certificates').select('fpr').where('user_id', '=', carol.userId).execute();
  expect(await certificates()).toHaveLength(1);
  await as.add(ada, place.g, bob, 'member');
  expect(await certificates()).toEqual([]);
  const { rosters } = await eve.call(groups.roster, { params: { g: place.g }, query: { from: 2 } });
  expect(rosters.map(({ signer_certificate }) => signer_certificate?.user_id ?? null)).toEqual([null, ada.userId]);
  expect(await valueFor(eve, place, f)).toBe('s3cr3t');
});
