/** Groups that an invitation names: allowed groups, limits, who sees them, and when they disappear. */
import { v7 } from 'uuid';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import * as members from '@passwordbroker/core/contract/groups/members';
import * as session from '@passwordbroker/core/contract/account/session';
import * as invites from '@passwordbroker/core/contract/users/invites';
import * as joinedCalls from '@passwordbroker/core/contract/users/joined';
import * as people from '@passwordbroker/core/contract/users/people';
import type { Role } from '@passwordbroker/core/domain/policy';
import { sharing, type Sharing } from '../members/testing/sharing.ts';
import { createSealedPlace } from '../testing/sealed-place.ts';
import { signUpBody, startTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';
import { HOUR } from '../testing/test-clock.ts';
import { testPerson } from '../testing/test-person.ts';

const NOT_YOURS = { errors: { groups: ['You can name only groups where you are an admin'] } };

let app: TestApp;
let as: Sharing;
let ada: SignedIn;
let bob: SignedIn;
/** Two groups of Ada's. */
let ops: string;
let web: string;
beforeEach(async () => {
  app = await startTestApp();
  as = sharing(app);
  [ada, bob] = [await app.signUp('ada'), await app.signUp('bob')];
  await ada.call(people.setAdmin, { params: { id: bob.userId }, body: { is_admin: true } });
  [ops, web] = [await groupOf(ada), await groupOf(ada)];
});
afterEach(() => app.stop());

type Named = { readonly entry_group_id: string; readonly role: Role };
const groupOf = async (person: SignedIn) => (await createSealedPlace(person)).g;
const inRole = (role: Role, ...ids: readonly string[]): Named[] => ids.map((id) => ({ entry_group_id: id, role }));
const invite = async (named: readonly Named[], by = ada) =>
  by.call(invites.create, { body: { user: { email: 'eve@example.org' }, groups: [...named] } });
const refusal = async (named: unknown) => {
  const json = { user: { email: 'eve@example.org' }, groups: named };
  const { status, ...answer } = await ada.request({ path: invites.create.path, json });
  return [status, answer.json()['errors']];
};
const accept = async ({ inviteLinkUrl }: { readonly inviteLinkUrl: string }): Promise<SignedIn> => {
  const [client, eve] = [app.guest(), await testPerson('eve')];
  const params = { token: inviteLinkUrl.split('/').at(-1) ?? '' };
  await client.call(invites.accept, { params, body: { user: signUpBody(eve) } });
  return Object.assign(client, eve);
};
const joined = async (of = ada) => (await of.call(joinedCalls.list)).joined;
const stored = () => app.deps.db.read.selectFrom('invite_groups').selectAll().execute();
const listed = async (by: SignedIn) => (await by.call(invites.listAll)).data.map((one) => one.groups);

test('the inviter learns who joined and what to share, and each group vanishes when it is shared', async () => {
  const named = [...inRole('member', ops), ...inRole('moderator', web)];
  const sent = await invite(named);
  expect(sent.invite.groups).toEqual(named);
  expect([await joined(), await listed(ada), await listed(bob)]).toEqual([[], [named], [[]]]);

  const eve = await accept(sent);
  const user = { user_id: eve.userId, name: 'eve' };
  const row = { invite_id: sent.invite.invite_id, user, left_out: 0 };
  expect([await joined(), await joined(bob)]).toEqual([[{ ...row, groups: named }], []]);
  // Accepting gives no access.
  expect(await eve.call(groups.tree)).toEqual({ trees: [] });
  const inviter = { user_id: ada.userId, name: 'ada' };
  expect(await eve.call(joinedCalls.inviter)).toEqual({ inviter, waiting: 2 });
  expect(await bob.call(joinedCalls.inviter)).toEqual({ inviter: null, waiting: 0 });

  await as.add(ada, ops, eve, 'member');
  expect(await joined()).toEqual([{ ...row, groups: inRole('moderator', web) }]);
  // A membership by another admin or in another role counts, too; a membership of another person does not.
  await as.add(ada, web, bob, 'admin');
  expect((await joined())[0]?.groups).toHaveLength(1);
  await as.add(bob, web, eve, 'member');
  expect([await joined(), await stored()]).toEqual([[], []]);
  expect(await eve.call(joinedCalls.inviter)).toEqual({ inviter, waiting: 0 });
  await as.remove(ada, ops, eve);
  expect(await joined()).toEqual([]);
  const events = app.deps.db.read.selectFrom('audit_log').select('details').where('event_type', '=', 'invite_created');
  expect(await events.execute()).toEqual([{ details: '{"groups":2}' }]);
});

test('only groups where the inviter is an admin can be named, and nobody learns whether another exists', async () => {
  const [his, trashed] = [await groupOf(bob), await groupOf(ada)];
  await as.add(bob, his, ada, 'moderator');
  await ada.call(groups.remove, { params: { g: trashed } });
  for (const id of [his, trashed, await groupOf(bob), v7()])
    await expect(invite(inRole('member', ops, id))).rejects.toMatchObject({ code: 'validation', ...NOT_YOURS });
  expect([await stored(), (await ada.call(invites.listAll)).total]).toEqual([[], 0]);
});

test('at most 20 groups, each once, in a role that exists', async () => {
  const many = await Promise.all(Array.from({ length: 18 }, () => groupOf(ada)));
  const all = inRole('member', ops, web, ...many);
  const one = { entry_group_id: ops };
  expect(await refusal([...all, { entry_group_id: v7(), role: 'member' }])).toEqual([
    422,
    { groups: ['The groups is too long (at most 20).'] },
  ]);
  expect(await refusal(inRole('member', ops, web, ops))).toEqual([422, { groups: ['A group is named twice'] }]);
  const roles = ['The role must be one of: admin, moderator, member.'];
  for (const role of ['owner', 'guest', 'Admin', ' ', 1, ['admin'], { admin: true }])
    expect(await refusal([{ ...one, role }])).toEqual([422, { 'groups.0.role': roles }]);
  expect(await refusal([one])).toEqual([422, { 'groups.0.role': ['The role is required.'] }]);
  for (const id of ['x', 7, `${ops}' or '1'='1`])
    expect((await refusal([{ entry_group_id: id, role: 'member' }]))[0]).toBe(422);
  for (const wrong of ['x', 7, { 0: all[0] }, ['x']]) expect((await refusal(wrong))[0]).toBe(422);
  expect(await stored()).toEqual([]);
  expect((await invite(all)).invite.groups).toHaveLength(20);
});

test('groups that are gone, or where the inviter is no longer an admin, are left out and counted', async () => {
  const gone = await groupOf(ada);
  const eve = await accept(await invite(inRole('admin', ops, web, gone)));
  await ada.call(groups.remove, { params: { g: gone } });
  await as.add(ada, web, bob, 'admin');
  await as.add(bob, web, ada, 'member');
  expect(await joined()).toMatchObject([{ groups: inRole('admin', ops), left_out: 2 }]);
  expect((await eve.call(joinedCalls.inviter)).waiting).toBe(1);
  const sharing = { params: { g: web }, body: (await as.bodyOf(bob, web, eve, 'admin')) as never };
  await expect(ada.call(members.add, sharing)).rejects.toMatchObject({ code: 'forbidden' });
});

test('the inviter alone forgets the groups of an accepted invitation; nothing is shared or taken back', async () => {
  const sent = await invite(inRole('member', ops, web));
  const forget = (by: SignedIn, inviteId = sent.invite.invite_id) =>
    by.call(joinedCalls.forget, { params: { inviteId } });
  await expect(forget(ada)).rejects.toMatchObject({ code: 'not_found' });
  const eve = await accept(sent);
  await as.add(ada, ops, eve, 'member');
  for (const [by, id] of [[bob], [ada, v7()]] as const)
    await expect(forget(by, id)).rejects.toMatchObject({ code: 'not_found' });
  expect(await joined()).toHaveLength(1);
  await forget(ada);
  expect([await joined(), await stored()]).toEqual([[], []]);
  await expect(forget(ada)).rejects.toMatchObject({ code: 'not_found' });
  expect((await eve.call(groups.tree)).trees.map(({ entry_group_id }) => entry_group_id)).toEqual([ops]);
});

test('revoked, replaced and expired invitations share nothing', async () => {
  const revoked = await invite(inRole('member', ops));
  await ada.call(invites.revoke, { params: { inviteId: revoked.invite.invite_id } });
  const replaced = await invite(inRole('admin', ops, web));
  const last = await invite([]);
  for (const link of [revoked, replaced]) await expect(accept(link)).rejects.toMatchObject({ code: 'not_found' });
  app.clock.advance(8 * 24 * HOUR);
  await ada.call(session.csrfCookie);
  await ada.call(session.login, { body: { email: ada.email, password: ada.password } });
  await expect(accept(last)).rejects.toMatchObject({ code: 'not_found' });
  await accept(await invite([]));
  expect(await joined()).toEqual([]);
});

test('people who are disabled or deleted are no longer listed, on either side', async () => {
  await as.add(ada, web, bob, 'admin');
  const eve = await accept(await invite(inRole('member', web), bob));
  const disable = (id: string, status: boolean) => ada.call(people.setDisabled, { params: { id }, body: { status } });
  await disable(eve.userId, true);
  expect(await joined(bob)).toEqual([]);
  await disable(eve.userId, false);
  expect(await joined(bob)).toHaveLength(1);
  const again = await app.signIn(eve);
  await disable(bob.userId, true);
  expect(await again.call(joinedCalls.inviter)).toEqual({ inviter: null, waiting: 0 });
  await disable(bob.userId, false);
  await ada.call(people.remove, { params: { id: eve.userId }, body: {} });
  expect(await joined(await app.signIn(bob))).toEqual([]);
});
