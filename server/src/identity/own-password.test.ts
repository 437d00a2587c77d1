/** Accounts without an account password (I56–I58): removed, set again, and never the only way in. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as credentials from '@passwordbroker/core/contract/account/credentials';
import * as passkeys from '@passwordbroker/core/contract/account/passkeys';
import { me } from '@passwordbroker/core/contract/account/session';
import * as sso from '@passwordbroker/core/contract/account/sso';
import * as people from '@passwordbroker/core/contract/users/people';
import { changeSettings, changeSignIn } from '@passwordbroker/core/contract/site/site';
import { addPasskey, signInByPasskey } from '../passkeys/testing/passkeys.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import type { TestClient } from '../testing/test-client.ts';
import { asked, eventsOf, guard, isIn, loginOf, stepOf, waitingMails } from './factors/testing/two-factors.ts';
import { linkBySso, signInBySso, startSsoApp, type SsoApp } from './sso/testing/sso-app.ts';

const MINUTE = 60_000;
const NEW = 'k4-Wz8 lantern orchard';
const ONLY_WAY = { code: 'conflict', message: 'It is your only way to sign in' };

let site: SsoApp;
let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
beforeEach(async () => {
  site = await startSsoApp();
  ({ app, ada } = site);
  bob = await app.signUp('bob');
});
afterEach(() => site.stop());

const remove = (person: TestClient) => person.call(credentials.removePassword);
const set = (person: TestClient, password = NEW) =>
  person.call(credentials.changePassword, { body: { password, password_confirmation: password } });
const hasPassword = async (person: TestClient) => (await person.call(me)).user?.has_password !== false;

test('I56: a person whom a passkey signs in removes it: other sessions and tokens end, and the own session gets a new id', async () => {
  const { soft, stored } = await addPasskey(bob);
  const other = await app.signIn(bob);
  const { token } = await bob.call(credentials.createToken, { body: { token_name: 'api' } });
  const before = bob.cookies.get('pb_session');
  expect(await remove(bob)).toBeUndefined();
  expect([await isIn(bob), await isIn(other)]).toEqual([true, false]);
  expect(bob.cookies.get('pb_session')).not.toBe(before);
  const headers = { authorization: `Bearer ${token}` };
  expect((await app.guest().request({ path: '/identity/api/tokens', headers })).status).toBe(401);
  expect(await hasPassword(bob)).toBe(false);
  expect(await eventsOf(app, 'password_removed')).toEqual([['password_removed', bob.email, null]]);
  expect(await waitingMails(app)).toContain(`${bob.email}: password removed`);
  await expect(remove(bob)).rejects.toMatchObject({ code: 'not_found' });

  const again = app.guest();
  await signInByPasskey(again, soft);
  expect(await again.call(credentials.confirmWays)).toEqual({ ways: [{ passkey: true }] });
  const removing = again.call(passkeys.remove, { params: { passkeyId: stored.passkey_id } });
  await expect(removing).rejects.toMatchObject(ONLY_WAY);
  expect((await again.call(passkeys.listAll)).passkeys).toHaveLength(1);
});

test('I56: a person whom a provider signs in removes it, and sets one again after a fresh sign-in', async () => {
  await linkBySso(site, bob);
  await remove(bob);
  const [link] = await bob.call(sso.links);
  const unlinking = bob.call(sso.unlink, { params: { linkId: link?.link_id ?? '' } });
  await expect(unlinking).rejects.toMatchObject(ONLY_WAY);
  const byAcme = app.guest();
  expect((await signInBySso(site, byAcme)).status).toBe(200);
  expect(await hasPassword(byAcme)).toBe(false);

  app.clock.advance(11 * MINUTE);
  await expect(set(bob)).rejects.toMatchObject({ code: 'reauth_required' });
  site.provider.claims = { auth_time: Math.floor(app.clock.now() / 1000) };
  expect((await signInBySso(site, byAcme, 'confirm')).status).toBe(200);
  await set(byAcme);
  expect([await hasPassword(byAcme), await isIn(bob)]).toEqual([true, false]);
  expect(await waitingMails(app)).toContain(`${bob.email}: first password set`);
  expect((await app.guest().request(loginOf({ ...bob, password: NEW } as SignedIn))).status).toBe(200);
  // The link is not the only way any more.
  await byAcme.call(sso.unlink, { params: { linkId: link?.link_id ?? '' } });
});

test('I57: it stays while nothing else signs in, and on a break-glass account', async () => {
  await expect(remove(bob)).rejects.toMatchObject(ONLY_WAY);
  await addPasskey(bob, 'unlock');
  await addPasskey(bob, 'factor');
  await expect(remove(bob)).rejects.toMatchObject(ONLY_WAY);
  const { stored } = await addPasskey(bob);
  const otherHost = (rp_id: string) =>
    app.deps.db.transact((tx) =>
      tx.updateTable('user_passkeys').set({ rp_id }).where('passkey_id', '=', stored.passkey_id).execute(),
    );
  await otherHost('former.example');
  await expect(remove(bob)).rejects.toMatchObject(ONLY_WAY);
  await otherHost('localhost');
  await ada.call(changeSettings, { body: { passkey_sign_in: 'off' } });
  await expect(remove(bob)).rejects.toMatchObject(ONLY_WAY);
  expect(await hasPassword(bob)).toBe(true);

  await linkBySso(site, ada);
  const { phone } = await guard(app, ada);
  await ada.call(people.setBreakGlass, { params: { id: ada.userId }, body: { status: true } });
  await expect(remove(ada)).rejects.toMatchObject({ message: 'A break-glass account keeps its password' });

  // While local sign-in is off, a passkey signs in nobody.
  await ada.call(changeSettings, { body: { passkey_sign_in: 'allowed' } });
  const byAcme = app.guest();
  const auth_time = Math.floor(app.clock.now() / 1000);
  site.provider.claims = { auth_time };
  const { ticket } = asked(await signInBySso(site, byAcme));
  await byAcme.request(stepOf(ticket, phone.code()));
  const cy = await app.signUp('cy');
  site.provider.claims = { auth_time, sub: 'sub-2', email: 'cy@example.org' };
  await linkBySso(site, cy);
  const byLink = app.guest();
  await signInBySso(site, byLink);
  await addPasskey(cy);
  await byAcme.call(changeSignIn, { body: { local_sign_in: 'off', unlinked: 1 } });
  await remove(byLink);
  const [link] = await byLink.call(sso.links);
  const unlinking = byLink.call(sso.unlink, { params: { linkId: link?.link_id ?? '' } });
  await expect(unlinking).rejects.toMatchObject(ONLY_WAY);
});

test('I57: not with an old sign-in or a token, and a concurrent second removal finds nothing', async () => {
  await addPasskey(bob);
  const { token } = await bob.call(credentials.createToken, { body: { token_name: 'api' } });
  const headers = { authorization: `Bearer ${token}` };
  const { path, method } = credentials.removePassword;
  expect((await app.guest().request({ path, method, headers })).status).toBe(403);
  app.clock.advance(11 * MINUTE);
  await expect(remove(bob)).rejects.toMatchObject({ code: 'reauth_required' });
  await bob.call(credentials.confirmPassword, { body: { password: bob.password } });
  const other = bob.copy();
  const results = await Promise.allSettled([remove(bob), remove(other)]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(await eventsOf(app, 'password_removed')).toHaveLength(1);
});

test('I57: an admin who signs in with a passkey alone cannot switch such passkeys off', async () => {
  await addPasskey(ada);
  await remove(ada);
  await expect(ada.call(changeSettings, { body: { passkey_sign_in: 'off' } })).rejects.toMatchObject(ONLY_WAY);
  await set(ada);
  await ada.call(changeSettings, { body: { passkey_sign_in: 'off' } });
});

test('I58: a login by password is refused as for an unknown account; an admin can set a password', async () => {
  await linkBySso(site, bob);
  await remove(bob);
  const login = async (email: string) => {
    const answer = await app.guest().request({ path: '/identity/api/login', json: { email, password: bob.password } });
    return [answer.status, { ...answer.json(), request_id: '' }];
  };
  const refused = await login(bob.email);
  expect(refused).toMatchObject([401, { code: 'invalid_credentials' }]);
  expect(refused).toEqual(await login('nobody@example.org'));
  const guessed = bob.call(credentials.confirmPassword, { body: { password: bob.password } });
  await expect(guessed).rejects.toMatchObject({ errors: { password: ['Password is incorrect'] } });
  await ada.call(people.update, { params: { id: bob.userId }, body: { password: NEW, password_confirmation: NEW } });
  expect((await app.guest().request(loginOf({ ...bob, password: NEW } as SignedIn))).status).toBe(200);
});
