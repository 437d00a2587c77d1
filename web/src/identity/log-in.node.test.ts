import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type SignedIn, type TestApp } from '../../../server/src/testing/test-app.ts';
import { createHttp } from '@passwordbroker/client/transport/http';
import { createSession, type Session } from '@passwordbroker/client/session/session';
import { vaultOf } from '@passwordbroker/client/testing/real-vault.node';
import { onlyTab } from '@passwordbroker/client/testing/tabs-of-one-browser';
import { logIn, missingLines } from './log-in.ts';
import { noCopies, ownServer } from '@passwordbroker/client/testing/signs-in-here';
import { loadNow } from '@passwordbroker/client/testing/load-now';

const ORIGIN = 'https://vault.example.org';

let app: TestApp;
let ada: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterAll(async () => {
  await app.stop();
});

async function guestSession(): Promise<Session> {
  const { http, keyring } = vaultOf(app.guest());
  const session = createSession({
    http,
    keyring,
    tabs: onlyTab(),
    servers: ownServer(),
    local: noCopies(),
    load: loadNow,
  });
  await session.check();
  return session;
}

/** A session whose server is unreachable; with a token it fails later. */
function goneSession(cookie: string): Session {
  const http = createHttp({
    face: 'web',
    origin: 'http://127.0.0.1:9',
    cookies: { read: () => cookie, write: () => undefined },
  });
  const { keyring } = vaultOf(app.guest());
  return createSession({ http, keyring, tabs: onlyTab(), servers: ownServer(), local: noCopies(), load: loadNow });
}

const form = (change: object = {}) => ({ serverUrl: ORIGIN, email: ada.email, password: ada.password, ...change });

test.each([
  ['', '', '', ['Server URL', 'Email', 'Password']],
  ['  ', 'a@b.c', 'x', ['Server URL']],
  [ORIGIN, ' ', 'x', ['Email']],
  [ORIGIN, 'a@b.c', '', ['Password']],
  // A password may consist of blanks.
  [ORIGIN, 'a@b.c', ' ', []],
])('%j, %j, %j: %j is missing', (serverUrl, email, password, fields) => {
  expect(missingLines({ serverUrl, email, password })).toEqual(
    fields.map((field) => `Field: ${field} should be filled in`),
  );
});

test('the right password signs in; blanks around the e-mail are ignored', async () => {
  const session = await guestSession();
  expect(await logIn(form({ email: ` ${ada.email} ` }), session, ORIGIN)).toEqual([]);
  expect(session.view().user?.name).toBe(ada.name);
});

test('ignores the path of the server URL', async () => {
  expect(await logIn(form({ serverUrl: `${ORIGIN}/identity/login` }), await guestSession(), ORIGIN)).toEqual([]);
});

test('shows an error with the text of the server', async () => {
  expect(await logIn(form({ password: 'wrong' }), await guestSession(), ORIGIN)).toEqual(['Invalid email or password']);
});

test('names a server that is unreachable for the token', async () => {
  expect(await logIn(form(), goneSession(''), ORIGIN)).toEqual(['Cannot establish connection with vault.example.org']);
});

test('names a server that becomes unreachable before it answers the login', async () => {
  expect(await logIn(form(), goneSession('XSRF-TOKEN=token'), ORIGIN)).toEqual(['Could not complete the login']);
});

test.each([
  ['vault.example.org', 'vault.example.org'],
  ['javascript:alert(1)', 'javascript:alert(1)'],
])('%s is not the address of a server', async (serverUrl, host) => {
  expect(await logIn(form({ serverUrl }), await guestSession(), ORIGIN)).toEqual([
    `Cannot establish connection with ${host}`,
  ]);
});
