import { afterEach, beforeEach, expect, test } from 'vitest';
import * as credentials from '@passwordbroker/core/contract/account/credentials';
import * as audit from '@passwordbroker/core/contract/site/audit';
import * as people from '@passwordbroker/core/contract/users/people';
import * as session from '@passwordbroker/core/contract/account/session';
import { startTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';
import { MINUTE } from '../testing/test-clock.ts';
import { removeAccount, resetKeys } from './leave.ts';
import * as accountChanges from './change-account.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
beforeEach(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  bob = await app.signUp('bob');
});
afterEach(() => app.stop());

const update = (by: SignedIn, of: SignedIn, body: object) =>
  by.call(people.update, { params: { id: of.userId }, body });
const isIn = async (client: SignedIn) => (await client.call(session.me)).message === 'loggedIn';
const login = (email: string, password: string) =>
  app.guest().request({ path: '/identity/api/login', json: { email, password } });
const setAdmin = (of: SignedIn, is_admin: boolean) =>
  ada.call(people.setAdmin, { params: { id: of.userId }, body: { is_admin } });
const setDisabled = (of: SignedIn, status: boolean) =>
  ada.call(people.setDisabled, { params: { id: of.userId }, body: { status } });
const details = async (event: 'user_updated' | 'user_admin_changed') =>
  (await app.deps.db.read.selectFrom('audit_log').select('details').where('event_type', '=', event).execute()).map(
    (row) => JSON.parse(row.details ?? '') as unknown,
  );

test('people change their own name and e-mail; other members are ignored (T27)', async () => {
  const before = await bob.call(people.get, { params: { id: bob.userId } });
  app.clock.advance(MINUTE);
  const body = {
    name: ' Robert ',
    email: 'Robert@Example.org',
    is_admin: true,
    epoch: 9,
    created_at: '2000-01-01T00:00:00.000Z',
    user_id: ada.userId,
    must_rekey: false,
  };
  expect(await update(bob, bob, body)).toEqual({
    ...before,
    name: 'Robert',
    email: 'Robert@Example.org',
    updated_at: new Date(app.clock.now()).toISOString(),
  });
  expect((await login('robert@example.org', bob.password)).status).toBe(200);
  expect(await isIn(bob)).toBe(true);
  expect(await details('user_updated')).toEqual([{ name: true, email: true, password: false }]);
  // An update with the same values changes nothing and is not recorded.
  await update(bob, bob, { username: 'Robert' });
  expect(await details('user_updated')).toHaveLength(1);
});

test('invalid or taken names and e-mails are refused, with all errors at once', async () => {
  await expect(update(bob, bob, { name: 'ADA', email: 'ADA@example.org' })).rejects.toMatchObject({
    errors: { name: ['This user name is already taken'], email: ['This email is already taken'] },
  });
  await expect(update(bob, bob, { username: ' ', email: 'a@b' })).rejects.toMatchObject({
    errors: { name: ['User Name is empty'] },
  });
  await expect(update(bob, bob, { email: 'a@b' })).rejects.toMatchObject({ errors: { email: ['Incorrect email'] } });
  for (const text of ['a\r\nBcc: x@example.org', 'a\u001b[31m', 'a\u2028b']) {
    await expect(update(bob, bob, { name: text })).rejects.toMatchObject({
      errors: { name: ['The name is malformed.'] },
    });
    await expect(update(bob, bob, { email: `${text}@example.org` })).rejects.toMatchObject({ code: 'validation' });
  }
  await expect(update(bob, bob, { password: 'x', password_confirmation: 'x' })).rejects.toMatchObject({
    errors: { password: ['The password is not expected.'] },
  });
});

test('a site admin sets a new password for a person, whose sessions and tokens all end', async () => {
  const { token } = await bob.call(credentials.createToken, { body: { token_name: 'api' } });
  await expect(update(ada, bob, { password: 'new one', password_confirmation: 'other' })).rejects.toMatchObject({
    errors: { password_confirmation: ['Password Confirmation mismatch to Password'] },
  });
  await expect(update(ada, bob, { password: '' })).rejects.toMatchObject({
    errors: { password: ['Password is empty'] },
  });
  expect(await isIn(bob)).toBe(true);
  await update(ada, bob, { password: 'new one', password_confirmation: 'new one' });
  expect(await isIn(bob)).toBe(false);
  const headers = { authorization: `Bearer ${token}` };
  expect((await app.guest().request({ path: '/identity/api/tokens', headers })).status).toBe(401);
  expect([(await login(bob.email, bob.password)).status, (await login(bob.email, 'new one')).status]).toEqual([
    401, 200,
  ]);
});

test('accounts of others are for site admins', async () => {
  await expect(update(bob, ada, { name: 'x' })).rejects.toMatchObject({ code: 'forbidden' });
  await expect(
    ada.call(people.update, { params: { id: app.deps.newId() }, body: { name: 'x' } }),
  ).rejects.toMatchObject({ code: 'not_found' });
});

test('promoting and demoting take effect at once; the last admin cannot be demoted (T13, T94)', async () => {
  await expect(setAdmin(ada, false)).rejects.toMatchObject({
    code: 'conflict',
    message: 'This is the last site admin. Make someone else a site admin first.',
  });
  expect(await setAdmin(bob, true)).toMatchObject({ is_admin: true });
  expect((await bob.request({ path: `/identity/api/user/${ada.userId}` })).status).toBe(200);
  await setAdmin(bob, false);
  expect((await bob.request({ path: `/identity/api/user/${ada.userId}` })).status).toBe(403);
  expect(await details('user_admin_changed')).toEqual([{ is_admin: true }, { is_admin: false }]);
  // A disabled admin does not count as a site admin.
  await setAdmin(bob, true);
  await setDisabled(bob, true);
  await expect(setAdmin(ada, false)).rejects.toMatchObject({ code: 'conflict' });
});

test('promoting needs an account password of the last ten minutes, by any credential', async () => {
  app.clock.advance(10 * MINUTE - 1);
  await setAdmin(bob, true);
  const { token } = await ada.call(credentials.createToken, { body: { token_name: 'api' } });
  app.clock.advance(1);
  await expect(setAdmin(bob, false)).rejects.toMatchObject({
    code: 'reauth_required',
    message: 'Confirm your password first',
  });
  // A token inherits the time of confirmation from its session, and can be confirmed itself.
  const headers = { authorization: `Bearer ${token}` };
  const path = `/identity/api/user/${bob.userId}/admin`;
  const byToken = () => app.guest().request({ method: 'PUT', path, json: { is_admin: false }, headers });
  expect((await byToken()).json()['code']).toBe('reauth_required');
  const json = { password: ada.password };
  expect((await app.guest().request({ path: '/identity/api/confirmPassword', json, headers })).status).toBe(200);
  expect((await byToken()).status).toBe(200);
  await expect(setAdmin(bob, true)).rejects.toMatchObject({ code: 'reauth_required' });
  await ada.call(credentials.confirmPassword, { body: json });
  await setAdmin(bob, true);
});

test('disabling an account ends its access at once, and its sign-in fails like with a wrong password', async () => {
  const { token } = await bob.call(credentials.createToken, { body: { token_name: 'api' } });
  const headers = { authorization: `Bearer ${token}` };
  expect(await setDisabled(bob, true)).toMatchObject({ user_id: bob.userId, disabled: true });
  expect(await isIn(bob)).toBe(false);
  expect((await app.guest().request({ path: '/identity/api/tokens', headers })).status).toBe(401);
  const [right, wrong] = [await login(bob.email, bob.password), await login(bob.email, 'wrong')];
  expect(right.status).toBe(401);
  expect({ ...right.json(), request_id: '' }).toEqual({ ...wrong.json(), request_id: '' });
  expect(Object.keys(right.headers).sort()).toEqual(Object.keys(wrong.headers).sort());
  expect(await setDisabled(bob, false)).not.toHaveProperty('disabled');
  expect((await login(bob.email, bob.password)).status).toBe(200);
  expect(await isIn(bob)).toBe(false);
  expect(await details('user_updated')).toEqual([{ disabled: true }, { disabled: false }]);
  await expect(setDisabled(ada, true)).rejects.toMatchObject({ message: 'You cannot disable your own account' });
});

test('enabling also ends a lock after too many failures', async () => {
  for (let n = 0; n < 10; n += 1) await login(bob.email, 'wrong');
  expect((await login(bob.email, bob.password)).status).toBe(429);
  await setDisabled(bob, false);
  expect((await login(bob.email, bob.password)).status).toBe(200);
  const newest = await ada.call(audit.list, { query: { event_type: 'user_updated', perPage: 1 } });
  expect(newest.data).toMatchObject([{ target_id: bob.userId, details: { released: true } }]);
});

test('of two site admins who demote each other at the same time one remains admin: the waiting call is checked again', async () => {
  const [carol, dan] = [await app.signUp('carol'), await app.signUp('dan')];
  for (const one of [bob, carol, dan]) await setAdmin(one, true);
  const origin = { address: '', agentHash: null, userAgent: '', client: null };
  const waiting = (person: SignedIn) => {
    const rights = { isAdmin: true, isAuditor: false, serverCryptoOptOut: false, hasKeys: true, scopes: null };
    const signIn = { sessionId: app.deps.newId(), epoch: 0, confirmedAt: app.clock.now(), hasWeakPassword: false };
    const level = {
      method: 'password',
      factor: '',
      factorState: 'none',
      provider: null,
      service: null,
      restriction: null,
    } as const;
    return { actor: { userId: person.userId, name: '', email: '', ...rights, ...signIn, ...level }, origin };
  };
  await setAdmin(bob, false);
  await setDisabled(carol, true);
  await ada.call(people.remove, { params: { id: dan.userId }, body: {} });
  for (const by of [bob, carol, dan].map(waiting)) {
    const acts = [
      () => accountChanges.setAdmin(app.deps, by, ada.userId, false),
      () => accountChanges.setDisabled(app.deps, by, ada.userId, true),
      () => removeAccount(app.deps, by, ada.userId, undefined),
      () => resetKeys(app.deps, by, ada.userId, undefined),
    ];
    for (const act of acts) await expect(act()).rejects.toMatchObject({ code: 'forbidden' });
  }
  expect(await isIn(ada)).toBe(true);
});
