import { afterEach, beforeEach, expect, test } from 'vitest';
import * as credentials from '@passwordbroker/core/contract/account/credentials';
import * as session from '@passwordbroker/core/contract/account/session';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { HOUR, MINUTE } from '../testing/test-clock.ts';
import type { TestClient } from '../testing/test-client.ts';

let app: TestApp;
let ada: SignedIn;
beforeEach(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterEach(() => app.stop());

const isIn = async (client: TestClient) => (await client.call(session.me)).message === 'loggedIn';
const NEW = 'another account password';
const change = (client: SignedIn, more: object = {}) =>
  client.call(credentials.changePassword, {
    body: { current_password: ada.password, password: NEW, password_confirmation: NEW, ...more },
  });
const events = async (...names: string[]) =>
  (await app.deps.db.read.selectFrom('audit_log').select('event_type').where('event_type', 'in', names).execute()).map(
    ({ event_type }) => event_type,
  );

test('own sessions are listed, and one can be ended from another (T24)', async () => {
  app.clock.advance(MINUTE);
  const other = await app.signIn(ada);
  const bob = await app.signUp('bob');
  const list = await other.call(credentials.sessions);
  expect(list.map(({ current }) => current)).toEqual([true, false]);
  expect(list[0]).toEqual({
    session_id: (await other.call(session.me)).session_id,
    current: true,
    address: '127.0.0.1',
    user_agent: expect.any(String),
    created_at: new Date(app.clock.now()).toISOString(),
    last_seen_at: new Date(app.clock.now()).toISOString(),
    expires_at: new Date(app.clock.now() + 12 * HOUR).toISOString(),
    method: 'password',
    factor: null,
  });
  const sessionId = list[1]?.session_id ?? '';
  await expect(bob.call(credentials.endSession, { params: { sessionId } })).rejects.toMatchObject({
    code: 'not_found',
  });
  await other.call(credentials.endSession, { params: { sessionId } });
  expect([await isIn(ada), await isIn(other)]).toEqual([false, true]);
  expect(await other.call(credentials.sessions)).toHaveLength(1);
});

test('a session that has been idle too long is not listed (T23)', async () => {
  const other = await app.signIn(ada);
  app.clock.advance(20 * MINUTE);
  await other.call(session.me);
  app.clock.advance(15 * MINUTE);
  expect(await isIn(ada)).toBe(false);
  expect(await other.call(credentials.sessions)).toHaveLength(1);
});

test('all other sessions end at once, and tokens stay', async () => {
  const others = [await app.signIn(ada), await app.signIn(ada)];
  const { token } = await ada.call(credentials.createToken, { body: { token_name: 'api' } });
  expect(await ada.call(credentials.endOtherSessions)).toEqual({ ended: 2 });
  expect([await isIn(ada), ...(await Promise.all(others.map(isIn)))]).toEqual([true, false, false]);
  const headers = { authorization: `Bearer ${token}` };
  expect((await app.guest().request({ path: '/identity/api/tokens', headers })).status).toBe(200);
  expect(await events('session_ended')).toHaveLength(1);
});

test('changing the account password ends all other sessions and tokens (T11), and gives the own session a new id', async () => {
  const other = await app.signIn(ada);
  const { token } = await ada.call(credentials.createToken, { body: { token_name: 'api' } });
  const before = ada.cookies.get('pb_session');
  expect(await change(ada)).toMatchObject({ user_id: ada.userId });
  expect([await isIn(ada), await isIn(other)]).toEqual([true, false]);
  expect(ada.cookies.get('pb_session')).not.toBe(before);
  const headers = { authorization: `Bearer ${token}` };
  expect((await app.guest().request({ path: '/identity/api/tokens', headers })).status).toBe(401);
  const copy = app.guest();
  copy.cookies.set('pb_session', before ?? '');
  expect(await isIn(copy)).toBe(false);
  const login = (password: string) =>
    app.guest().request({ path: '/identity/api/login', json: { email: ada.email, password } });
  expect([(await login(ada.password)).status, (await login(NEW)).status]).toEqual([401, 200]);
  expect(await events('password_changed')).toHaveLength(1);
});

test('a change made with a token keeps that token', async () => {
  const { token } = await ada.call(credentials.createToken, { body: { token_name: 'api' } });
  const headers = { authorization: `Bearer ${token}` };
  const answer = await app.guest().request({
    method: 'PUT',
    path: '/identity/api/password',
    json: { current_password: ada.password, password: NEW, password_confirmation: NEW },
    headers,
  });
  expect([answer.status, answer.headers['set-cookie']]).toEqual([200, undefined]);
  expect(await isIn(ada)).toBe(false);
  expect((await app.guest().request({ path: '/identity/api/tokens', headers })).status).toBe(200);
});

test('changing the password needs the present one', async () => {
  await expect(change(ada, { current_password: 'wrong' })).rejects.toMatchObject({
    errors: { current_password: ['Password is incorrect'] },
  });
  await expect(change(ada, { password_confirmation: 'other' })).rejects.toMatchObject({
    errors: { password_confirmation: ['Password Confirmation mismatch to Password'] },
  });
  await expect(ada.call(credentials.changePassword, { body: {} })).rejects.toMatchObject({
    errors: { current_password: ['Password is incorrect'], password: ['Password is empty'] },
  });
  expect(await isIn(ada)).toBe(true);
});

test('of two concurrent changes one succeeds, and the other session ends', async () => {
  const other = await app.signIn(ada);
  const results = await Promise.allSettled([change(ada), change(other)]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('confirming the password holds for ten minutes, and a wrong one counts as a failed sign-in', async () => {
  app.clock.advance(5 * MINUTE);
  const { fresh_until } = await ada.call(credentials.confirmPassword, { body: { password: ada.password } });
  expect(fresh_until).toBe(new Date(app.clock.now() + 10 * MINUTE).toISOString());
  const wrong = () => ada.request({ path: '/identity/api/confirmPassword', json: { password: 'wrong' } });
  const first = await wrong();
  expect([first.status, first.json()['errors']]).toEqual([422, { password: ['Password is incorrect'] }]);
  for (let n = 0; n < 9; n += 1) await wrong();
  expect((await wrong()).status).toBe(429);
  expect((await events('login_failed')).length).toBeGreaterThanOrEqual(10);
});

test('after ten failures each further one causes a wait (hardening 9) from one second to 15 minutes; a success ends it', async () => {
  const attempt = (password: string) =>
    app.guest().request({ path: '/identity/api/login', json: { email: ada.email, password }, address: '10.0.0.2' });
  for (let n = 0; n < 10; n += 1) expect((await attempt('wrong')).status).toBe(401);
  app.clock.advance(16 * MINUTE);
  const delays: number[] = [];
  for (let n = 0; n < 13; n += 1) {
    expect((await attempt('wrong')).status).toBe(401);
    const held = await attempt(ada.password);
    expect(held.status).toBe(429);
    const seconds = Number(held.headers['retry-after']);
    delays.push(seconds);
    app.clock.advance(seconds * 1000 - 1);
    expect((await attempt(ada.password)).status).toBe(429);
    app.clock.advance(1);
  }
  const doubled = [1, 2, 4, 8, 16, 32, 64, 128, 256];
  expect(delays.slice(0, 9)).toEqual(doubled);
  // From here on the limit of ten in 15 minutes also applies.
  expect(delays.slice(9).every((seconds) => seconds >= 512 && seconds <= 900)).toBe(true);
  expect(delays.at(-1)).toBe(900);
  expect((await attempt(ada.password)).status).toBe(200);
  expect((await attempt('wrong')).status).toBe(401);
  expect((await attempt(ada.password)).status).toBe(200);
});

test('after 100 failures in a row waiting does not help', async () => {
  const attempt = (password: string) =>
    app.guest().request({ path: '/identity/api/login', json: { email: ada.email, password }, address: '10.0.0.1' });
  for (let n = 0; n < 10; n += 1) expect((await attempt('wrong')).status).toBe(401);
  for (let n = 10; n < 100; n += 1) {
    app.clock.advance(20 * MINUTE);
    expect((await attempt('wrong')).status).toBe(401);
  }
  app.clock.advance(20 * MINUTE);
  expect((await attempt(ada.password)).status).toBe(429);
  await ada.call(session.csrfCookie);
  // A browser that has signed in before is not blocked by strangers.
  expect(
    (await ada.request({ path: '/identity/api/login', json: { email: ada.email, password: ada.password } })).status,
  ).toBe(200);
});
