/** Limits of sign-in attempts: what counts as a failure, for which account, and for how long (T3, T4). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as session from '@passwordbroker/core/contract/account/session';
import { ATTEMPT_LIMITS } from '../platform/passwords/attempts.ts';
import { addAttempt } from '../platform/passwords/attempts-repository.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { MINUTE } from '../testing/test-clock.ts';

let app: TestApp;
let ada: SignedIn;
beforeEach(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterEach(() => app.stop());

const login = (over: Record<string, unknown> = {}) => ({ email: ada.email, password: ada.password, ...over });

test('the 11th failure in 15 minutes and then the right password are 429, until Retry-After (T3)', async () => {
  const client = app.guest();
  const attempt = (password: string) => client.request({ path: '/identity/api/login', json: login({ password }) });
  for (let n = 0; n < 10; n += 1) expect((await attempt('wrong')).status).toBe(401);
  app.clock.advance(5 * MINUTE);
  const refused = await attempt('wrong');
  expect(refused.status).toBe(429);
  expect(refused.json()).toMatchObject({ code: 'too_many_requests', message: 'Too many attempts. Try again later.' });
  expect(refused.headers['retry-after']).toBe(String(10 * 60));
  expect((await attempt(ada.password)).status).toBe(429);
  app.clock.advance(10 * MINUTE);
  expect((await attempt(ada.password)).status).toBe(200);
});

test('concurrent failures each count', async () => {
  const statuses = await Promise.all(
    Array.from({ length: 16 }, async (_, n) => {
      const json = login({ password: 'wrong' });
      const answer = await app.guest().request({ path: '/identity/api/login', json, address: `192.0.2.${n}` });
      return answer.status;
    }),
  );
  expect(statuses.filter((status) => status === 401)).toHaveLength(10);
  expect(statuses.filter((status) => status === 429)).toHaveLength(6);
});

test('failures count over the last 15 minutes, not over fixed periods', async () => {
  const attempt = (password: string) => app.guest().request({ path: '/identity/api/login', json: login({ password }) });
  for (let n = 0; n < 5; n += 1) await attempt('wrong');
  app.clock.advance(14 * MINUTE);
  for (let n = 0; n < 5; n += 1) expect((await attempt('wrong')).status).toBe(401);
  expect((await attempt(ada.password)).headers['retry-after']).toBe('60');
  app.clock.advance(2 * MINUTE);
  for (let n = 0; n < 5; n += 1) {
    expect((await attempt('wrong')).status).toBe(401);
    app.clock.advance(2 ** n * 1000);
  }
  expect((await attempt(ada.password)).status).toBe(429);
});

test('refused attempts that were not checked are not failures, and right passwords lock nothing', async () => {
  const statuses: number[] = [];
  for (let round = 0; round < 2; round += 1) {
    const answers = Array.from({ length: 60 }, () =>
      app.guest().request({ path: '/identity/api/login', json: login() }),
    );
    for (const { status } of await Promise.all(answers)) statuses.push(status);
  }
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  await app.signIn(ada);
});

test('a locked account does not lock its address', async () => {
  const attempt = (email: string, password: string) =>
    app.guest().request({ path: '/identity/api/login', json: { email, password } });
  for (let n = 0; n < 70; n += 1) await attempt(ada.email, 'wrong');
  expect((await attempt(ada.email, ada.password)).status).toBe(429);
  expect((await attempt('bob@example.org', 'wrong')).status).toBe(401);
});

test('60 failures from one address in 15 minutes, over many accounts', async () => {
  const attempt = (n: number, address: string) =>
    app
      .guest()
      .request({ path: '/identity/api/login', address, json: { email: `x${n}@example.org`, password: 'wrong' } });
  for (let n = 0; n < 60; n += 1) expect((await attempt(n, '192.0.2.7')).status).toBe(401);
  expect((await attempt(60, '192.0.2.7')).status).toBe(429);
  expect((await attempt(61, '192.0.2.8')).status).toBe(401);
});

test('limits count per IPv6 /64 network and per IPv4 address in any notation (T151)', async () => {
  const proxied = await startTestApp({ environment: { TRUST_PROXY: 'loopback' } });
  try {
    const attempt = async (n: number, address: string) => {
      const json = { email: `x${n}@example.org`, password: 'wrong' };
      const headers = { 'x-forwarded-for': address };
      return (await proxied.guest().request({ path: '/identity/api/login', headers, json })).status;
    };
    for (let n = 0; n < 60; n += 1) expect(await attempt(n, `2001:db8:1:2:${n}::1`)).toBe(401);
    expect(await attempt(60, '2001:db8:1:2:ffff::9')).toBe(429);
    expect(await attempt(61, '2001:db8:1:3::1')).toBe(401);
    for (let n = 0; n < 60; n += 1) expect(await attempt(n, n % 2 === 0 ? '192.0.2.7' : '::ffff:192.0.2.7')).toBe(401);
    expect(await attempt(60, '192.0.2.7')).toBe(429);
    expect(await attempt(61, '::ffff:192.0.2.8')).toBe(401);
  } finally {
    await proxied.stop();
  }
});

test('the limit of an address blocks unknown browsers, not one that the account knows (T143)', async () => {
  const known = app.guest();
  await known.call(session.login, { body: login() });
  await known.call(session.logoutPost);
  for (let n = 0; n < 60; n += 1) {
    const json = { email: `x${n}@example.org`, password: 'wrong' };
    expect((await app.guest().request({ path: '/identity/api/login', json })).status).toBe(401);
  }
  expect((await app.guest().request({ path: '/identity/api/login', json: login() })).status).toBe(429);
  await known.call(session.login, { body: login() });
});

test('failures of strangers lock neither others out nor her known browser (T4)', async () => {
  const bob = await app.signUp('bob');
  await ada.call(session.logoutPost);
  for (let n = 0; n < 11; n += 1) {
    await app
      .guest()
      .request({ path: '/identity/api/login', address: `192.0.2.${n}`, json: login({ password: 'wrong' }) });
  }
  await app.guest().call(session.login, { body: { email: bob.email, password: bob.password } });
  const elsewhere = await app.guest().request({ path: '/identity/api/login', json: login() });
  expect(elsewhere.status).toBe(429);
  // The browser keeps its device cookie after sign-out.
  const browser = await app.signIn(bob);
  await browser.call(session.logoutPost);
  expect((await browser.request({ path: '/identity/api/login', json: login() })).status).toBe(429);
  app.clock.advance(15 * MINUTE);
  const hers = app.guest();
  await hers.call(session.login, { body: login() });
  await hers.call(session.logoutPost);
  for (let n = 0; n < 11; n += 1) {
    await app
      .guest()
      .request({ path: '/identity/api/login', address: `192.0.2.${n}`, json: login({ password: 'wrong' }) });
  }
  await hers.call(session.login, { body: login() });
});

test('a known browser waits after its own failures, and counts as unknown after 100 in a row', async () => {
  const hers = app.guest();
  await hers.call(session.login, { body: login() });
  await hers.call(session.logoutPost);
  let address = 0;
  const attempt = (password: string) =>
    hers.request({
      path: '/identity/api/login',
      address: `198.51.100.${(address += 1) % 250}`,
      json: login({ password }),
    });
  for (let n = 0; n < 10; n += 1) expect((await attempt('wrong')).status).toBe(401);
  app.clock.advance(16 * MINUTE);
  for (const seconds of [1, 2, 4]) {
    expect((await attempt('wrong')).status).toBe(401);
    const early = await attempt(ada.password);
    expect([early.status, early.headers['retry-after']]).toEqual([429, String(seconds)]);
    app.clock.advance(seconds * 1000);
  }
  const [device] = (hers.cookies.get('pb_device') ?? '').split('.');
  await app.deps.db.transact(async (tx) => {
    for (let n = 13; n < 99; n += 1) {
      await addAttempt(tx, `login:device-streak:${device}`, ATTEMPT_LIMITS.signInStreak.windowMs, app.clock.now());
    }
  });
  app.clock.advance(15 * MINUTE);
  expect((await attempt('wrong')).status).toBe(401);
  // Now the counters of the account apply, and strangers have used them up.
  for (let n = 0; n < 10; n += 1)
    await app.guest().request({ path: '/identity/api/login', json: login({ password: 'x' }) });
  app.clock.advance(MINUTE);
  expect((await attempt(ada.password)).status).toBe(429);
  app.clock.advance(15 * MINUTE);
  expect((await attempt(ada.password)).status).toBe(200);
});
