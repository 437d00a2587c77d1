import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as credentials from '@passwordbroker/core/contract/account/credentials';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import * as session from '@passwordbroker/core/contract/account/session';
import { fillPath } from '@passwordbroker/core/contract/endpoint';
import type { Scope } from '@passwordbroker/core/contract/endpoint';
import { sha256 } from '../platform/ids-and-digests.ts';
import { createSealedPlace, sealedField } from '../testing/sealed-place.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { isOnPostgres } from '../testing/test-database.ts';
import { HOUR } from '../testing/test-clock.ts';
import type { TestClient, TestRequest } from '../testing/test-client.ts';

const DAY = 24 * HOUR;
const ORIGIN = 'https://client.example.org';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
beforeAll(async () => {
  app = await startTestApp({ environment: { CORS_ORIGINS: ORIGIN, CONNECT_ORIGINS: 'https://other.example.org' } });
  ada = await app.signUp('ada');
  bob = await app.signUp('bob');
});
afterAll(() => app.stop());

const signInByToken = async (person: SignedIn, more: object = {}) =>
  (
    await app.guest().request({
      path: '/identity/api/login',
      json: { email: person.email, password: person.password, token_is_required: true, ...more },
      withoutCsrf: true,
    })
  ).json<{ token: string; token_id: string; expires_at: string; user: { user_id: string } }>();
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const asks = (client: TestClient, token: string, request: TestRequest) =>
  client.request({ ...request, headers: { ...bearer(token), ...request.headers } });
const whoIs = async (client: TestClient, token: string) =>
  (await asks(client, token, { path: '/identity/api/me' })).json<{ message: string; session_id: string }>();
const create = (person: SignedIn, token_name: string, scopes?: readonly Scope[]) =>
  person.call(credentials.createToken, { body: { token_name, ...(scopes === undefined ? {} : { scopes }) } });

test('a sign-in for a token needs no cookie and CSRF token, and sets no cookie', async () => {
  const client = app.guest();
  const answer = await client.request({
    path: '/identity/api/login',
    form: { email: bob.email, password: bob.password, token_is_required: '1', token_name: ' laptop ' },
    withoutCsrf: true,
  });
  expect(answer.status).toBe(200);
  expect(answer.headers['set-cookie']).toBeUndefined();
  const { token, token_id, ...rest } = answer.json<{ token: string; token_id: string }>();
  expect(token).toMatch(/^pbt_[0-9a-f]{32}_[\w-]{43}$/);
  expect(rest).toMatchObject({
    message: 'Login successful',
    user: { user_id: bob.userId },
    expires_at: new Date(app.clock.now() + 90 * DAY).toISOString(),
  });
  expect(await whoIs(app.guest(), token)).toMatchObject({ message: 'loggedIn', session_id: token_id });
  const own = await bob.call(credentials.tokens);
  expect(own).toMatchObject([
    {
      token_id,
      name: 'laptop',
      scopes: ['read', 'write', 'offline'],
      current: false,
      last_used_at: own[0]?.created_at,
    },
  ]);
});

test('a wrong password returns no token; without the flag the sign-in needs its CSRF token', async () => {
  const wrong = { email: bob.email, password: 'wrong', token_is_required: true };
  const answer = await app.guest().request({ path: '/identity/api/login', json: wrong, withoutCsrf: true });
  expect([answer.status, answer.json()['code']]).toEqual([401, 'invalid_credentials']);
  for (const flag of [false, 'maybe', null, undefined]) {
    const json = { email: bob.email, password: bob.password, token_is_required: flag };
    const refused = await app.guest().request({ path: '/identity/api/login', json, withoutCsrf: true });
    expect([flag, refused.status]).toEqual([flag, 419]);
  }
});

test('cookies are ignored beside a token (T16)', async () => {
  const { token } = await signInByToken(bob, { token_name: 'T16' });
  expect(await whoIs(ada, token)).toMatchObject({ message: 'loggedIn', user: { user_id: bob.userId } });
  expect((await asks(ada, token, { path: '/identity/api/users/search?q=ada' })).json()['data']).toEqual([
    { user_id: ada.userId, name: 'ada' },
  ]);
  // An unsafe call needs no CSRF token; sign-out ends the token only.
  const answer = await asks(ada, token, { method: 'POST', path: '/identity/api/logout', withoutCsrf: true });
  expect([answer.status, answer.headers['set-cookie']]).toEqual([200, undefined]);
  expect((await whoIs(app.guest(), token)).message).toBe('guest');
  expect((await ada.call(session.me)).message).toBe('loggedIn');
  for (const authorization of ['Basic YTpi', 'Bearer', `Bearer ${ada.cookies.get('pb_session')}`]) {
    const refused = await ada.request({ path: '/identity/api/tokens', headers: { authorization } });
    expect(refused.status).toBe(401);
  }
});

test('a new token replaces the person’s token of the same name', async () => {
  const first = await create(bob, 'script');
  const second = await create(bob, 'script');
  expect((await whoIs(app.guest(), first.token)).message).toBe('guest');
  expect((await whoIs(app.guest(), second.token)).message).toBe('loggedIn');
  // A token of another person with the same name is independent.
  await create(ada, 'script');
  expect((await whoIs(app.guest(), second.token)).message).toBe('loggedIn');
});

test('the scopes of a token are enforced (T74)', async () => {
  const place = await createSealedPlace(bob);
  const { token } = await create(bob, 'reader', ['read']);
  const body = await sealedField(place);
  await bob.call(fields.create, { params: place, body });
  const reader = (request: TestRequest) => asks(app.guest(), token, request);
  expect((await reader({ path: fillPath(groups.tree.path, {}) })).status).toBe(200);
  const revealed = await reader({
    path: fillPath(fields.decrypted.path, { ...place, f: body.field_id }),
    json: { master_password: bob.masterPassword },
  });
  expect(revealed.status).toBe(200);
  const writes: TestRequest[] = [
    { path: fillPath(groups.create.path, {}), json: { name: 'x' } },
    { method: 'DELETE', path: fillPath(groups.remove.path, place) },
    { path: '/identity/api/token', json: { token_name: 'more' } },
  ];
  for (const request of writes) {
    const answer = await reader(request);
    expect([answer.status, answer.json()['code']]).toEqual([403, 'forbidden']);
  }
  const { token: writer } = await create(bob, 'writer', ['read', 'write']);
  const made = await asks(app.guest(), writer, { path: '/identity/api/token', json: { token_name: 'child' } });
  expect(made.status).toBe(201);
  expect((await bob.call(credentials.tokens)).find(({ name }) => name === 'child')?.scopes).toEqual(['read', 'write']);
  const json = { token_name: 'child', scopes: ['offline'] };
  expect((await asks(app.guest(), writer, { path: '/identity/api/token', json })).status).toBe(403);
  for (const scopes of [[], ['all'], 'read', ['read', 'read', 'read', 'read']]) {
    const refused = await bob.request({ path: '/identity/api/token', json: { token_name: 'x', scopes } });
    expect(refused.status).toBe(422);
  }
});

test('a token ends after its lifetime, not by being idle', async () => {
  const created = await bob.call(credentials.createToken, { body: { token_name: 'short', expires_in_days: 2 } });
  expect(created.expires_at).toBe(new Date(app.clock.now() + 2 * DAY).toISOString());
  app.clock.advance(2 * DAY - 1);
  expect((await whoIs(app.guest(), created.token)).message).toBe('loggedIn');
  app.clock.advance(1);
  expect((await whoIs(app.guest(), created.token)).message).toBe('guest');
  for (const person of [ada, bob]) {
    await person.call(session.csrfCookie);
    await person.call(session.login, { body: { email: person.email, password: person.password } });
  }
  expect((await bob.call(credentials.tokens)).map(({ name }) => name)).not.toContain('short');
  for (const expires_in_days of [0, 366]) {
    const refused = await bob.request({ path: '/identity/api/token', json: { token_name: 'x', expires_in_days } });
    expect(refused.status).toBe(422);
  }
});

test('only the owner can revoke a token', async () => {
  const { token, token_id } = await create(bob, 'gone');
  const revoke = (person: SignedIn) => person.call(credentials.revokeToken, { params: { tokenId: token_id } });
  await expect(revoke(ada)).rejects.toMatchObject({ code: 'not_found' });
  await revoke(bob);
  await expect(revoke(bob)).rejects.toMatchObject({ code: 'not_found' });
  expect((await whoIs(app.guest(), token)).message).toBe('guest');
  // The id of a session is not a token id.
  const { session_id } = await bob.call(session.me);
  await expect(bob.call(credentials.revokeToken, { params: { tokenId: session_id ?? '' } })).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('no copy of the data contains a secret of a token or session (T15)', async () => {
  const { token } = await create(bob, 'dump');
  const rows = await app.deps.db.read.selectFrom('sessions').selectAll().execute();
  // The secret itself may contain underscores.
  const secret = token.split('_').slice(2).join('_');
  const session = (bob.cookies.get('pb_session') ?? '').slice(2);
  // As text and as decoded bytes.
  const secrets = [secret, session].flatMap((text) => [text, text.slice(-20), Buffer.from(text, 'base64url')]);
  const files = readdirSync(app.dataDir, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  if (!isOnPostgres) {
    expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining(['passwordbroker.sqlite']));
  }
  for (const { parentPath, name } of files) {
    const bytes = readFileSync(join(parentPath, name));
    expect([name, secrets.filter((one) => bytes.includes(one))]).toEqual([name, []]);
  }
  const dump = JSON.stringify(rows) + app.log.join('');
  expect(secrets.filter((one) => dump.includes(String(one)))).toEqual([]);
  expect(rows.map(({ secret_hash }) => secret_hash.toString('hex'))).toContain(
    sha256(Buffer.from(token)).toString('hex'),
  );
});

test('only a listed origin may read responses, and its cookies are ignored (T64)', async () => {
  const from = async (origin: string) =>
    (await app.guest().request({ path: '/identity/api/me', headers: { origin } })).headers[
      'access-control-allow-origin'
    ];
  expect([await from(ORIGIN), await from('https://evil.example'), await from('null')]).toEqual([
    ORIGIN,
    undefined,
    undefined,
  ]);
  const { token } = await create(bob, 'elsewhere');
  // A browser sends the cookies of this host along; they are ignored, and no cookie is set.
  const headers = { origin: ORIGIN, 'sec-fetch-site': 'same-site' };
  const me = await asks(ada, token, { path: '/identity/api/me', headers });
  expect(me.json()).toMatchObject({ user: { user_id: bob.userId } });
  const guest = await ada.request({ path: '/identity/api/me', headers });
  expect(guest.json()).toMatchObject({ message: 'guest' });
  const cookie = await ada.request({ path: '/sanctum/csrf-cookie', headers });
  expect([cookie.status, cookie.headers['set-cookie']]).toEqual([204, undefined]);
  const preflight = await app.guest().request({ method: 'OPTIONS', path: '/identity/api/token', headers });
  expect([preflight.status, preflight.headers['access-control-allow-credentials']]).toEqual([204, 'true']);
  const out = await asks(app.guest(), token, {
    path: '/identity/api/logout',
    headers: { origin: ORIGIN, 'sec-fetch-site': 'cross-site' },
  });
  expect(out.status).toBe(200);
  expect((await whoIs(app.guest(), token)).message).toBe('guest');
});

test('the content security policy of our pages lists the allowed servers', async () => {
  const { headers } = await app.guest().request({ path: '/health' });
  expect(headers['content-security-policy']).toContain("connect-src 'self' https://other.example.org;");
});
