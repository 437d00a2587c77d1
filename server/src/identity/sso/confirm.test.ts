/** A fresh sign-in at the provider, for people whose account password does not confirm. */
import { afterEach, expect, test } from 'vitest';
import * as credentials from '@passwordbroker/core/contract/account/credentials';
import * as factors from '@passwordbroker/core/contract/account/factors';
import * as session from '@passwordbroker/core/contract/account/session';
import * as sso from '@passwordbroker/core/contract/account/sso';
import * as people from '@passwordbroker/core/contract/users/people';
import { addPasskey, touchOf } from '../../passkeys/testing/passkeys.ts';
import { MINUTE } from '../../testing/test-clock.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { asked, codeOf, eventsOf, guard, isIn, signInWith, STEP, stepOf } from '../factors/testing/two-factors.ts';
import { comeBack, linkBySso, refusal, signInBySso, startSsoApp, urlFor, type SsoApp } from './testing/sso-app.ts';

let site: SsoApp;
afterEach(() => site.stop());

const seconds = () => Math.floor(site.app.clock.now() / 1000);

/** Signed in there long ago, and here eleven minutes ago. */
async function eveLater(settings: object = {}) {
  site = await startSsoApp(settings);
  const eve = site.app.guest();
  site.provider.claims = { auth_time: seconds() };
  await signInBySso(site, eve);
  site.app.clock.advance(11 * MINUTE);
  return eve;
}

/** The provider says that it asked at this time (Unix seconds). */
async function confirm(eve: TestClient, authTime: number | undefined, claims: object = {}) {
  const url = await urlFor(eve, 'confirm');
  site.provider.claims = { auth_time: authTime, ...claims };
  return comeBack(eve, site.provider.signIn(url));
}

/** A call that needs a fresh sign-in. */
const makeToken = (eve: TestClient) => eve.call(credentials.createToken, { body: { token_name: 'laptop' } });
const stale = { code: 'reauth_required' };

test('an account without a password signs in again at its provider', async () => {
  const eve = await eveLater();
  await expect(makeToken(eve)).rejects.toMatchObject(stale);
  expect((await eve.call(credentials.confirmWays)).ways).toEqual([{ provider_id: 'acme', name: 'Acme' }]);
  const { searchParams } = new URL(await urlFor(eve, 'confirm'));
  expect([searchParams.get('prompt'), searchParams.get('max_age')]).toEqual(['login', '0']);

  const { session_id } = await eve.call(session.me);
  const answer = await confirm(eve, seconds());
  const fresh_until = new Date(site.app.clock.now() + 10 * MINUTE).toISOString();
  expect([answer.status, answer.json()]).toEqual([200, { fresh_until }]);
  // The session stays.
  expect((await eve.call(session.me)).session_id).toBe(session_id);
  const { token } = await makeToken(eve);
  expect(await eventsOf(site.app, 'login')).toHaveLength(1);

  // A program has no browser that could go there.
  const [program, headers] = [site.app.guest(), { authorization: `Bearer ${token}` }];
  expect((await program.request({ path: '/identity/api/confirmWays', headers })).json()).toEqual({ ways: [] });
  const begin = { path: '/identity/api/sso/acme/begin', json: { purpose: 'confirm' } };
  expect(codeOf(await program.request({ ...begin, headers }))).toEqual([403, 'forbidden']);
  const guest = site.app.guest();
  await guest.call(session.csrfCookie);
  expect(codeOf(await guest.request(begin))).toEqual([401, 'unauthenticated']);
});

test('nothing is confirmed by a provider that did not ask again', async () => {
  const eve = await eveLater();
  const notAsked = [401, 'sso_failed', 'Acme did not ask you to sign in again.'];
  const began = seconds();
  for (const authTime of [undefined, began - 11 * 60, began - 61, began + 61]) {
    expect(refusal(await confirm(eve, authTime))).toEqual(notAsked);
  }
  for (const authTime of ['0', -1]) {
    expect(codeOf(await confirm(eve, authTime as number))).toEqual([401, 'sso_failed']);
  }
  await expect(makeToken(eve)).rejects.toMatchObject(stale);
  // Its clock may be a minute behind.
  expect((await confirm(eve, seconds() - 60)).status).toBe(200);
  await makeToken(eve);
});

test('nor by another person, another purpose, another browser or the same answer twice', async () => {
  const eve = await eveLater();
  const other = await confirm(eve, seconds(), { sub: 'sub-2', email: 'mallory@example.org' });
  expect(refusal(other)).toEqual([
    401,
    'sso_failed',
    'You signed in at Acme as another person. Use the sign-in that your account is linked to.',
  ]);
  // No account was made for her.
  expect(await eventsOf(site.app, 'user_created')).toHaveLength(2);

  const purposes = new URL(await urlFor(eve, 'login')).searchParams;
  const altered = (purposes.get('state') ?? '').replace('.login.', '.confirm.');
  expect(codeOf(await comeBack(eve, `code=x&state=${altered}`))).toEqual([401, 'sso_failed']);

  const query = site.provider.signIn(await urlFor(eve, 'confirm'));
  site.provider.claims = { auth_time: seconds() };
  const stranger = site.app.guest();
  await stranger.call(session.csrfCookie);
  expect(codeOf(await comeBack(stranger, query))).toEqual([401, 'sso_failed']);
  await expect(makeToken(eve)).rejects.toMatchObject(stale);
  expect((await comeBack(eve, query)).status).toBe(200);
  site.app.clock.advance(9 * MINUTE);
  expect(codeOf(await comeBack(eve, query))).toEqual([401, 'sso_failed']);
  site.app.clock.advance(2 * MINUTE);
  await expect(makeToken(eve)).rejects.toMatchObject(stale);
});

test('with a second factor of the account, it is asked for again; the session is then a new one', async () => {
  const eve = await eveLater({ second_factor: 'provider', accepted_acr: ['gold'] });
  await confirm(eve, seconds());
  const { phone } = await guard(site.app, eve);
  site.app.clock.advance(11 * MINUTE);
  const { session_id } = await eve.call(session.me);
  const answer = await confirm(eve, seconds());
  expect(codeOf(answer)).toEqual([401, 'second_factor_required']);
  await expect(makeToken(eve)).rejects.toMatchObject(stale);
  expect(codeOf(await eve.request(stepOf(asked(answer).ticket, phone.wrong())))).toEqual([
    401,
    'second_factor_invalid',
  ]);
  await expect(makeToken(eve)).rejects.toMatchObject(stale);
  expect((await eve.request(stepOf(asked(answer).ticket, phone.code()))).status).toBe(200);
  const me = await eve.call(session.me);
  expect([me.session_id === session_id, me.sign_in?.factor]).toEqual([false, 'totp']);
  expect(await eve.call(credentials.sessions)).toHaveLength(1);
  await makeToken(eve);
  // The provider's own factor counts where the site trusts it.
  site.app.clock.advance(11 * MINUTE);
  expect((await confirm(eve, seconds(), { acr: 'gold' })).json()).toHaveProperty('fresh_until');
  expect((await eve.call(factors.get)).factor_state).toBe('set');
});

test('a security key answers the second step of a sign-in and of a confirmation at the provider', async () => {
  const eve = await eveLater();
  await confirm(eve, seconds());
  const { soft } = await addPasskey(eve, 'factor');
  const browser = site.app.guest();
  const { ticket } = asked(await signInBySso(site, browser));
  const step = { path: factors.loginFactor.path, json: await touchOf(browser, ticket, soft) };
  expect((await browser.request(step)).status).toBe(200);
  expect((await browser.call(session.me)).sign_in).toMatchObject({ method: 'sso', factor: 'passkey' });
  site.app.clock.advance(11 * MINUTE);
  await expect(makeToken(eve)).rejects.toMatchObject(stale);
  const again = asked(await confirm(eve, seconds()));
  const json = await touchOf(eve, again.ticket, soft);
  expect((await eve.request({ path: factors.loginFactor.path, json })).status).toBe(200);
  await makeToken(eve);
});

test('an account whose password confirms is not sent to the provider, until local sign-in is off', async () => {
  site = await startSsoApp();
  const { app, ada } = site;
  const bob = await app.signUp('bob');
  await linkBySso(site, bob);
  expect((await bob.call(credentials.confirmWays)).ways).toEqual([{ password: true, factor: [] }]);
  const begin = { path: '/identity/api/sso/acme/begin', json: { purpose: 'confirm' } };
  expect(codeOf(await bob.request(begin))).toEqual([404, 'not_found']);

  const { phone } = await guard(app, ada);
  await ada.call(people.setBreakGlass, { params: { id: ada.userId }, body: { status: true } });
  site.provider.claims = { sub: 'sub-ada', auth_time: seconds() };
  await linkBySso(site, ada);
  const there = await signInBySso(site, ada);
  app.clock.advance(STEP);
  await ada.request(stepOf(asked(there).ticket, phone.code()));
  const off = { local_sign_in: 'off', unlinked: 0 };
  expect((await ada.request({ method: 'PUT', path: '/system/api/setting/signIn', json: off })).status).toBe(200);
  expect(await isIn(bob)).toBe(false);
  site.provider.claims = {};
  const bobs = app.guest();
  await signInBySso(site, bobs);
  expect((await bobs.call(credentials.confirmWays)).ways).toEqual([{ provider_id: 'acme', name: 'Acme' }]);
  expect((await confirm(bobs, seconds())).status).toBe(200);
  await bobs.call(sso.links);
  // The break-glass account has its password.
  app.clock.advance(STEP);
  const adas = await signInWith(app, ada, phone.code());
  expect((await adas.call(credentials.confirmWays)).ways).toMatchObject([{ password: true }]);
});

test('a link that ends meanwhile confirms nothing', async () => {
  const eve = await eveLater();
  const url = await urlFor(eve, 'confirm');
  site.provider.claims = { auth_time: seconds() };
  const [row] = await eve.call(sso.links);
  const params = { id: (await eve.call(session.me)).user?.user_id ?? '', linkId: row?.link_id ?? '' };
  await site.ada.call(credentials.confirmPassword, { body: { password: site.ada.password } });
  await site.ada.call(sso.unlinkUser, { params });
  // The session ended with it.
  expect((await comeBack(eve, site.provider.signIn(url))).status).toBe(419);
  expect(await isIn(eve)).toBe(false);
});
