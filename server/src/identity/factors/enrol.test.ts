/** Setting up and removing second factors. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as credentials from '@passwordbroker/core/contract/account/credentials';
import * as factors from '@passwordbroker/core/contract/account/factors';
import { CONTRACT } from '@passwordbroker/core/contract/index';
import { fillPath, type Endpoint } from '@passwordbroker/core/contract/endpoint';
import * as people from '@passwordbroker/core/contract/users/people';
import * as site from '@passwordbroker/core/contract/site/site';
import { sweep } from '../../system/housekeeping.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { HOUR, MINUTE } from '../../testing/test-clock.ts';
import type { TestClient } from '../../testing/test-client.ts';
import {
  codeOf,
  eventsOf,
  guard,
  isIn,
  loginOf,
  phoneOf,
  signInWith,
  STEP,
  startWithMail,
  waitingMails,
} from './testing/two-factors.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
beforeEach(async () => {
  ({ app, ada, bob } = await startWithMail());
});
afterEach(() => app.stop());

const SOURCE = join(import.meta.dirname, '../..');

test('only these files make a proof of a sign-in, for these paths to a session or token (I35)', () => {
  const uses = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const text = readFileSync(join(SOURCE, file), 'utf8');
      const made = [...text.matchAll(/\b(proofOf\w+)\(/g)].map(([, name]) => name);
      return made.length === 0 ? [] : [[file, ...made]];
    });
  expect(uses.toSorted(([one = ''], [other = '']) => one.localeCompare(other))).toEqual([
    // A token of one's own session.
    ['identity/credentials.ts', 'proofOfActor'],
    // The session after a new account password, and after its removal.
    ['identity/own-password.ts', 'proofOfActor', 'proofOfActor'],
    // A passkey that signs in.
    ['identity/passkey-sign-in.ts', 'proofOfPasskey'],
    // A program that a session has let in; its token is no stronger.
    ['identity/program-sign-in.ts', 'proofOfAdmission'],
    [
      'identity/sign-in-proof.ts',
      'proofOfPassword',
      'proofOfTicket',
      'proofOfIdentity',
      'proofOfPasskey',
      'proofOfAdmission',
      'proofOfSignUp',
      'proofOfActor',
    ],
    // Login by cookie and token, in one call and in two.
    ['identity/sign-in.ts', 'proofOfPassword', 'proofOfTicket'],
    // A provider's answer, without a second step; with one the ticket proves it.
    ['identity/sso/callback.ts', 'proofOfIdentity'],
    // Sign-up and invitation.
    ['users/new-account.ts', 'proofOfSignUp'],
  ]);
});

/** Calls of the contract with their ids made up. */
const callsWith = (is: (endpoint: Endpoint) => boolean) =>
  (Object.values(CONTRACT) as Endpoint[])
    .filter(is)
    .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const);
const send = (client: TestClient, { method, path }: Endpoint, headers: Readonly<Record<string, string>> = {}) => {
  const params = Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, bob.userId]));
  const json = method === 'GET' ? {} : { json: {} };
  return client.request({ method, path: fillPath(path, params), headers, ...json });
};

describe('a session eleven minutes old (I36)', () => {
  test.each(callsWith(({ path, fresh }) => path.startsWith('/identity/api/factors') && fresh === true))(
    '%s',
    async (_, endpoint) => {
      app.clock.advance(11 * MINUTE);
      expect(codeOf(await send(bob, endpoint))).toEqual([403, 'reauth_required']);
    },
  );

  test('may change password and e-mail of an account without a factor, not of one with it', async () => {
    app.clock.advance(11 * MINUTE);
    const rename = (client: TestClient, email: string) =>
      client.request({ method: 'PUT', path: `/identity/api/user/${bob.userId}`, json: { email } });
    expect((await rename(bob, 'bob2@example.org')).status).toBe(200);
    expect((await rename(bob, bob.email)).status).toBe(200);
    const again = await app.signIn(bob);
    await guard(app, again);
    app.clock.advance(11 * MINUTE);
    expect(codeOf(await rename(again, 'bob2@example.org'))).toEqual([403, 'reauth_required']);
    expect(codeOf(await send(again, credentials.changePassword))).toEqual([403, 'reauth_required']);
    expect(codeOf(await send(again, credentials.createToken))).toEqual([403, 'reauth_required']);
  });
});

test('a token is refused where the browser is needed (I37)', async () => {
  const { token } = await bob.call(credentials.createToken, { body: { token_name: 'own' } });
  const calls = callsWith(({ browserOnly }) => browserOnly === true);
  expect(calls.length).toBeGreaterThanOrEqual(8);
  for (const [name, endpoint] of calls) {
    const answer = await send(app.guest(), endpoint, { authorization: `Bearer ${token}` });
    expect([name, ...codeOf(answer)]).toEqual([name, 403, 'forbidden']);
  }
});

test('the first factor ends other sessions and tokens, and brings codes (I38)', async () => {
  const other = await app.signIn(bob);
  const { token } = await bob.call(credentials.createToken, { body: { token_name: 'own' } });
  const usesToken = async () =>
    (await app.guest().request({ path: '/identity/api/tokens', headers: { authorization: `Bearer ${token}` } })).status;
  const begun = await bob.call(factors.beginTotp);
  expect(begun).toMatchObject({
    secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
    expires_at: new Date(app.clock.now() + 15 * MINUTE).toISOString(),
  });
  const { host } = new URL(app.deps.config.publicUrl);
  expect(decodeURIComponent(begun.uri)).toBe(
    `otpauth://totp/PasswordBroker (${host}):${bob.email}?issuer=PasswordBroker (${host})&secret=${begun.secret}&algorithm=SHA1&digits=6&period=30`,
  );
  const phone = phoneOf(app, begun.uri);
  const params = { totpId: begun.totp_id };
  const wrong = await bob.request({
    path: fillPath(factors.confirmTotp.path, params),
    json: { code: phone.wrong() },
  });
  expect(wrong.json()).toMatchObject({ errors: { code: ['The code is not right. Look at the clock of your phone.'] } });
  expect([await isIn(other), await usesToken(), (await app.guest().request(loginOf(bob))).status]).toEqual([
    true,
    200,
    200,
  ]);
  await expect(
    other.call(factors.confirmTotp, { params: { totpId: bob.userId }, body: { code: phone.code() } }),
  ).rejects.toMatchObject({ code: 'not_found' });
  await expect(ada.call(factors.confirmTotp, { params, body: { code: phone.code() } })).rejects.toMatchObject({
    code: 'not_found',
  });
  const made = await bob.call(factors.confirmTotp, { params, body: { code: phone.code() } });
  expect(made.recovery_codes?.codes).toHaveLength(10);
  expect(made.factors).toMatchObject({
    factor_state: 'set',
    totp: { totp_id: begun.totp_id, last_used_at: null },
    recovery_codes: { left: 10, restored_at: null },
    tokens: 0,
  });
  expect([await isIn(bob), await isIn(other), await usesToken()]).toEqual([true, false, 401]);
  // The code that confirmed it is used up.
  expect(codeOf(await app.guest().request(loginOf(bob, { code: phone.code() })))).toEqual([
    401,
    'second_factor_invalid',
  ]);
  expect(await waitingMails(app)).toContain(`${bob.email}: factor added`);
  expect(await eventsOf(app, 'factor_added')).toEqual([['factor_added', bob.email, '{"factor":"totp"}']]);
});

test('tokens stay where their owner wants it, and say that they were made without a factor (I38)', async () => {
  await bob.call(credentials.createToken, { body: { token_name: 'own' } });
  expect((await bob.call(factors.get)).tokens).toBe(1);
  await guard(app, bob, { revoke_tokens: false });
  expect(await bob.call(credentials.tokens)).toMatchObject([{ name: 'own', factor: null }]);
  await bob.call(credentials.createToken, { body: { token_name: 'newer' } });
  const made = (await bob.call(credentials.tokens)).map(({ name, factor }) => [name, factor]);
  expect(Object.fromEntries(made)).toEqual({ own: null, newer: 'totp' });
});

test('removing the last factor ends other sessions, and the password alone signs in again (I39)', async () => {
  const { phone, codes } = await guard(app, bob);
  const other = await signInWith(app, bob, phone.code());
  const { totp } = await bob.call(factors.get);
  await bob.call(factors.removeTotp, { params: { totpId: totp?.totp_id ?? '' } });
  expect([await isIn(bob), await isIn(other)]).toEqual([true, false]);
  expect(await bob.call(factors.get)).toMatchObject({ factor_state: 'none', totp: null, recovery_codes: null });
  expect((await app.guest().request(loginOf(bob))).status).toBe(200);
  expect((await app.guest().request(loginOf(bob, { code: codes[0] }))).status).toBe(200);
  expect(await waitingMails(app)).toContain(`${bob.email}: factor removed`);
  await expect(bob.call(factors.makeRecoveryCodes)).rejects.toMatchObject({
    code: 'conflict',
    message: 'Set up a second factor first',
  });
});

test('another phone replaces the first one when its code is confirmed, and new codes replace the old ones', async () => {
  const { phone, codes } = await guard(app, bob);
  const begun = await bob.call(factors.beginTotp);
  await signInWith(app, bob, phone.code());
  app.clock.advance(STEP);
  const next = phoneOf(app, begun.uri);
  const params = { totpId: begun.totp_id };
  const confirmed = await bob.call(factors.confirmTotp, { params, body: { code: next.code() } });
  expect(confirmed.recovery_codes).toBeNull();
  app.clock.advance(STEP);
  expect(codeOf(await app.guest().request(loginOf(bob, { code: phone.code() })))[1]).toBe('second_factor_invalid');
  await signInWith(app, bob, next.code());
  const renewed = await bob.call(factors.makeRecoveryCodes);
  expect(codeOf(await app.guest().request(loginOf(bob, { code: codes[0] })))[1]).toBe('second_factor_invalid');
  await signInWith(app, bob, renewed.codes[0] ?? '');
});

test('a secret that no code confirms is gone after 15 minutes, and ten wrong codes are enough', async () => {
  const begun = await bob.call(factors.beginTotp);
  const path = fillPath(factors.confirmTotp.path, { totpId: begun.totp_id });
  const phone = phoneOf(app, begun.uri);
  for (let n = 0; n < 10; n += 1) expect((await bob.request({ path, json: { code: 'x' } })).status).toBe(422);
  expect((await bob.request({ path, json: { code: phone.code() } })).status).toBe(429);
  const other = await bob.call(factors.beginTotp);
  app.clock.advance(15 * MINUTE);
  const again = await app.signIn(bob);
  const params = { totpId: other.totp_id };
  const late = again.call(factors.confirmTotp, { params, body: { code: phoneOf(app, other.uri).code() } });
  await expect(late).rejects.toMatchObject({ code: 'not_found' });
  await sweep(app.deps);
  expect(await app.deps.db.read.selectFrom('user_totp').selectAll().execute()).toEqual([]);
});

test('where the site switched them off nobody new sets one up, and present ones are still asked for', async () => {
  await guard(app, bob);
  await ada.call(site.changeSignIn, { body: { second_factor: 'off' } });
  await expect(ada.call(factors.beginTotp)).rejects.toMatchObject({
    code: 'conflict',
    message: 'Second factors are switched off on this site',
  });
  expect((await ada.call(factors.get)).can_enrol).toBe(false);
  expect(codeOf(await app.guest().request(loginOf(bob)))[1]).toBe('second_factor_required');
  expect((await bob.call(people.get, { params: { id: bob.userId } })).factor_state).toBe('set');
  app.clock.advance(HOUR);
});
