/** A session whose server is unreachable, and reachable again. */
import { beforeAll, expect, test } from 'vitest';
import { createToken, tokens as listTokens } from '@passwordbroker/core/contract/account/credentials';
import { tree } from '@passwordbroker/core/contract/groups/entry-groups';
import { me } from '@passwordbroker/core/contract/account/session';
import { createHttp } from '../transport/http.ts';
import { OfflineError } from '../transport/exchange.ts';
import { type RealVault, vaultOf } from '../testing/real-vault.node.ts';
import { MIRA, withBrowser } from '../testing/signed-out-browser.node.ts';
import { onlyTab } from '../testing/tabs-of-one-browser.ts';
import { createSession, type Session } from './session.ts';
import type { TokenRecord } from '../platform.ts';
import { otherServers, ownServer } from '../testing/signs-in-here.ts';
import { loadNow } from '../testing/load-now.ts';

let real: RealVault;
let session: Session;
const openBrowser = withBrowser((browser) => ({ real, session } = browser));
beforeAll(async () => {
  openBrowser();
  await session.check();
  await session.signUp(MIRA);
});

const owing = (has: boolean) => {
  let owes = false;
  return {
    hasCopyOf: async () => has,
    nobodyIsSignedIn: async () => undefined,
    forgetCopyOf: async () => undefined,
    owesLogout: () => owes,
    setOwesLogout(next: boolean) {
      owes = next;
    },
  };
};
const away = () => {
  const http = createHttp({ face: 'web', origin: 'http://127.0.0.1:9', cookies: null });
  return {
    http,
    of: (has: boolean) =>
      createSession({
        http,
        keyring: real.keyring,
        tabs: onlyTab(),
        servers: ownServer(),
        local: owing(has),
        load: loadNow,
      }),
  };
};

test('without the server, a local copy leads to network_error, otherwise to login', async () => {
  const withCopy = away().of(true);
  await withCopy.check();
  expect(withCopy.view()).toMatchObject({ status: 'network_error', user: null });
  const without = away().of(false);
  await without.check();
  expect(without.view()).toMatchObject({ status: 'login', user: null });
});

test('opening the copy signs in on this page only, and going online keeps the same person', async () => {
  const client = openBrowser();
  await session.check();
  await session.logIn(MIRA.email, MIRA.password);
  const { user, sessionId } = session.view();
  if (user === null) throw new Error('not signed in');

  const http = vaultOf(client).http;
  const later = createSession({
    http,
    keyring: real.keyring,
    tabs: onlyTab(),
    servers: ownServer(),
    local: owing(true),
    load: loadNow,
  });
  http.setOffline(true);
  await later.check();
  expect(later.view().status).toBe('network_error');
  // A concurrent session check changes nothing.
  const looking = later.check();
  await Promise.all([later.workOffline(user), looking]);
  expect(later.view()).toMatchObject({ status: 'logged-in', user, sessionId: null });
  await expect(later.refresh()).rejects.toBeInstanceOf(OfflineError);
  expect(later.view()).toMatchObject({ status: 'logged-in', user, sessionId: null });
  http.setOffline(false);
  await later.refresh();
  expect(later.view()).toMatchObject({ status: 'logged-in', user, sessionId });
});

test('copies are checked when the server reports no session or ends one', async () => {
  const client = openBrowser();
  let looks = 0;
  const local = { ...owing(true), nobodyIsSignedIn: async () => void (looks += 1) };
  const http = vaultOf(client).http;
  const later = createSession({
    http,
    keyring: real.keyring,
    tabs: onlyTab(),
    servers: ownServer(),
    local,
    load: loadNow,
  });
  await later.check();
  expect(looks).toBe(1);
  await later.logIn(MIRA.email, MIRA.password);
  await later.check();
  expect(looks).toBe(1);
  client.cookies.clear();
  await expect(http.call(tree)).rejects.toMatchObject({ code: 'unauthenticated' });
  expect(looks).toBe(2);
});

test('after a logout at another server its token no longer signs in, and is revoked when that server is asked next', async () => {
  const client = openBrowser();
  await session.check();
  await session.logIn(MIRA.email, MIRA.password);
  const { user } = session.view();
  const name = crypto.randomUUID();
  const { token } = await real.http.call(createToken, { body: { token_name: name } });
  if (user === null) throw new Error('not signed in');
  const kept = new Map([['', { ...user, login: user.email, url: '', token }]]);
  const left = new Map<string, typeof token>();
  // An empty origin, so that requests reach the server of this test.
  const others = {
    chosen: () => '',
    choose: () => undefined,
    hasOthers: () => true,
    records: async () => ({
      of: async (url: string) => (left.has(url) ? null : (kept.get(url) ?? null)),
      all: async () => [...kept.values()],
      keep: async () => undefined,
      leave: async (url: string) => void left.set(url, token),
      leftAt: async (url: string) => (left.has(url) ? (kept.get(url) ?? null) : null),
      forget: async (url: string, of?: string) => {
        if (of === undefined || kept.get(url)?.token === of) void [kept.delete(url), left.delete(url)];
      },
      clientId: () => name,
    }),
  };
  client.cookies.clear();
  const { http } = vaultOf(client);
  const local = owing(true);
  local.setOwesLogout(false);
  const page = createSession({ http, keyring: real.keyring, tabs: onlyTab(), servers: others, local, load: loadNow });
  await page.check();
  expect(page.view()).toMatchObject({ status: 'logged-in', user: { email: MIRA.email }, server: '' });
  http.setOffline(true);
  await page.logOut();
  expect(page.view()).toMatchObject({ status: 'login', user: null });
  expect([kept.size, left.size, local.owesLogout()]).toEqual([1, 1, false]);
  http.setOffline(false);
  await page.check();
  expect(page.view()).toMatchObject({ status: 'login', user: null });
  expect([kept.size, left.size]).toEqual([0, 0]);
  http.setServer({ origin: '', token });
  expect((await http.call(me)).message).toBe('guest');
});

test('in bearer mode a session without a token requests one with the client id as its name', async () => {
  const client = openBrowser();
  await session.check();
  await session.logIn(MIRA.email, MIRA.password);
  const clientId = crypto.randomUUID();
  const kept = new Map<string, TokenRecord>();
  // An empty origin, so that requests reach the server of this test.
  const others = otherServers(kept, { chosen: '', clientId });
  const { http } = vaultOf(client);
  const local = owing(true);
  local.setOwesLogout(false);
  const page = createSession({ http, keyring: real.keyring, tabs: onlyTab(), servers: others, local, load: loadNow });
  await page.check();
  expect(page.view()).toMatchObject({ status: 'logged-in', user: { email: MIRA.email } });
  expect(kept.get('')).toMatchObject({ login: MIRA.email, name: MIRA.name, token: expect.stringMatching(/^pbt_/) });
  client.cookies.clear();
  expect((await http.call(me)).message).toBe('loggedIn');
  const names = (await http.call(listTokens)).map(({ name }) => name);
  expect(names).toContain(clientId);
});

test('going online without a session leads to login', async () => {
  const client = openBrowser();
  await session.check();
  await session.logIn(MIRA.email, MIRA.password);
  await real.keyring.unlock(MIRA.masterPassword);
  client.cookies.clear();
  await session.refresh();
  expect(real.keyring.isOpen()).toBe(false);
  await expect.poll(() => session.view(), { timeout: 20_000 }).toMatchObject({ status: 'login', user: null });
});

test('a logout made without the server is sent before the next session check', async () => {
  const client = openBrowser();
  await session.check();
  await session.logIn(MIRA.email, MIRA.password);
  const http = vaultOf(client).http;
  const local = owing(true);
  const later = createSession({
    http,
    keyring: real.keyring,
    tabs: onlyTab(),
    servers: ownServer(),
    local,
    load: loadNow,
  });
  await later.check();
  http.setOffline(true);
  await later.logOut();
  expect(later.view()).toMatchObject({ status: 'login', user: null });
  expect(local.owesLogout()).toBe(true);
  http.setOffline(false);
  await later.check();
  expect(later.view()).toMatchObject({ status: 'login', user: null });
  expect(local.owesLogout()).toBe(false);

  // A new sign-in clears the pending logout.
  local.setOwesLogout(true);
  await later.logIn(MIRA.email, MIRA.password);
  await later.check();
  expect(later.view()).toMatchObject({ status: 'logged-in', user: { email: MIRA.email } });
});
