/** Offboarding (docs/spec/decisions.md I15): one transaction, and the list of remaining groups. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as backups from '@passwordbroker/core/contract/site/backups';
import * as credentials from '@passwordbroker/core/contract/account/credentials';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import * as invites from '@passwordbroker/core/contract/users/invites';
import * as members from '@passwordbroker/core/contract/groups/members';
import * as people from '@passwordbroker/core/contract/users/people';
import * as session from '@passwordbroker/core/contract/account/session';
import { EXIT } from '../commands/command.ts';
import { runCommandLine } from '../commands/run.ts';
import { sharing } from '../members/testing/sharing.ts';
import { createSealedPlace } from '../testing/sealed-place.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { MINUTE } from '../testing/test-clock.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let carol: SignedIn;
/** Events up to this id precede the offboarding. */
let settled = '';
beforeEach(async () => {
  app = await startTestApp();
  // The command line uses the machine's clock.
  app.clock.advance(Date.now() - app.clock.now());
  [ada, bob, carol] = [await app.signUp('ada'), await app.signUp('bob'), await app.signUp('carol')];
});
afterEach(() => app.stop());

const ofBob = () => ({ id: bob.userId });
const preview = (by: SignedIn = ada) => by.call(people.offboardingOf, { params: ofBob() });
const offboard = (body: { disable?: boolean } = {}, by: SignedIn = ada) =>
  by.call(people.offboard, { params: ofBob(), body });
const signIn = async () => {
  const json = { email: bob.email, password: bob.password };
  return (await app.guest().request({ path: session.login.path, json })).status;
};
const events = async () =>
  (await app.deps.db.read.selectFrom('audit_log').selectAll().orderBy('audit_id').execute())
    .filter(({ user_id, audit_id }) => user_id === ada.userId && audit_id > settled)
    .map(({ event_type, details }) => [event_type, JSON.parse(details ?? 'null') as unknown]);

/** Bob is a site admin with a session, a token, an invitation and three groups. */
async function settleIn() {
  const as = sharing(app);
  const shared = await createSealedPlace(ada, { name: 'Shared' });
  await as.add(ada, shared.g, bob, 'moderator');
  const led = await createSealedPlace(ada, { name: 'Led by both' });
  await as.add(ada, led.g, bob, 'admin');
  const others = await createSealedPlace(carol, { name: 'Of carol' });
  await as.add(carol, others.g, bob, 'member');
  const own = await createSealedPlace(bob, { name: 'Own' });
  await ada.call(people.setAdmin, { params: ofBob(), body: { is_admin: true } });
  const { token } = await bob.call(credentials.createToken, { body: { token_name: 'robot' } });
  const sent = await bob.call(invites.create, { body: { user: { email: 'dan@example.org' } } });
  settled = app.deps.newId();
  return { as, shared, led, others, own, token, invite: sent.inviteLinkUrl.split('/').at(-1) ?? '' };
}

test('the preview lists credentials, invitations, and each group with its other admins', async () => {
  await settleIn();
  const said = await preview();
  expect(said).toMatchObject({
    user: { user_id: bob.userId },
    sessions: 1,
    tokens: 1,
    invitations: 1,
    gets_backups: false,
  });
  const [byAda, byCarol] = [ada, carol].map(({ userId, name }) => ({ user_id: userId, name }));
  expect(said.groups).toMatchObject([
    { name: 'Led by both', role: 'admin', admins: [byAda], is_yours: true },
    { name: 'Of carol', role: 'member', admins: [byCarol], is_yours: false },
    { name: 'Own', role: 'admin', admins: [], is_yours: false },
    { name: 'Shared', role: 'moderator', admins: [byAda], is_yours: true },
  ]);
  const mail = { schedule: [3], enable: true, email_enable: true, email: 'BOB@example.org' };
  await ada.call(backups.changeSettings, { body: mail });
  expect(await preview()).toMatchObject({ gets_backups: true });
  await expect(carol.call(people.offboardingOf, { params: ofBob() })).rejects.toMatchObject({ code: 'forbidden' });
  await expect(ada.call(people.offboardingOf, { params: { id: app.deps.newId() } })).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('one call ends sessions, tokens, invitations and roles, and disables the account; a repeat ends nothing more', async () => {
  const { token, invite } = await settleIn();
  const said = await offboard();
  expect(said).toMatchObject({
    user: { is_admin: false, disabled: true },
    ended: { sessions: 1, tokens: 1, invitations: 1 },
    sessions: 0,
    tokens: 0,
    invitations: 0,
  });
  expect(said.groups).toHaveLength(4);
  expect((await bob.call(session.me)).message).toBe('guest');
  const headers = { authorization: `Bearer ${token}` };
  expect((await app.guest().request({ path: credentials.tokens.path, headers })).status).toBe(401);
  await expect(app.guest().call(invites.read, { params: { token: invite } })).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(await signIn()).toBe(401);
  const once = await events();
  expect(once).toEqual([
    ['invite_revoked', { invited_by: bob.userId, reason: 'offboarded' }],
    ['user_offboarded', { sessions: 1, tokens: 1, invitations: 1, disabled: true }],
    ['user_admin_changed', { is_admin: false }],
  ]);
  expect(await offboard()).toMatchObject({ ended: { sessions: 0, tokens: 0, invitations: 0 } });
  expect(await events()).toEqual(once);
});

test('the account can stay enabled; present roles and credentials still end', async () => {
  await settleIn();
  expect(await offboard({ disable: false })).toMatchObject({ user: { is_admin: false } });
  expect((await bob.call(session.me)).message).toBe('guest');
  expect(await signIn()).toBe(200);
  // A later call disables the account and ends what was created since.
  expect(await offboard()).toMatchObject({ user: { disabled: true }, ended: { sessions: 1, tokens: 0 } });
});

test('memberships end by calls for each group, also of a disabled admin; then the group needs a new key, and its list shows what to change', async () => {
  const { as, shared, led } = await settleIn();
  await offboard();
  await as.remove(ada, shared.g, bob);
  // A group admin is demoted before removal, by a roster that ada signs.
  await expect(as.remove(ada, led.g, bob)).rejects.toMatchObject({ code: 'forbidden' });
  await as.add(ada, led.g, bob, 'member');
  await as.remove(ada, led.g, bob);
  expect((await preview()).groups.map(({ name }) => name)).toEqual(['Of carol', 'Own']);
  const all = await ada.call(groups.listAll);
  expect(
    all
      .filter(({ rotation_due }) => rotation_due)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['Led by both', 'Shared']);
  await as.rotateAll(ada, led.g);
  const { data } = await ada.call(members.formerMembersOfAll, { query: { user_id: bob.userId } });
  expect(data.map(({ entry_group, cause }) => [entry_group.name, cause])).toEqual([
    ['Led by both', 'removed'],
    ['Shared', 'removed'],
  ]);
});

test('refused: oneself, without a fresh sign-in, the last site admin', async () => {
  await expect(ada.call(people.offboard, { params: { id: ada.userId }, body: {} })).rejects.toMatchObject({
    code: 'conflict',
    message: 'You cannot offboard yourself. Ask another site admin to do it.',
  });
  expect(await command('ada@example.org')).toEqual([
    EXIT.failed,
    'This is the last site admin. Make someone else a site admin first.',
  ]);
  for (const disable of ['perhaps', {}, []]) {
    await expect(offboard({ disable: disable as never })).rejects.toMatchObject({ code: 'validation' });
  }
  app.clock.advance(10 * MINUTE);
  await expect(offboard()).rejects.toMatchObject({ code: 'reauth_required' });
  expect((await bob.call(session.me)).message).toBe('loggedIn');
});

test('two concurrent calls end everything once', async () => {
  await settleIn();
  const said = await Promise.all([offboard(), offboard()]);
  expect(said.map(({ ended }) => ended.sessions).sort((a, b) => a - b)).toEqual([0, 1]);
  expect((await events()).filter(([event]) => event === 'user_offboarded')).toHaveLength(1);
});

async function command(...args: string[]) {
  const said: string[] = [];
  const take = (line: string) => void said.push(line);
  const secret = () => Promise.resolve('');
  const terminal = { say: take, tell: take, secret, knownSecret: secret };
  const code = await runCommandLine(['user', 'offboard', ...args], app.environment, terminal);
  return [code, ...said];
}

test('the command line does the same, and lists the remaining groups', async () => {
  await settleIn();
  expect(await command('bob@example.org')).toEqual([
    EXIT.done,
    'bob@example.org: 1 session(s), 1 token(s), 1 invitation(s) ended. The account is disabled.',
    'Member of 4 group(s) still:',
    '  "Led by both" (admin), administered by ada',
    '  "Of carol" (member), administered by carol',
    '  "Own" (admin), no other admin',
    '  "Shared" (moderator), administered by ada',
  ]);
  expect(await signIn()).toBe(401);
  expect((await command('BOB@example.org', '--keep-enabled'))[1]).toBe(
    'bob@example.org: 0 session(s), 0 token(s), 0 invitation(s) ended. The account is disabled.',
  );
});
