/** Answers of a provider that do not hold, and providers that do not answer. */
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MINUTE } from '../../testing/test-clock.ts';
import { isIn } from '../factors/testing/two-factors.ts';
import { comeBack, refusal, signInBySso, startSsoApp, urlFor, type SsoApp } from './testing/sso-app.ts';
import { signedByClientSecret, signedByStranger, unsigned } from './testing/test-provider.ts';

let site: SsoApp;
beforeEach(async () => {
  site = await startSsoApp();
});
afterEach(() => site.stop());

const FAILED = [401, 'sso_failed', 'The sign-in at Acme did not succeed.'];
const UNKNOWN = [401, 'sso_failed', 'The sign-in did not succeed. Begin again.'];
const AWAY = [503, 'provider_unavailable', 'Acme does not answer.'];

const seconds = () => Math.floor(site.app.clock.now() / 1000);
const lastReason = () =>
  (JSON.parse(site.app.log.findLast((line) => line.includes('"reason"')) ?? '{}') as { reason: string }).reason;

test('tokens that are not for us, not from the provider or not of now sign nobody in (I110–I119)', async () => {
  const { app, provider } = site;
  const wrong: readonly Record<string, unknown>[] = [
    { iss: 'https://evil.example' },
    { aud: 'another' },
    { aud: ['vault', 'another'] },
    { nonce: 'another' },
    { nonce: undefined },
    { exp: seconds() - 120 },
    { iat: seconds() + 120 },
    { sub: '' },
    { sub: 'x'.repeat(256) },
  ];
  for (const claims of wrong) {
    provider.claims = claims;
    const guest = app.guest();
    expect([claims, refusal(await signInBySso(site, guest)), await isIn(guest)]).toEqual([claims, FAILED, false]);
  }
  provider.claims = {};
  for (const forge of [unsigned, signedByClientSecret, signedByStranger]) {
    provider.forge = forge;
    expect(refusal(await signInBySso(site, app.guest()))).toEqual(FAILED);
  }
  expect(await app.deps.db.read.selectFrom('user_sso_links').selectAll().execute()).toEqual([]);
  // The log has a reason, and no claim.
  expect(app.log.filter((line) => line.includes('"reason"'))).toHaveLength(wrong.length + 3);
  expect(app.log.join('')).not.toMatch(/example\.org|sub-1|evil/);
  provider.forge = null;
  expect((await signInBySso(site, app.guest())).status).toBe(200);
});

test('a wrong client secret is named in the log (I105)', async () => {
  const { app, provider } = site;
  const challenge = {
    'www-authenticate': 'Basic realm="x", error="invalid_client"',
    'content-type': 'application/json',
  };
  for (const headers of [challenge, { 'content-type': 'application/json' }]) {
    provider.misbehave = ({ url }, response) => {
      if (url !== '/token') return false;
      response.writeHead(401, headers).end('{"error":"invalid_client"}');
      return true;
    };
    expect(refusal(await signInBySso(site, app.guest()))).toEqual(FAILED);
    expect(lastReason()).toBe('invalid_client');
  }
});

test('an answer belongs to one browser, ten minutes and one use (I110, I111)', async () => {
  const { app, provider } = site;
  const browser = app.guest();
  const query = provider.signIn(await urlFor(browser));
  const other = app.guest();
  await urlFor(other);
  expect(refusal(await comeBack(other, query))).toEqual(UNKNOWN);
  const state = new URLSearchParams(query).get('state') ?? '';
  const altered = [
    query.replace('.login.', '.link.'),
    query.replace(/state=/, 'state=x'),
    `${query}&state=${state}`,
    query.replace(/&?state=[^&]*/, ''),
    '',
  ];
  for (const one of altered) expect(refusal(await comeBack(browser, one))).toEqual(UNKNOWN);
  expect((await comeBack(browser, `${query}&x=${'x'.repeat(9 * 1024)}`)).status).toBe(413);
  app.clock.advance(11 * MINUTE);
  expect(refusal(await comeBack(browser, query))).toEqual(UNKNOWN);

  // The browser keeps its guest cookie after a failure: the state is used all the same.
  const again = provider.signIn(await urlFor(browser));
  expect(refusal(await comeBack(browser, again.replace('code=', 'code=x')))).toEqual(FAILED);
  expect([refusal(await comeBack(browser, again)), lastReason()]).toEqual([FAILED, 'state_used']);
  const third = provider.signIn(await urlFor(browser));
  expect(refusal(await comeBack(browser, third.replace(/iss=[^&]*/, 'iss=https%3A%2F%2Fevil.example')))).toEqual(
    FAILED,
  );
  const fourth = provider.signIn(await urlFor(browser));
  const before = browser.copy();
  expect((await comeBack(browser, fourth)).status).toBe(200);
  expect((await comeBack(before, fourth)).status).toBe(401);
});

test('a refusal of the provider is told, and failures count for the address', async () => {
  const { app } = site;
  const back = async (error: string) => {
    const guest = app.guest();
    const state = new URL(await urlFor(guest)).searchParams.get('state') ?? '';
    return refusal(await comeBack(guest, new URLSearchParams({ error, state }).toString()));
  };
  expect(await back('access_denied')).toEqual([401, 'sso_failed', 'You did not sign in at Acme.']);
  expect(await back('server_error')).toEqual(FAILED);
  const guest = app.guest();
  await urlFor(guest);
  for (let count = 2; count < 60; count += 1) await comeBack(guest, 'state=x');
  expect((await signInBySso(site, app.guest())).status).toBe(429);
});

test('new keys of the provider count at once, and old ones no more (I117)', async () => {
  const { app, provider } = site;
  expect((await signInBySso(site, app.guest())).status).toBe(200);
  // Signed before the change, and read after it.
  provider.forge = async (claims) => {
    const token = await provider.sign(claims);
    await provider.rotate();
    return token;
  };
  expect(refusal(await signInBySso(site, app.guest()))).toEqual(FAILED);
  provider.forge = null;
  expect((await signInBySso(site, app.guest())).status).toBe(200);
});

test('a provider that is away, or not itself, is 503 and asked nowhere else (I128)', async () => {
  const { app, provider } = site;
  const begin = async () =>
    refusal(await app.guest().request({ path: '/identity/api/sso/acme/begin', json: { purpose: 'login' } }));
  const large = 'x'.repeat(1024 * 1024);
  for (const misbehaving of [
    (response: ServerResponse) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
    (response: ServerResponse) => response.writeHead(500).end('{}'),
    (response: ServerResponse) => response.writeHead(200).end(JSON.stringify({ large })),
    (response: ServerResponse) => response.destroy(),
    (response: ServerResponse) => response.writeHead(200).end('no JSON'),
  ]) {
    provider.misbehave = (_, response) => {
      misbehaving(response);
      return true;
    };
    expect(await begin()).toEqual(AWAY);
  }
  provider.misbehave = null;
  for (const discovery of [
    { issuer: `${provider.issuer}/` },
    { jwks_uri: 'http://10.0.0.1/keys' },
    { token_endpoint: 'https://169.254.169.254/token' },
    { token_endpoint: 'http://localhost/token' },
    { authorization_endpoint: 'javascript:alert(1)' },
    { token_endpoint: undefined },
  ]) {
    provider.discovery = discovery;
    expect([discovery, await begin()]).toEqual([discovery, AWAY]);
  }
  provider.discovery = {};
  const guest = app.guest();
  const query = provider.signIn(await urlFor(guest));
  provider.misbehave = (_, response) => {
    response.writeHead(503).end();
    return true;
  };
  expect(refusal(await comeBack(guest, query))).toEqual(AWAY);
  // What is known of the provider is good for a day, so that the person at least gets there.
  app.clock.advance(2 * 60 * MINUTE);
  expect(await urlFor(app.guest())).toContain(`${provider.issuer}/authorize`);
  app.clock.advance(24 * 60 * MINUTE);
  expect(await begin()).toEqual(AWAY);
});

test('the confirmation of an address counts only beside that address', async () => {
  const { app, provider } = site;
  provider.discovery = { userinfo_endpoint: `${provider.issuer}/userinfo` };
  provider.claims = { email: null, email_verified: true };
  provider.misbehave = ({ url }, response) => {
    if (url !== '/userinfo') return false;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ sub: 'sub-1', email: 'eve@example.org', email_verified: false }));
    return true;
  };
  expect(refusal(await signInBySso(site, app.guest()))).toEqual([
    403,
    'sso_refused',
    'Acme has not confirmed your address.',
  ]);
});
