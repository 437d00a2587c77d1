/** Account passwords and passkeys beside providers, and break-glass accounts. */
import { afterEach, expect, test } from 'vitest';
import * as credentials from '@passwordbroker/core/contract/account/credentials';
import { makeRecoveryCodes } from '@passwordbroker/core/contract/account/factors';
import * as session from '@passwordbroker/core/contract/account/session';
import * as sso from '@passwordbroker/core/contract/account/sso';
import { change } from '@passwordbroker/core/contract/site/providers';
import { changeSignIn, signIn as siteSignIn, type SignInSettings } from '@passwordbroker/core/contract/site/site';
import * as invites from '@passwordbroker/core/contract/users/invites';
import * as people from '@passwordbroker/core/contract/users/people';
import { EXIT } from '../../commands/command.ts';
import { runCommandLine } from '../../commands/run.ts';
import { answerWith } from '../../passkeys/testing/authenticator.ts';
import { addPasskey, ORIGIN, signInByPasskey } from '../../passkeys/testing/passkeys.ts';
import { warnAboutLocalSignIn } from '../../system/housekeeping.ts';
import { signUpBody } from '../../testing/test-app.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { testPerson } from '../../testing/test-person.ts';
import {
  asked,
  codeOf,
  eventsOf,
  guard,
  isIn,
  loginOf,
  signInWith,
  STEP,
  stepOf,
} from '../factors/testing/two-factors.ts';
import { linkBySso, refusal, signInBySso, startSsoApp, type SsoApp } from '../sso/testing/sso-app.ts';

let site: SsoApp;
afterEach(() => site.stop());

/** Makes the sign-in fresh. */
const fresh = () => ({ auth_time: Math.floor(site.app.clock.now() / 1000) });

const link = (person: TestClient) => linkBySso(site, person);

/** Ada is signed in by the provider, with her second factor. */
async function adaByProvider() {
  const { app, provider, ada } = site;
  await link(ada);
  const { phone } = await guard(app, ada);
  provider.claims = fresh();
  const byAcme = app.guest();
  const { ticket } = asked(await signInBySso(site, byAcme));
  await byAcme.request(stepOf(ticket, phone.code()));
  const name = (id: string, status: boolean) => byAcme.call(people.setBreakGlass, { params: { id }, body: { status } });
  return { byAcme, phone, name };
}

const switchTo = (by: TestClient, local_sign_in: SignInSettings['local_sign_in'], unlinked?: number) =>
  by.call(changeSignIn, { body: { local_sign_in, unlinked } });

async function runLocalSignIn(...args: string[]) {
  const said: string[] = [];
  const take = (line: string) => void said.push(line);
  const secret = () => Promise.resolve('');
  const terminal = { say: take, tell: take, secret, knownSecret: secret };
  return { code: await runCommandLine(['identity', 'local-sign-in', ...args], site.app.environment, terminal), said };
}

test('off needs a sign-in by a provider, a break-glass account and the number; then only those get in (I125–I127)', async () => {
  site = await startSsoApp();
  const { app, ada } = site;
  const bob = await app.signUp('bob');
  const { soft } = await addPasskey(bob);
  await expect(switchTo(ada, 'off', 1)).rejects.toMatchObject({
    message: 'Sign in with a provider first: then you know that it works.',
  });
  const { byAcme, phone, name } = await adaByProvider();
  await expect(switchTo(byAcme, 'off', 1)).rejects.toMatchObject({ message: 'Name a break-glass account first.' });
  await expect(name(bob.userId, true)).rejects.toMatchObject({ code: 'conflict' });
  expect(await name(ada.userId, true)).toMatchObject({ break_glass: true });
  const only = async (filter: (typeof people.PEOPLE_FILTERS)[number]) =>
    (await byAcme.call(people.search, { query: { only: filter } })).data;
  expect(await only('unlinked')).toMatchObject([{ name: 'bob' }]);
  expect(await only('without_factor')).toMatchObject([{ name: 'bob' }]);
  expect(await only('break_glass')).toMatchObject([{ name: 'ada', providers: ['Acme'], break_glass: true }]);
  await expect(bob.call(people.search, { query: { only: 'unlinked' } })).rejects.toMatchObject({ code: 'forbidden' });
  expect(await byAcme.call(siteSignIn)).toMatchObject({ accounts: 2, without_factor: 1, unlinked: 1, tokens: 0 });
  await expect(switchTo(byAcme, 'off', 7)).rejects.toMatchObject({ code: 'conflict', details: { unlinked: 1 } });
  expect(await switchTo(byAcme, 'off', 1)).toMatchObject({ local_sign_in: 'off', unlinked: 1 });

  expect([await isIn(bob), await isIn(ada)]).toEqual([false, true]);
  expect(refusal(await app.guest().request(loginOf(bob)))).toEqual([403, 'local_sign_in_off', 'Sign in with Acme.']);
  await expect(signInByPasskey(app.guest(), soft)).rejects.toMatchObject({ code: 'local_sign_in_off' });
  const wrong = { ...bob, password: 'wrong' };
  expect(codeOf(await app.guest().request(loginOf(wrong)))).toEqual([401, 'invalid_credentials']);
  await expect(name(ada.userId, false)).rejects.toMatchObject({
    message: 'The last break-glass account stays while local sign-in is off',
  });
  expect((await app.guest().call(session.me)).ways?.password).toBe(true);
  app.clock.advance(STEP);
  await signInWith(app, ada, phone.code());
  expect(await eventsOf(app, 'break_glass_login')).toHaveLength(1);
  const mail = app.deps.db.read.selectFrom('mail_outbox').select('details').where('notice', '=', 'break-glass used');
  expect((await mail.execute()).map(({ details }) => JSON.parse(details))).toMatchObject([{ name: 'ada', by: 'ada' }]);
});

test('an account that is no longer for break-glass loses its local sessions while local sign-in is off', async () => {
  site = await startSsoApp();
  const { app, ada } = site;
  const [bob, cy] = [await app.signUp('bob'), await app.signUp('cy')];
  const { byAcme, name } = await adaByProvider();
  for (const one of [bob, cy]) {
    await guard(app, one);
    await byAcme.call(people.setAdmin, { params: { id: one.userId }, body: { is_admin: true } });
    await name(one.userId, true);
  }
  const statusOf = async () => [await isIn(bob), await isIn(cy), await isIn(byAcme)];
  await name(ada.userId, true);
  await switchTo(byAcme, 'off', 0);
  expect(await statusOf()).toEqual([true, true, true]);
  await name(bob.userId, false);
  await byAcme.call(people.setAdmin, { params: { id: cy.userId }, body: { is_admin: false } });
  await name(ada.userId, false).catch(() => undefined);
  expect(await statusOf()).toEqual([false, false, true]);
});

test('while it is off, account passwords confirm nothing, passkeys do, and an invitation makes no account with one', async () => {
  site = await startSsoApp();
  const { app, provider, ada } = site;
  const bob = await app.signUp('bob');
  provider.claims = { sub: 'bob' };
  await link(bob);
  const { token } = await bob.call(credentials.createToken, { body: { token_name: 'own' } });
  const { soft } = await addPasskey(bob);
  provider.claims = {};
  const eve = await testPerson('eve');
  const sent = await ada.call(invites.create, { body: { user: { email: eve.email, username: eve.name } } });
  const { byAcme, name } = await adaByProvider();
  await name(ada.userId, true);
  await switchTo(byAcme, 'off', 0);

  provider.claims = { sub: 'bob', ...fresh() };
  const bobByAcme = app.guest();
  await signInBySso(site, bobByAcme);
  const atProvider = { provider_id: 'acme', name: 'Acme' };
  expect((await bobByAcme.call(credentials.confirmWays)).ways).toEqual([{ passkey: true }, atProvider]);
  await expect(bobByAcme.call(credentials.confirmPassword, { body: { password: bob.password } })).rejects.toMatchObject(
    { code: 'local_sign_in_off' },
  );
  const [own] = await bobByAcme.call(sso.links);
  await expect(bobByAcme.call(sso.unlink, { params: { linkId: own?.link_id ?? '' } })).rejects.toMatchObject({
    message: 'It is your only way to sign in',
  });
  const { options, options_token } = await bobByAcme.call(credentials.confirmOptions);
  const assertion = answerWith(soft, options.challenge, ORIGIN);
  await bobByAcme.call(credentials.confirmPassword, { body: { assertion, options_token } });
  const headers = { authorization: `Bearer ${token}` };
  expect((await app.guest().request({ path: credentials.tokens.path, headers })).status).toBe(200);
  const params = { token: new URL(sent.inviteLinkUrl).pathname.split('/').at(-1) ?? '' };
  // The page offers the provider alone.
  expect(await app.guest().call(invites.read, { params })).toMatchObject({ email: eve.email, with_password: false });
  const accepting = app.guest().call(invites.accept, { params, body: { user: signUpBody(eve) } });
  await expect(accepting).rejects.toMatchObject({ code: 'local_sign_in_off' });
  await switchTo(byAcme, 'allowed');
  expect(await app.guest().call(invites.read, { params })).toMatchObject({ with_password: true });
});

test('LOCAL_SIGN_IN and the command line let account passwords in again', async () => {
  site = await startSsoApp({ enabled: undefined });
  const { app, ada } = site;
  const bob = await app.signUp('bob');
  const setEnabled = (by: TestClient, enabled: boolean) =>
    by.call(change, { params: { providerId: 'acme' }, body: { enabled } });
  await setEnabled(ada, true);
  const { byAcme, name } = await adaByProvider();
  await name(ada.userId, true);
  await switchTo(byAcme, 'off', 1);
  await expect(setEnabled(byAcme, false)).rejects.toMatchObject({ code: 'conflict' });
  const warnings = async () => {
    await warnAboutLocalSignIn(app.deps);
    return app.log.filter((line) => line.includes('local_sign_in counts as allowed')).length;
  };
  const statusAndWarnings = async () => [(await app.guest().request(loginOf(bob))).status, await warnings()];
  expect(await statusAndWarnings()).toEqual([403, 0]);
  await app.restart({ LOCAL_SIGN_IN: 'allowed' });
  expect(await statusAndWarnings()).toEqual([200, 1]);
  expect((await ada.call(siteSignIn)).local_sign_in_overruled).toBe('LOCAL_SIGN_IN');
  await app.restart({ OIDC_PROVIDERS: '' });
  expect(await statusAndWarnings()).toEqual([200, 2]);
  await app.restart();
  expect(await statusAndWarnings()).toEqual([403, 2]);
  expect(await runLocalSignIn('off')).toMatchObject({ code: EXIT.usage });
  expect(await runLocalSignIn('allowed')).toEqual({ code: EXIT.done, said: ['local_sign_in is allowed now.'] });
  expect((await app.guest().request(loginOf(bob))).status).toBe(200);
  expect(await eventsOf(app, 'settings_changed')).toHaveLength(2);
});

test('a security key alone makes no break-glass account: it works on one host only', async () => {
  site = await startSsoApp();
  const { app, ada } = site;
  const bob = await app.signUp('bob');
  const params = { id: bob.userId };
  await ada.call(people.setAdmin, { params, body: { is_admin: true } });
  await addPasskey(bob, 'factor');
  const name = () => ada.call(people.setBreakGlass, { params, body: { status: true } });
  await app.deps.db.transact((tx) => tx.updateTable('user_recovery_codes').set({ used_at: 1 }).execute());
  await expect(name()).rejects.toMatchObject({
    code: 'conflict',
    message: 'It needs a site admin with a password and an authenticator app or recovery codes',
  });
  await bob.call(makeRecoveryCodes);
  expect(await name()).toMatchObject({ break_glass: true });
});

test('to_link restricts a person who was named for break-glass but is no site admin any more', async () => {
  site = await startSsoApp();
  const { app, ada } = site;
  const bob = await app.signUp('bob');
  const params = { id: bob.userId };
  await guard(app, bob);
  await ada.call(people.setAdmin, { params, body: { is_admin: true } });
  await ada.call(people.setBreakGlass, { params, body: { status: true } });
  await switchTo(ada, 'to_link');
  expect((await bob.call(session.me)).restriction).toBeUndefined();
  await link(ada);
  await ada.call(people.setAdmin, { params, body: { is_admin: false } });
  expect((await bob.call(session.me)).restriction).toBe('link');
});

test('to_link lets people without a link do nothing else first', async () => {
  site = await startSsoApp();
  const { app, provider, ada } = site;
  const bob = await app.signUp('bob');
  const { soft } = await addPasskey(bob);
  provider.claims = { sub: 'ada' };
  await link(ada);
  await switchTo(ada, 'to_link');
  await expect(bob.call(credentials.tokens)).rejects.toMatchObject({ code: 'sso_link_required' });
  const byPasskey = app.guest();
  await signInByPasskey(byPasskey, soft);
  for (const one of [bob, byPasskey]) expect((await one.call(session.me)).restriction).toBe('link');
  provider.claims = { sub: 'bob' };
  await link(bob);
  expect(await bob.call(credentials.tokens)).toEqual([]);
  const [row] = await bob.call(sso.links);
  await bob.call(sso.unlink, { params: { linkId: row?.link_id ?? '' } });
  expect((await bob.call(session.me)).restriction).toBe('link');
});
