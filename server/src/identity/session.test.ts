import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import * as session from '@passwordbroker/core/contract/account/session';
import * as users from '@passwordbroker/core/contract/users/users';
import { accountPasswords } from '../platform/passwords/argon2.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { HOUR, MINUTE } from '../testing/test-clock.ts';

let app: TestApp;
let ada: SignedIn;
beforeEach(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterEach(() => app.stop());

const login = (over: Record<string, unknown> = {}) => ({ email: ada.email, password: ada.password, ...over });
const cookiesOf = (answer: { headers: Readonly<Record<string, unknown>> }) =>
  [answer.headers['set-cookie']].flat().map(String);

test('me: loggedIn after sign-up, guest without a session', async () => {
  const me = await ada.call(session.me);
  expect(me).toMatchObject({ message: 'loggedIn', user: { user_id: ada.userId, name: 'ada', is_admin: true } });
  expect(me.session_id).toMatch(/^[0-9a-f-]{36}$/);
  expect(await app.guest().call(session.me)).toEqual({ message: 'guest', user: null, session_id: null });
});

test('login returns the person and a new session; the former session id is useless (T5)', async () => {
  const client = app.guest();
  await client.call(session.csrfCookie);
  const before = client.cookies.get('pb_session');
  const answer = await client.call(session.login, { body: login() });
  expect(answer).toMatchObject({ message: 'Login successful', user: { user_id: ada.userId } });
  expect(client.cookies.get('pb_session')).not.toBe(before);
  client.cookies.set('pb_session', before ?? '');
  expect((await client.call(session.me)).message).toBe('guest');
});

test('login in a session ends that session', async () => {
  const old = ada.cookies.get('pb_session') ?? '';
  await ada.call(session.login, { body: login() });
  expect((await ada.call(session.me)).message).toBe('loggedIn');
  const copy = app.guest();
  copy.cookies.set('pb_session', old);
  expect((await copy.call(session.me)).message).toBe('guest');
});

test('an unknown e-mail and a wrong password get the same response (T1)', async () => {
  const unknown = await app
    .guest()
    .request({ path: '/identity/api/login', json: login({ email: 'nobody@example.org' }) });
  const wrong = await app.guest().request({ path: '/identity/api/login', json: login({ password: 'wrong' }) });
  expect([unknown.status, wrong.status]).toEqual([401, 401]);
  const body = { message: 'Invalid email or password', code: 'invalid_credentials', request_id: expect.any(String) };
  expect(unknown.json()).toEqual(body);
  expect(wrong.json()).toEqual(body);
  expect(Object.keys(unknown.headers).sort()).toEqual(Object.keys(wrong.headers).sort());
});

test('login without e-mail or password', async () => {
  const answer = await app.guest().request({ path: '/identity/api/login', json: {} });
  expect(answer.status).toBe(422);
  expect(answer.json()).toMatchObject({
    code: 'validation',
    message: 'Field: Email should be filled in',
    errors: {
      email: ['Field: Email should be filled in'],
      password: ['Field: Password should be filled in'],
    },
  });
});

test('e-mail addresses are the same in any case', async () => {
  await app.guest().call(session.login, { body: login({ email: 'ADA@Example.org' }) });
});

test('attributes of the cookies on plain http (T6)', async () => {
  const answer = await app.guest().request({ path: '/sanctum/csrf-cookie' });
  expect(answer.status).toBe(204);
  expect(cookiesOf(answer)).toEqual([
    expect.stringMatching(/^pb_session=p\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/),
    expect.stringMatching(/^XSRF-TOKEN=[\w-]{24}\.[\w-]{43}; Path=\/; SameSite=Strict$/),
  ]);
});

test('attributes of the cookies on https (T6)', async () => {
  const secure = await startTestApp({ environment: { PUBLIC_URL: 'https://vault.example.org', TRUST_PROXY: 'none' } });
  try {
    const client = await secure.signUp('ada');
    const answer = await client.request({ path: '/identity/api/login', json: login() });
    expect(cookiesOf(answer)).toEqual([
      expect.stringMatching(/^__Host-pb_session=s\.[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/),
      expect.stringMatching(/^XSRF-TOKEN=[\w.-]+; Path=\/; Secure; SameSite=Strict$/),
      expect.stringMatching(/^__Host-pb_device=[\w.-]+; Max-Age=5184000; Path=\/; HttpOnly; Secure; SameSite=Strict$/),
    ]);
  } finally {
    await secure.stop();
  }
});

test('logout ends the session for every copy of its cookie (T7)', async () => {
  const copy = app.guest();
  for (const [name, value] of ada.cookies) copy.cookies.set(name, value);
  const answer = await ada.request({ path: '/identity/api/logout' });
  expect(answer.json()).toEqual({ message: 'Logged Out' });
  expect(answer.headers['clear-site-data']).toBe('"cache"');
  expect((await copy.call(session.me)).message).toBe('guest');
  await expect(copy.call(users.keyBundle)).rejects.toMatchObject({ code: 'unauthenticated', status: 401 });
});

test('POST logout needs the CSRF token; guests may sign out', async () => {
  const refused = await ada.request({ method: 'POST', path: '/identity/api/logout', withoutCsrf: true });
  expect(refused.status).toBe(419);
  expect(await ada.call(session.logoutPost)).toEqual({ message: 'Logged Out' });
  expect(await app.guest().call(session.logoutPost)).toEqual({ message: 'Logged Out' });
  expect(await app.guest().call(session.logout)).toEqual({ message: 'Logged Out' });
});

test('GET logout from another site is refused (T8)', async () => {
  for (const site of ['cross-site', 'same-site']) {
    const answer = await ada.request({ path: '/identity/api/logout', headers: { 'sec-fetch-site': site } });
    expect([answer.status, answer.json()['code']]).toEqual([403, 'cross_site']);
  }
  expect((await ada.call(session.me)).message).toBe('loggedIn');
});

test('a link on another site, which sends no cookies, cannot replace the session with a guest', async () => {
  for (const [path, status] of [
    ['/identity/api/logout', 200],
    ['/sanctum/csrf-cookie', 204],
  ] as const) {
    for (const site of ['cross-site', 'same-site']) {
      const answer = await ada.request({ path, withoutCookies: true, headers: { 'sec-fetch-site': site } });
      expect([answer.status, answer.headers['set-cookie']]).toEqual([status, undefined]);
    }
  }
  const withCookies = { path: '/sanctum/csrf-cookie', headers: { 'sec-fetch-site': 'cross-site' } };
  expect((await ada.request(withCookies)).status).toBe(403);
});

test('unsafe calls need the CSRF token of the same session (T9)', async () => {
  const bob = await app.signUp('bob');
  const logout = (headers: Record<string, string>) =>
    ada.request({ method: 'POST', path: '/identity/api/logout', withoutCsrf: true, headers });
  const own = ada.cookies.get('XSRF-TOKEN') ?? '';
  const foreign = bob.cookies.get('XSRF-TOKEN') ?? '';
  for (const headers of [{}, { 'x-xsrf-token': 'x' }, { 'x-xsrf-token': foreign }]) {
    const answer = await logout(headers);
    expect([answer.status, answer.json()['message']]).toEqual([419, 'CSRF token mismatch.']);
  }
  const crossed = await logout({ 'x-xsrf-token': own, origin: 'https://evil.example' });
  expect([crossed.status, crossed.json()['code']]).toEqual([403, 'cross_site']);
  const opaque = await logout({ 'x-xsrf-token': own, origin: 'null' });
  expect(opaque.status).toBe(403);
  expect((await ada.call(session.me)).message).toBe('loggedIn');
  expect((await logout({ 'x-xsrf-token': own, origin: 'http://localhost:8080' })).status).toBe(200);
});

test('the CSRF token of an ended session is invalid (T9)', async () => {
  const copy = app.guest();
  for (const [name, value] of ada.cookies) copy.cookies.set(name, value);
  await ada.call(session.logout);
  const answer = await copy.request({ path: '/identity/api/login', json: login() });
  expect(answer.status).toBe(419);
});

test('an equal cookie and header chosen by an attacker are refused (T10)', async () => {
  const chosen = `${'a'.repeat(24)}.${'b'.repeat(43)}`;
  ada.cookies.set('XSRF-TOKEN', chosen);
  const answer = await ada.request({ method: 'POST', path: '/identity/api/logout' });
  expect(answer.status).toBe(419);
});

test('the CSRF token of another session as cookie and header is refused, also just after its use there (T10)', async () => {
  const bob = await app.signUp('bob');
  const logout = { method: 'POST', path: '/identity/api/logout' } as const;
  ada.cookies.set('XSRF-TOKEN', bob.cookies.get('XSRF-TOKEN') ?? '');
  for (const client of [bob, ada, ada]) {
    expect((await client.request(logout)).status).toBe(client === bob ? 200 : 419);
  }
});

test('the cookie is ignored beside an Authorization header (T16)', async () => {
  const answer = await ada.request({ path: '/identity/api/me', headers: { authorization: 'Bearer pbt_nothing' } });
  expect(answer.json()).toMatchObject({ message: 'guest' });
});

test('a session ends after 30 idle minutes and after 12 hours (T23)', async () => {
  const isIn = async (client: SignedIn) => (await client.request({ path: '/identity/api/keyBundle' })).status === 200;
  app.clock.advance(29 * MINUTE);
  expect(await isIn(ada)).toBe(true);
  app.clock.advance(30 * MINUTE);
  expect(await isIn(ada)).toBe(false);
  const busy = await app.signIn(ada);
  for (let n = 0; n < 23; n += 1) {
    app.clock.advance(29 * MINUTE);
    expect((await busy.call(session.me)).message).toBe('loggedIn');
  }
  app.clock.advance(HOUR - 7 * MINUTE);
  expect(await isIn(busy)).toBe(false);
});

test('a raised epoch ends every session at once', async () => {
  await app.deps.db.transact(async (tx) => {
    await tx.updateTable('users').set({ epoch: 2 }).where('user_id', '=', ada.userId).execute();
  });
  expect((await ada.call(session.me)).message).toBe('guest');
});

test('sessions survive a restart, and the data folder does not contain their secrets (T15)', async () => {
  const secret = ada.cookies.get('pb_session') ?? '';
  await app.restart();
  expect((await ada.call(session.me)).message).toBe('loggedIn');
  const rows = await app.deps.db.read.selectFrom('sessions').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(secret.slice(2));
});

test('a hash with older parameters is replaced at sign-in', async () => {
  const product = await startTestApp({ accountPasswords: accountPasswords() });
  onTestFinished(() => product.stop());
  await product.signUp('ada');
  const old = await accountPasswords({ memoryKib: 8192, iterations: 1 }).hash(ada.password);
  await product.deps.db.transact(async (tx) => {
    await tx.updateTable('users').set({ password_hash: old }).where('user_id', '=', ada.userId).execute();
  });
  await product.signIn(ada);
  const row = await product.deps.db.read.selectFrom('users').select('password_hash').executeTakeFirstOrThrow();
  expect(row.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  await product.signIn(ada);
});

test('text that is not an e-mail address is not stored', async () => {
  const typed = 'my-real-password-by-mistake';
  await app.guest().request({ path: '/identity/api/login', json: login({ email: typed }) });
  const { read } = app.deps.db;
  const failed = await read.selectFrom('audit_log').select('login').where('event_type', '=', 'login_failed').execute();
  expect(failed).toEqual([{ login: null }]);
  expect(JSON.stringify(await read.selectFrom('attempts').selectAll().execute())).not.toContain(typed);
});

test('X-Forwarded-For counts from a listed proxy only', async () => {
  const addressSeen = async (environment: Record<string, string>, address: string) => {
    const site = await startTestApp({ environment });
    const headers = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-host': 'evil.example' };
    await site.guest().request({ path: '/identity/api/login', json: login(), headers, address });
    const rows = await site.deps.db.read.selectFrom('audit_log').select('address').execute();
    await site.stop();
    return rows.map((row) => row.address);
  };
  const listed = { TRUST_PROXY: '10.0.0.0/8' };
  expect(await addressSeen(listed, '10.1.2.3')).toEqual(['203.0.113.9']);
  expect(await addressSeen(listed, '192.0.2.1')).toEqual(['192.0.2.1']);
  expect(await addressSeen({}, '10.1.2.3')).toEqual(['10.1.2.3']);
});

test('sign-ins, failures and sign-outs are recorded', async () => {
  await app.guest().request({ path: '/identity/api/login', json: login({ password: 'wrong' }), address: '192.0.2.1' });
  await ada.call(session.logoutPost);
  const rows = await app.deps.db.read
    .selectFrom('audit_log')
    .select(['event_type', 'login', 'user_id', 'address'])
    .orderBy('audit_id')
    .execute();
  expect(rows).toEqual([
    { event_type: 'user_created', login: ada.email, user_id: ada.userId, address: '127.0.0.1' },
    { event_type: 'login_failed', login: ada.email, user_id: null, address: '192.0.2.1' },
    { event_type: 'logout', login: ada.email, user_id: ada.userId, address: '127.0.0.1' },
  ]);
});
