/** Logout tokens of a provider, and those that an attacker sends; the way to its logout page. */
import { afterEach, expect, test } from 'vitest';
import * as session from '@passwordbroker/core/contract/account/session';
import { MINUTE } from '../../testing/test-clock.ts';
import type { TestAnswer } from '../../testing/test-client.ts';
import { asked, codeOf, eventsOf, guard, isIn, stepOf } from '../factors/testing/two-factors.ts';
import { linkBySso, signInBySso, startSsoApp, type SsoApp } from './testing/sso-app.ts';
import { CLIENT, signedByClientSecret, signedByStranger, unsigned } from './testing/test-provider.ts';

let site: SsoApp;
afterEach(() => site.stop());

const start = async (settings: object = {}) => {
  site = await startSsoApp({ back_channel_logout: true, ...settings });
  return site;
};
const seconds = () => Math.floor(site.app.clock.now() / 1000);

let tokens = 0;
/** The right claims of a logout token, with others beside or in place of them. */
function claimsOf(more: Record<string, unknown> = {}): Record<string, unknown> {
  tokens += 1;
  return {
    iss: site.provider.issuer,
    aud: CLIENT.id,
    iat: seconds(),
    exp: seconds() + 120,
    jti: `jti-${tokens}`,
    sub: 'sub-1',
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    ...more,
  };
}

/** As a provider sends it: a form, without cookies. */
function send(logout_token: string, { provider = 'acme', address }: { provider?: string; address?: string } = {}) {
  return site.app.guest().request({
    method: 'POST',
    path: `/identity/api/sso/${provider}/backchannelLogout`,
    form: { logout_token },
    ...(address === undefined ? {} : { address }),
  });
}
const sign = (more: Record<string, unknown> = {}, type: string | undefined = 'logout+jwt') =>
  site.provider.sign(claimsOf(more), type);

async function eveAt(sid: string | undefined, sub = 'sub-1', email = 'eve@example.org') {
  const eve = site.app.guest();
  site.provider.claims = { sub, email, ...(sid === undefined ? {} : { sid }) };
  expect((await signInBySso(site, eve)).status).toBe(200);
  return eve;
}
const done = (answer: TestAnswer) => [answer.status, answer.json()];
const ENDED = [200, { message: 'Logged Out' }];

test('a logout token ends the session that it names, or all of the subject, and no other', async () => {
  const { app, ada } = await start();
  const [here, there, unnamed] = [await eveAt('sid-1'), await eveAt('sid-2'), await eveAt(undefined)];
  const kim = await eveAt('sid-3', 'sub-2', 'kim@example.org');
  expect(done(await send(await sign({ sub: undefined, sid: 'sid-1' })))).toEqual(ENDED);
  expect([await isIn(here), await isIn(there), await isIn(unnamed), await isIn(kim)]).toEqual([
    false,
    true,
    true,
    true,
  ]);
  // The session of another subject is not ended by its name.
  expect(done(await send(await sign({ sid: 'sid-3' })))).toEqual(ENDED);
  expect([await isIn(there), await isIn(unnamed), await isIn(kim)]).toEqual([true, false, true]);
  expect(done(await send(await sign()))).toEqual(ENDED);
  expect([await isIn(there), await isIn(kim), await isIn(ada)]).toEqual([false, true, true]);
  // The same answer where there is nothing to end.
  for (const more of [{}, { sub: 'nobody' }, { sub: undefined, sid: 'unknown' }]) {
    expect(done(await send(await sign(more)))).toEqual(ENDED);
  }
  const ended = await eventsOf(app, 'session_ended');
  expect(ended).toEqual(Array.from({ length: 3 }, () => ['session_ended', null, '{"provider":"acme","count":1}']));
});

test('the token may be without type, come from a clock that differs, and name several receivers', async () => {
  await start();
  for (const token of [
    () => sign({}, 'JWT'),
    () => site.provider.sign(claimsOf()),
    () => sign({ iat: seconds() - 600 }),
    () => sign({ iat: seconds() + 60 }),
    () => sign({ aud: ['other', CLIENT.id] }),
    () => sign({ exp: seconds() - 30 }),
  ]) {
    const eve = await eveAt('sid-1');
    expect(done(await send(await token()))).toEqual(ENDED);
    expect(await isIn(eve)).toBe(false);
  }
});

test('I130: forged, old, foreign and replayed tokens end nothing', async () => {
  const { provider, app } = await start();
  const eve = await eveAt('sid-1');
  const asked = provider.requests.length;
  const cheap: Record<string, string> = {
    empty: '',
    'no token': 'x',
    'three dots': 'a.b.c',
    'no signature (alg none)': await unsigned(claimsOf()),
    HS256: await signedByClientSecret(claimsOf()),
    iss: await sign({ iss: 'https://other.example' }),
    'iss of another spelling': await sign({ iss: `${provider.issuer}/` }),
    aud: await sign({ aud: 'other' }),
    'no aud': await sign({ aud: undefined }),
    nonce: await sign({ nonce: 'x' }),
    'empty nonce': await sign({ nonce: null }),
    'old iat': await sign({ iat: seconds() - 661 }),
    'iat ahead': await sign({ iat: seconds() + 661 }),
    'no iat': await sign({ iat: undefined }),
    'no exp': await sign({ exp: undefined }),
    'no events': await sign({ events: undefined }),
    'other events': await sign({ events: { 'http://schemas.openid.net/event/other': {} } }),
    'events as text': await sign({ events: 'http://schemas.openid.net/event/backchannel-logout' }),
    'event as text': await sign({ events: { 'http://schemas.openid.net/event/backchannel-logout': 'x' } }),
    'inherited event': await sign({ events: JSON.parse('{"__proto__": {}}') as object }),
    'no jti': await sign({ jti: undefined }),
    'jti as a number': await sign({ jti: 1 }),
    'long jti': await sign({ jti: 'x'.repeat(256) }),
    'nobody named': await sign({ sub: undefined }),
    'empty sub': await sign({ sub: '' }),
    'sid as a list': await sign({ sid: ['sid-1'] }),
    'an ID token': await site.provider.sign(claimsOf({ nonce: 'x', events: undefined, sid: 'sid-1' })),
    'an access token': await sign({}, 'at+jwt'),
    'too long': await sign({ more: 'x'.repeat(17_000) }),
  };
  for (const [name, token] of Object.entries(cheap)) {
    expect([name, codeOf(await send(token))]).toEqual([name, [400, 'bad_request']]);
  }
  // None of them made the server ask the provider.
  expect(provider.requests).toHaveLength(asked);
  const signed: Record<string, string> = {
    'a stranger’s key': await signedByStranger(claimsOf()),
    expired: await sign({ exp: seconds() - 61 }),
    'iat ahead of the clock': await sign({ iat: seconds() + 61 }),
    altered: (await sign()).replace(/.{9}$/, 'AAAAAAAAA'),
  };
  for (const [name, token] of Object.entries(signed)) {
    expect([name, codeOf(await send(token))]).toEqual([name, [400, 'bad_request']]);
  }
  // One look at the keys is enough for all.
  expect(provider.requests.slice(asked)).toEqual(['/keys']);
  expect(await isIn(eve)).toBe(true);

  const good = await sign();
  expect(done(await send(good))).toEqual(ENDED);
  const again = await eveAt('sid-1');
  expect(codeOf(await send(good))).toEqual([400, 'bad_request']);
  app.clock.advance(9 * MINUTE);
  expect(codeOf(await send(good))).toEqual([400, 'bad_request']);
  expect(await isIn(again)).toBe(true);
  // Another token cannot take its name, either.
  const taken = await sign({ jti: `jti-${tokens}` });
  expect(codeOf(await send(taken))).toEqual([400, 'bad_request']);
});

test('a token works once, however many arrive together', async () => {
  await start();
  await eveAt('sid-1');
  const token = await sign();
  const answers = await Promise.all(Array.from({ length: 8 }, () => send(token)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200,
    ...Array.from({ length: 7 }, () => 400),
  ]);
});

test('it is off by default, unknown to others, and refuses large bodies and floods', async () => {
  await start({ back_channel_logout: undefined });
  const eve = await eveAt('sid-1');
  expect(codeOf(await send(await sign()))).toEqual([404, 'not_found']);
  expect(codeOf(await send(await sign(), { provider: 'other' }))).toEqual([404, 'not_found']);
  expect(await isIn(eve)).toBe(true);
  await site.stop();

  await start();
  const huge = await send('x'.repeat(3_000_000));
  expect(huge.status).toBe(413);
  const address = '203.0.113.7';
  for (let sent = 0; sent < 30; sent += 1) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => send('x', { address })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]));
  }
  const limited = await send(await sign(), { address });
  expect([limited.status, Number(limited.headers['retry-after']) > 0]).toEqual([429, true]);
  // The provider's own requests are not counted with those, and people still sign in from there.
  expect(done(await send(await sign()))).toEqual(ENDED);
  const there = site.app.guest();
  expect((await there.request({ path: '/identity/api/me', address })).status).toBe(200);
  site.app.clock.advance(16 * MINUTE);
  expect(done(await send(await sign(), { address }))).toEqual(ENDED);
});

test('a provider that is away is 503, and its token works later', async () => {
  const { provider } = await start();
  const eve = await eveAt('sid-1');
  const token = await sign();
  provider.misbehave = (_, response) => {
    response.writeHead(500).end();
    return true;
  };
  expect(codeOf(await send(token))).toEqual([503, 'provider_unavailable']);
  provider.misbehave = null;
  expect(done(await send(token))).toEqual(ENDED);
  expect(await isIn(eve)).toBe(false);
});

test('a sign-in that waits for its second factor ends too', async () => {
  const { app } = await start();
  const bob = await app.signUp('bob');
  site.provider.claims = { sub: 'bob', sid: 'sid-0' };
  await linkBySso(site, bob);
  const { phone } = await guard(app, bob);
  for (const ends of [{ sub: undefined, sid: 'sid-1' }, { sub: 'bob' }]) {
    const [waiting, other] = [app.guest(), app.guest()];
    site.provider.claims = { sub: 'bob', sid: 'sid-1' };
    const { ticket } = asked(await signInBySso(site, waiting));
    site.provider.claims = { sub: 'bob', sid: 'sid-2' };
    const { ticket: otherTicket } = asked(await signInBySso(site, other));
    expect(done(await send(await sign(ends)))).toEqual(ENDED);
    expect(codeOf(await waiting.request(stepOf(ticket, phone.code())))).toEqual([401, 'ticket_invalid']);
    const isOther = ends.sub === undefined ? 200 : 401;
    expect((await other.request(stepOf(otherTicket, phone.code()))).status).toBe(isOther);
    app.clock.advance(MINUTE);
  }
});

test('a logout leads to the logout page of the provider, if the site wants that', async () => {
  const { app, provider, ada } = await start({ logout_at_provider: true });
  const eve = await eveAt('sid-1');
  const { message, logout_url = '' } = await eve.call(session.logout);
  const url = new URL(logout_url);
  expect([message, `${url.origin}${url.pathname}`]).toEqual(['Logged Out', `${provider.issuer}/logout`]);
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_id: CLIENT.id,
    post_logout_redirect_uri: `${app.deps.config.publicUrl}/identity/login`,
  });
  expect(await isIn(eve)).toBe(false);
  // Not after a sign-in by password.
  expect(await ada.call(session.logoutPost)).toEqual({ message: 'Logged Out' });

  // A provider that is away, or has no such page, keeps nobody signed in.
  const kim = await eveAt('sid-2');
  provider.discovery = { end_session_endpoint: undefined };
  app.clock.advance(25 * MINUTE);
  await isIn(kim);
  app.clock.advance(25 * MINUTE);
  await isIn(kim);
  app.clock.advance(25 * MINUTE);
  expect(await kim.call(session.logout)).toEqual({ message: 'Logged Out' });
  const again = await eveAt('sid-3');
  provider.misbehave = (_, response) => {
    response.writeHead(500).end();
    return true;
  };
  // Another process, which has not asked for its addresses yet.
  await app.restart();
  expect(await again.call(session.logout)).toEqual({ message: 'Logged Out' });
  expect(await isIn(again)).toBe(false);
});
