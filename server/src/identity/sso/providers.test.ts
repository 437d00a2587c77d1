/** The settings of a provider in the panel. */
import { afterEach, expect, test } from 'vitest';
import * as providers from '@passwordbroker/core/contract/site/providers';
import { signIn as siteSignIn } from '@passwordbroker/core/contract/site/site';
import { codeOf, eventsOf, guard, isIn } from '../factors/testing/two-factors.ts';
import { comeBack, linkBySso, signInBySso, startSsoApp, urlFor, type SsoApp } from './testing/sso-app.ts';

let site: SsoApp;
afterEach(() => site.stop());

const acme = { providerId: 'acme' };

test('a provider is switched in the panel; the environment wins, and off ends its sessions', async () => {
  site = await startSsoApp({ enabled: undefined, session_hours: 3 });
  const { app, provider, ada } = site;
  const change = (body: object) => ada.call(providers.change, { params: acme, body });
  expect(await ada.call(providers.listAll)).toMatchObject([
    { provider_id: 'acme', has_secret: true, enabled: false, session_hours: 3, accounts: 0, sessions: 0 },
  ]);
  await expect(signInBySso(site, app.guest())).rejects.toMatchObject({ code: 'not_found' });
  await expect(change({ session_hours: 5 })).rejects.toMatchObject({ code: 'conflict' });
  await expect(change({ second_factor: 'provider' })).rejects.toMatchObject({ code: 'validation' });
  expect(await change({ enabled: true })).toMatchObject({ enabled: true });
  const eve = app.guest();
  expect((await signInBySso(site, eve)).status).toBe(200);
  expect(await ada.call(providers.listAll)).toMatchObject([{ accounts: 1, sessions: 1 }]);
  expect(await ada.call(providers.test, { params: acme })).toEqual({ ok: true, problems: [] });
  provider.discovery = { id_token_signing_alg_values_supported: ['ES256'] };
  expect(await ada.call(providers.test, { params: acme })).toMatchObject({ ok: false });
  await change({ enabled: false });
  expect(await isIn(eve)).toBe(false);
  expect(await eventsOf(app, 'provider_changed')).toHaveLength(2);
});

test('a sign-in that waits for the provider while it is switched off begins nothing', async () => {
  site = await startSsoApp({ enabled: undefined });
  const { app, provider, ada } = site;
  const setEnabled = (enabled: boolean) => ada.call(providers.change, { params: acme, body: { enabled } });
  await setEnabled(true);
  const bob = await app.signUp('bob');
  const tickets = () => app.deps.db.read.selectFrom('sign_in_tickets').selectAll().execute();
  const signInMeanwhile = async () => {
    const browser = app.guest();
    const query = provider.signIn(await urlFor(browser));
    provider.forge = async (claims) => {
      await setEnabled(false);
      return provider.sign(claims);
    };
    const answer = codeOf(await comeBack(browser, query));
    provider.forge = null;
    await setEnabled(true);
    return [answer, await isIn(browser)];
  };
  // Of a new person, a linked one, and one with a second factor.
  expect(await signInMeanwhile()).toEqual([[404, 'not_found'], false]);
  expect(await app.deps.db.read.selectFrom('users').select('name').orderBy('name').execute()).toEqual([
    { name: 'ada' },
    { name: 'bob' },
  ]);
  await linkBySso(site, bob);
  expect(await signInMeanwhile()).toEqual([[404, 'not_found'], false]);
  await guard(app, bob);
  expect(await signInMeanwhile()).toEqual([[404, 'not_found'], false]);
  expect(await tickets()).toEqual([]);
});

test('a link to a provider that is switched off does not count as a way to sign in', async () => {
  site = await startSsoApp({ enabled: undefined });
  const { ada } = site;
  const setEnabled = (enabled: boolean) => ada.call(providers.change, { params: acme, body: { enabled } });
  await setEnabled(true);
  await linkBySso(site, ada);
  expect((await ada.call(siteSignIn)).unlinked).toBe(0);
  await setEnabled(false);
  expect((await ada.call(siteSignIn)).unlinked).toBe(1);
});
