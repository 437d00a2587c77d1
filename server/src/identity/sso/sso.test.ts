/** Single sign-on: who is signed in, linked, made an account, and asked for more. */
import { afterEach, expect, test } from 'vitest';
import * as credentials from '@passwordbroker/core/contract/account/credentials';
import * as session from '@passwordbroker/core/contract/account/session';
import * as sso from '@passwordbroker/core/contract/account/sso';
import * as invites from '@passwordbroker/core/contract/users/invites';
import * as people from '@passwordbroker/core/contract/users/people';
import * as factors from '@passwordbroker/core/contract/account/factors';
import { startTestApp, type SignedIn } from '../../testing/test-app.ts';
import { MINUTE } from '../../testing/test-clock.ts';
import type { TestClient } from '../../testing/test-client.ts';
import {
  asked,
  codeOf,
  eventsOf,
  guard,
  isIn,
  loginOf,
  signInWith,
  stepOf,
  STEP,
} from '../factors/testing/two-factors.ts';
import { linkBySso, refusal, signInBySso, startSsoApp, urlFor, type SsoApp } from './testing/sso-app.ts';

let site: SsoApp;
const start = async (settings: object = {}) => {
  site = await startSsoApp(settings);
  return site;
};
afterEach(() => site.stop());

const linksStored = () => site.app.deps.db.read.selectFrom('user_sso_links').selectAll().execute();

const link = (person: TestClient) => linkBySso(site, person);

test('without a provider in the environment nothing is offered', async () => {
  const { app } = await start({ enabled: false });
  const guest = app.guest();
  expect(await guest.call(session.me)).toEqual({ message: 'guest', user: null, session_id: null });
  const begin = { path: '/identity/api/sso/acme/begin', json: { purpose: 'login' } };
  expect(codeOf(await guest.request(begin))).toEqual([404, 'not_found']);
  const plain = await startTestApp();
  expect(codeOf(await plain.guest().request(begin))).toEqual([404, 'not_found']);
  await plain.stop();
});

test('a new person of an admitted domain gets an account without password and keys', async () => {
  const { app, provider } = await start({ session_hours: 2 });
  const eve = app.guest();
  expect((await eve.call(session.me)).ways).toEqual({
    password: true,
    providers: [{ provider_id: 'acme', name: 'Acme' }],
  });
  const url = new URL(await urlFor(eve));
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    redirect_uri: `${app.deps.config.publicUrl}/identity/sso/callback`,
    response_type: 'code',
    scope: 'openid email profile',
    code_challenge_method: 'S256',
  });
  provider.claims = { name: 'ada' };
  const answer = await signInBySso(site, eve);
  expect([answer.status, answer.json()]).toMatchObject([
    200,
    {
      message: 'Login successful',
      user: { name: 'ada 2', email: 'eve@example.org', is_admin: false, has_keys: false, has_password: false },
    },
  ]);
  const me = await eve.call(session.me);
  expect(me.sign_in).toEqual({ method: 'sso', factor: null, provider_id: 'acme' });
  const [own] = await eve.call(credentials.sessions);
  expect(own).toMatchObject({ method: 'sso', provider_name: 'Acme' });
  expect(Date.parse(own?.expires_at ?? '') - app.clock.now()).toBe(2 * 60 * MINUTE);
  expect(await eventsOf(app, 'user_created', 'sso_linked', 'login')).toEqual(
    expect.arrayContaining([
      ['sso_linked', 'eve@example.org', '{"provider":"acme"}'],
      ['login', 'eve@example.org', '{"method":"sso","provider":"acme"}'],
    ]),
  );
  // No password signs in; the account can get one.
  const eveAs = { name: 'eve', email: 'eve@example.org', password: '' };
  expect(codeOf(await app.guest().request(loginOf({ ...site.ada, ...eveAs, password: 'x' })))).toEqual([
    401,
    'invalid_credentials',
  ]);
  expect((await eve.call(credentials.confirmWays)).ways).toEqual([{ provider_id: 'acme', name: 'Acme' }]);
  const { links } = { links: await eve.call(sso.links) };
  expect(links).toMatchObject([{ provider_id: 'acme', name: 'Acme', email_then: 'eve@example.org' }]);
  const only = eve.call(sso.unlink, { params: { linkId: links[0]?.link_id ?? '' } });
  await expect(only).rejects.toMatchObject({ code: 'conflict', message: 'It is your only way to sign in' });
  const password = 'A first password 7!';
  await eve.call(credentials.changePassword, { body: { password, password_confirmation: password } });
  expect(await isIn(eve)).toBe(true);
  expect((await app.guest().request(loginOf({ ...site.ada, ...eveAs, password }))).status).toBe(200);
  await eve.call(sso.unlink, { params: { linkId: links[0]?.link_id ?? '' } });
  expect([await isIn(eve), await linksStored()]).toEqual([false, []]);
});

test('who gets no account is told why', async () => {
  const { app, provider } = await start({ allowed_groups: ['vault'] });
  const told = async (claims: Record<string, unknown>) => {
    provider.claims = { groups: ['vault'], ...claims };
    const [status, code, message] = refusal(await signInBySso(site, app.guest()));
    return [status, code, message];
  };
  expect(await told({ groups: undefined })).toEqual([403, 'sso_refused', 'Your groups did not come with the sign-in.']);
  expect(await told({ groups: ['others'] })).toEqual([403, 'sso_refused', 'You are not in a group that may sign in.']);
  expect(await told({ email_verified: false })).toEqual([403, 'sso_refused', 'Acme has not confirmed your address.']);
  expect(await told({ email_verified: 'true' })).toEqual([403, 'sso_refused', 'Acme has not confirmed your address.']);
  expect(await told({ email: 'eve@sub.example.org' })).toEqual([
    403,
    'sso_refused',
    'Accounts of your domain are not admitted.',
  ]);
  expect((await told({ email: undefined })).slice(0, 2)).toEqual([403, 'sso_not_provisioned']);
  expect(await eventsOf(app, 'sso_refused')).toHaveLength(6);
  expect((await told({}))[0]).toBe(200);
  // Groups are judged at every sign-in.
  expect((await told({ groups: ['others'] }))[0]).toBe(403);
});

test('if the provider creates no accounts, a new person needs an invitation', async () => {
  const { app } = await start({ create_accounts: false });
  expect(refusal(await signInBySso(site, app.guest()))[2]).toBe(
    'You have no account here. Ask an administrator for an invitation.',
  );
});

test('an invitation is accepted only with the address that it names', async () => {
  const { app, provider, ada } = await start({ create_accounts: false });
  const invited = async (email: string) => {
    const { inviteLinkUrl } = await ada.call(invites.create, { body: { user: { email, username: 'evelyn' } } });
    return inviteLinkUrl.split('/').at(-1) ?? '';
  };
  const invite_token = await invited('eve@elsewhere.test');
  const eve = app.guest();
  expect(refusal(await signInBySso(site, eve, 'invite', { invite_token }))).toEqual([
    403,
    'sso_refused',
    'The invitation is for another address.',
  ]);
  provider.claims = { email: 'Eve@Elsewhere.test' };
  const answer = await signInBySso(site, eve, 'invite', { invite_token });
  expect(answer.json()).toMatchObject({ user: { name: 'evelyn', email: 'eve@elsewhere.test' } });
  const again = { path: '/identity/api/sso/acme/begin', json: { purpose: 'invite', invite_token } };
  expect(codeOf(await app.guest().request(again))).toEqual([404, 'not_found']);
});

test('the account’s own second factor is asked for, unless that of the provider counts', async () => {
  const { app, provider } = await start({ second_factor: 'provider', accepted_acr: ['gold'], accepted_amr: ['otp'] });
  const bob: SignedIn = await app.signUp('bob');
  await link(bob);
  const own = await guard(app, bob);
  const browser = app.guest();
  expect(new URL(await urlFor(browser)).searchParams.get('acr_values')).toBe('gold');
  const first = await signInBySso(site, browser);
  expect([codeOf(first), await isIn(browser)]).toEqual([[401, 'second_factor_required'], false]);
  expect((await browser.request(stepOf(asked(first).ticket, own.phone.code()))).status).toBe(200);
  expect((await browser.call(session.me)).sign_in).toEqual({ method: 'sso', factor: 'totp', provider_id: 'acme' });
  const mails = app.deps.db.read.selectFrom('mail_outbox').select('details').where('notice', '=', 'new device');
  const details = await mails.orderBy('created_at').execute();
  const ways = details.map((row) => (JSON.parse(row.details) as { readonly how: string }).how);
  expect(ways).toEqual(['account password', 'Acme and authenticator app']);
  for (const claims of [{ acr: 'gold' }, { amr: ['pwd', 'otp'] }]) {
    provider.claims = claims;
    const trusted = app.guest();
    expect((await signInBySso(site, trusted)).status).toBe(200);
    expect((await trusted.call(session.me)).sign_in?.factor).toBe('sso');
  }
  provider.claims = { acr: 'silver', amr: ['pwd'] };
  expect((await signInBySso(site, app.guest())).status).toBe(401);
  app.clock.advance(STEP);
  // The ticket of a second step ends with the link.
  const waiting = app.guest();
  const { ticket } = asked(await signInBySso(site, waiting));
  const here = await signInWith(app, bob, own.phone.code());
  const [row] = await here.call(sso.links);
  await here.call(sso.unlink, { params: { linkId: row?.link_id ?? '' } });
  app.clock.advance(STEP);
  expect(codeOf(await waiting.request(stepOf(ticket, own.phone.code())))).toEqual([401, 'ticket_invalid']);
});

test('a fresh sign-in by the provider needs its word; a disabled account stays out', async () => {
  const { app, provider, ada } = await start();
  const bob = await app.signUp('bob');
  await link(bob);
  const old = app.guest();
  await signInBySso(site, old);
  const [row] = await old.call(sso.links);
  const unlink = (person: TestClient) => person.call(sso.unlink, { params: { linkId: row?.link_id ?? '' } });
  await expect(unlink(old)).rejects.toMatchObject({ code: 'reauth_required' });
  provider.claims = { auth_time: Math.floor(app.clock.now() / 1000) - 60 };
  const fresh = app.guest();
  await signInBySso(site, fresh);
  await ada.call(people.setDisabled, { params: { id: bob.userId }, body: { status: true } });
  expect(refusal(await signInBySso(site, app.guest()))).toEqual([403, 'account_disabled', 'Your account is disabled.']);
  await ada.call(people.setDisabled, { params: { id: bob.userId }, body: { status: false } });
  const again = app.guest();
  await signInBySso(site, again);
  await unlink(again);
  expect([await isIn(again), await linksStored()]).toEqual([false, []]);
});

test('a remembered browser stands beside the account password alone, not beside a provider', async () => {
  const { app } = await start();
  const bob = await app.signUp('bob');
  await link(bob);
  const own = await guard(app, bob);
  const browser = await signInWith(app, bob, own.phone.code(), { more: { remember: true } });
  const byProvider = await signInBySso(site, browser);
  expect(codeOf(byProvider)).toEqual([401, 'second_factor_required']);
  expect(asked(byProvider)).toMatchObject({ can_remember: false, remember_days: 0 });
  app.clock.advance(STEP);
  const other = app.guest();
  const { ticket } = asked(await signInBySso(site, other));
  expect((await other.request(stepOf(ticket, own.phone.code(), { remember: true }))).status).toBe(200);
  expect((await other.call(factors.get)).remembered).toHaveLength(1);
});

test('factors are not reset while the account has neither password nor link', async () => {
  const { app, ada } = await start();
  const eve = app.guest();
  await signInBySso(site, eve);
  const id = (await eve.call(session.me)).user?.user_id ?? '';
  await guard(app, eve);
  const [row] = await eve.call(sso.links);
  await ada.call(sso.unlinkUser, { params: { id, linkId: row?.link_id ?? '' } });
  await expect(ada.call(factors.reset, { params: { id } })).rejects.toMatchObject({
    code: 'conflict',
    message: 'Give the account a password first',
  });
  expect((await ada.call(factors.ofUser, { params: { id } })).factor_state).toBe('set');
  const password = 'A first password 7!';
  await ada.call(people.update, { params: { id }, body: { password, password_confirmation: password } });
  expect((await ada.call(factors.reset, { params: { id } })).user.factor_state).toBe('reset');
});

test('the sessions of a provider end when the environment switches it off', async () => {
  const { app } = await start();
  const eve = app.guest();
  await signInBySso(site, eve);
  const OIDC_ACME_SETTINGS = JSON.stringify({ enabled: false });
  await app.restart();
  expect(await isIn(eve)).toBe(true);
  await app.restart({ OIDC_ACME_SETTINGS });
  expect(await isIn(eve)).toBe(false);
});
