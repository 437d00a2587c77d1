/** A policy that asks people for a second factor, and an admin's help. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as credentials from '@passwordbroker/core/contract/account/credentials';
import * as factors from '@passwordbroker/core/contract/account/factors';
import * as session from '@passwordbroker/core/contract/account/session';
import { CONTRACT } from '@passwordbroker/core/contract/index';
import { fillPath, type Endpoint } from '@passwordbroker/core/contract/endpoint';
import * as people from '@passwordbroker/core/contract/users/people';
import * as site from '@passwordbroker/core/contract/site/site';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { HOUR, MINUTE } from '../../testing/test-clock.ts';
import {
  asked,
  codeOf,
  eventsOf,
  guard,
  isIn,
  loginOf,
  signInWith,
  startWithMail,
  waitingMails,
  type Guarded,
} from './testing/two-factors.ts';

const DAY = 24 * HOUR;

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let admin: Guarded;
beforeEach(async () => {
  ({ app, ada, bob } = await startWithMail());
  admin = await guard(app, ada);
});
afterEach(() => app.stop());

const dueOf = async (person: SignedIn) =>
  (
    await app.deps.db.read
      .selectFrom('users')
      .select('factor_due_at')
      .where('user_id', '=', person.userId)
      .executeTakeFirstOrThrow()
  ).factor_due_at;
const setPolicy = (body: object) => ada.call(site.changeSignIn, { body });
/** The admin's session lives on over days. */
const returnAsAdmin = () => signInWith(app, ada, admin.phone.code(), { client: ada });

test('after the grace period a session can only set one up, at every call of the contract (I40)', async () => {
  expect(await setPolicy({ second_factor: 'all' })).toMatchObject({
    second_factor: 'all',
    second_factor_grace_days: 14,
    without_factor: 1,
  });
  app.clock.advance(14 * DAY);
  const late = await app.signIn(bob);
  expect(await late.call(session.me)).toMatchObject({
    message: 'loggedIn',
    restriction: 'second factor',
    user: { factor_due_at: new Date(app.clock.now()).toISOString() },
  });
  const kept: string[] = [];
  for (const { method, path, access, scope, whileRestricted } of Object.values(CONTRACT) as Endpoint[]) {
    if (access === 'anyone' && scope === undefined) continue;
    if (whileRestricted === true) {
      kept.push(`${method} ${path}`);
      continue;
    }
    const params = Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, bob.userId]));
    const json = method === 'GET' ? {} : { json: {} };
    const answer = await late.request({ method, path: fillPath(path, params), ...json });
    expect([method, path, ...codeOf(answer)]).toEqual([method, path, 403, 'second_factor_enrolment_required']);
  }
  expect(kept.toSorted()).toEqual([
    'DELETE /identity/api/factors/remembered',
    'DELETE /identity/api/factors/remembered/:browserId',
    'DELETE /identity/api/factors/totp/:totpId',
    'DELETE /identity/api/sessions',
    'DELETE /identity/api/sessions/:sessionId',
    'DELETE /identity/api/sso/links/:linkId',
    'GET /identity/api/confirmWays',
    'GET /identity/api/factors',
    'GET /identity/api/sessions',
    'GET /identity/api/sso/links',
    'GET /identity/api/user/:id',
    'GET /system/api/setting/limits',
    'GET /system/api/setting/signIn',
    'GET /system/api/setting/site',
    'POST /identity/api/confirmPassword',
    'POST /identity/api/confirmPassword/options',
    'POST /identity/api/factors/passkeys',
    'POST /identity/api/factors/passkeys/options',
    'POST /identity/api/factors/recoveryCodes',
    'POST /identity/api/factors/recoveryCodes/check',
    'POST /identity/api/factors/totp',
    'POST /identity/api/factors/totp/:totpId/confirm',
    'POST /identity/api/sso/links',
    'PUT /identity/api/password',
  ]);
  await guard(app, late);
  expect(await late.call(session.me)).not.toHaveProperty('restriction');
  expect((await late.request({ path: '/passwordBroker/api/entryGroups' })).status).toBe(200);
  await expect(late.call(factors.get)).resolves.toMatchObject({ is_required: true });
  const { totp } = await late.call(factors.get);
  await expect(late.call(factors.removeTotp, { params: { totpId: totp?.totp_id ?? '' } })).rejects.toMatchObject({
    code: 'conflict',
    message: 'This site asks for a second factor. Add another one first.',
  });
});

test('a running grace is never shortened, and a policy that covers nobody takes it away (I41)', async () => {
  const start = app.clock.now();
  await expect(bob.call(site.changeSignIn, { body: { second_factor: 'all' } })).rejects.toMatchObject({
    code: 'forbidden',
  });
  await setPolicy({ second_factor: 'all' });
  expect([await dueOf(ada), await dueOf(bob)]).toEqual([start + 14 * DAY, start + 14 * DAY]);
  app.clock.advance(2 * MINUTE);
  await setPolicy({ second_factor: 'admins', second_factor_grace_days: 1 });
  expect([await dueOf(ada), await dueOf(bob)]).toEqual([start + 14 * DAY, null]);
  await setPolicy({ second_factor: 'all' });
  expect([await dueOf(ada), await dueOf(bob)]).toEqual([start + 14 * DAY, app.clock.now() + DAY]);
  app.clock.advance(DAY - MINUTE);
  expect((await (await app.signIn(bob)).request({ path: '/passwordBroker/api/entryGroups' })).status).toBe(200);
  await returnAsAdmin();
  await setPolicy({ second_factor: 'optional' });
  expect([await dueOf(ada), await dueOf(bob)]).toEqual([null, null]);
  const carol = await app.signUp('carol');
  await ada.call(people.setAdmin, { params: { id: carol.userId }, body: { is_admin: true } });
  await expect(
    (await app.signIn(carol)).call(site.changeSignIn, { body: { second_factor: 'admins' } }),
  ).rejects.toMatchObject({ code: 'conflict', message: 'Set up your own second factor first' });
});

test('promoting begins a grace, demoting ends it, and a new account has none (I42)', async () => {
  await setPolicy({ second_factor: 'admins' });
  const params = { id: bob.userId };
  await ada.call(people.setAdmin, { params, body: { is_admin: true } });
  expect(await dueOf(bob)).toBe(app.clock.now() + 14 * DAY);
  await ada.call(people.setAdmin, { params, body: { is_admin: false } });
  expect(await dueOf(bob)).toBeNull();
  await setPolicy({ second_factor: 'all' });
  const carol = await app.signUp('carol');
  expect(await dueOf(carol)).toBe(app.clock.now());
  expect(await carol.call(session.me)).toMatchObject({ restriction: 'second factor' });
});

test('a token without a factor is refused after the grace, everywhere (I43)', async () => {
  const { token } = await bob.call(credentials.createToken, { body: { token_name: 'own' } });
  await setPolicy({ second_factor: 'all', second_factor_grace_days: 1 });
  const ask = (path: string) => app.guest().request({ path, headers: { authorization: `Bearer ${token}` } });
  expect((await ask('/identity/api/sessions')).status).toBe(200);
  app.clock.advance(DAY);
  for (const path of ['/identity/api/sessions', '/passwordBroker/api/entryGroups', '/identity/api/keyBundle']) {
    const answer = await ask(path);
    expect([...codeOf(answer), answer.json()['message']]).toEqual([
      403,
      'token_without_factor',
      'This token was made without a second factor. Make a new one.',
    ]);
  }
});

test('a factor that was removed counts for no session and no token under a later policy', async () => {
  await guard(app, bob);
  const { token } = await bob.call(credentials.createToken, { body: { token_name: 'own' } });
  const { totp } = await bob.call(factors.get);
  await bob.call(factors.removeTotp, { params: { totpId: totp?.totp_id ?? '' } });
  expect(await isIn(bob)).toBe(true);
  await setPolicy({ second_factor: 'all', second_factor_grace_days: 0 });
  expect(await bob.call(session.me)).toMatchObject({ restriction: 'second factor', sign_in: { factor: null } });
  const headers = { authorization: `Bearer ${token}` };
  expect(codeOf(await app.guest().request({ path: '/identity/api/sessions', headers }))).toEqual([
    403,
    'token_without_factor',
  ]);
});

test('a restricted session of a site admin reads no other account', async () => {
  await setPolicy({ second_factor: 'admins', second_factor_grace_days: 0 });
  const carol = await app.signUp('carol');
  await ada.call(people.setAdmin, { params: { id: carol.userId }, body: { is_admin: true } });
  const late = await app.signIn(carol);
  expect(await late.call(people.get, { params: { id: carol.userId } })).toMatchObject({ is_admin: true });
  await expect(late.call(people.get, { params: { id: bob.userId } })).rejects.toMatchObject({
    code: 'second_factor_enrolment_required',
  });
});

test('an admin resets somebody else’s factors; the code is good for 72 hours beside the password (I44, I45, I101)', async () => {
  const params = { id: bob.userId };
  await expect(ada.call(factors.reset, { params })).rejects.toMatchObject({ code: 'no_factors' });
  await expect(ada.call(factors.reset, { params: { id: ada.userId } })).rejects.toMatchObject({
    code: 'conflict',
    message: 'You cannot reset your own second factors',
  });
  const lost = await guard(app, bob);
  await expect(bob.call(factors.reset, { params })).rejects.toMatchObject({ code: 'forbidden' });
  const carol = await app.signUp('carol');
  await ada.call(people.setAdmin, { params: { id: carol.userId }, body: { is_admin: true } });
  expect(await ada.call(factors.ofUser, { params })).toEqual({
    factor_state: 'set',
    factor_due_at: null,
    totp: true,
    passkeys: 0,
    recovery_codes_left: 10,
  });
  const reset = await ada.call(factors.reset, { params });
  expect([reset.user.factor_state, reset.expires_at]).toEqual([
    'reset',
    new Date(app.clock.now() + 72 * HOUR).toISOString(),
  ]);
  expect(await isIn(bob)).toBe(false);
  const tries = [undefined, lost.phone.code(), lost.codes[0]];
  for (const code of tries) expect((await app.guest().request(loginOf(bob, { code }))).status).toBe(401);
  const first = await signInWith(app, bob, reset.recovery_code);
  expect(await first.call(session.me)).toMatchObject({ restriction: 'second factor', sign_in: { factor: 'recovery' } });
  expect((await first.request({ path: '/identity/api/keyBundle' })).status).toBe(403);
  // It works until a factor is set up; each use ends the session of the one before.
  const second = await signInWith(app, bob, reset.recovery_code);
  expect([await isIn(first), await isIn(second)]).toEqual([false, true]);
  const anew = await guard(app, second);
  expect(codeOf(await app.guest().request(loginOf(bob, { code: reset.recovery_code })))[1]).toBe(
    'second_factor_invalid',
  );
  await signInWith(app, bob, anew.phone.code());
  const mails = await waitingMails(app);
  expect(mails).toContain(`${bob.email}: factors reset`);
  expect(mails.filter((mail) => mail.endsWith('factors of a user reset'))).toEqual([
    `${carol.email}: factors of a user reset`,
  ]);
  expect(await eventsOf(app, 'factor_reset')).toEqual([['factor_reset', ada.email, null]]);
});

test('after 72 hours the code is worth nothing (I46)', async () => {
  await guard(app, bob);
  const reset = await ada.call(factors.reset, { params: { id: bob.userId } });
  app.clock.advance(72 * HOUR);
  expect(codeOf(await app.guest().request(loginOf(bob, { code: reset.recovery_code })))[1]).toBe(
    'second_factor_invalid',
  );
  const again = await app.guest().request(loginOf(bob));
  expect(codeOf(again)).toEqual([401, 'second_factor_required']);
  expect(asked(again)).toMatchObject({ methods: ['recovery'], recovery_codes_left: 0, can_remember: false });
});
