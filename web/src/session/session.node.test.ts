// @vitest-environment node
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tree } from '@passwordbroker/core/contract/entry-groups';
import { createToken } from '@passwordbroker/core/contract/credentials';
import { login, me } from '@passwordbroker/core/contract/session';
import { register } from '@passwordbroker/core/contract/users';
import { signUpBody, startTestApp, type TestApp } from '../../../server/src/testing/test-app.ts';
import { testPerson, type TestPerson } from '../../../server/src/testing/test-person.ts';
import { createHttp } from '../lib/http.ts';
import { type RealVault, vaultOf } from '../testing/real-vault.node.ts';
import { onlyTab, tabsOfOneBrowser } from '../testing/tabs-of-one-browser.ts';
import { OfflineError } from '../lib/transport.ts';
import { servers } from './servers.ts';
import type { NewAccount } from './new-account.ts';
import { createSession, type Session } from './session.ts';

const MIRA: NewAccount = {
  name: 'Mira Okafor',
  email: 'mira@example.org',
  password: 'account passphrase 41',
  masterPassword: 'violet ☂ quay 77',
  setupToken: '',
};

let app: TestApp;
let real: RealVault;
let session: Session;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await app.stop();
});
/** A browser without any cookie. */
function openBrowser() {
  const client = app.guest();
  real = vaultOf(client);
  session = createSession(real.http, real.keyring, onlyTab());
  return client;
}
beforeEach(() => void openBrowser());

const someCall = () => real.http.call(tree);

describe('before anybody has signed up', () => {
  test('the check leads to sign-up, and several askers share one call', async () => {
    expect(session.view()).toEqual({ status: 'loading', user: null, sessionId: null, server: null });
    await Promise.all([session.check(), session.check(), session.check()]);
    expect(session.view().status).toBe('signup');
    expect(real.requests).toEqual(['GET /identity/api/me']);
  });

  test('other calls are refused here, without asking the server', async () => {
    await session.check();
    await expect(someCall()).rejects.toMatchObject({ code: 'unauthenticated', message: 'user is logout' });
    expect(real.requests).toEqual(['GET /identity/api/me']);
  });

  test('who signs up is signed in, and his master password opens his keys', async () => {
    await session.check();
    await session.signUp(MIRA);
    const { status, user, sessionId } = session.view();
    expect(status).toBe('logged-in');
    expect(user).toMatchObject({ name: 'Mira Okafor', email: 'mira@example.org', is_admin: true });
    expect(sessionId).not.toBeNull();
    expect(await someCall()).toBeDefined();
    await real.keyring.unlock(MIRA.masterPassword);
  });
});

describe('afterwards', () => {
  test('a guest is led to signing in; nobody else signs up', async () => {
    await session.check();
    expect(session.view().status).toBe('login');
    await expect(session.signUp({ ...MIRA, email: 'other@example.org' })).rejects.toMatchObject({ name: 'AppError' });
    expect(session.view()).toMatchObject({ status: 'login', user: null });
  });

  test('a wrong password changes nothing; the right one signs in; a reload finds the session again', async () => {
    const client = openBrowser();
    await session.check();
    await expect(session.logIn(MIRA.email, 'wrong')).rejects.toMatchObject({ code: 'invalid_credentials' });
    expect(session.view()).toEqual({ status: 'login', user: null, sessionId: null, server: null });
    await session.logIn(MIRA.email, MIRA.password);
    const signedIn = session.view();
    expect(signedIn).toMatchObject({ status: 'logged-in', user: { name: 'Mira Okafor' } });

    const reloaded = createSession(vaultOf(client).http, real.keyring, onlyTab());
    await reloaded.check();
    expect(reloaded.view()).toEqual(signedIn);
  });

  test('logging out locks the keys, forgets the person and ends the session on the server', async () => {
    const client = openBrowser();
    await session.check();
    await session.logIn(MIRA.email, MIRA.password);
    await real.keyring.unlock(MIRA.masterPassword);
    const held = new Map(client.cookies);
    await session.logOut();
    expect(session.view()).toEqual({ status: 'login', user: null, sessionId: null, server: null });
    expect(real.keyring.isOpen()).toBe(false);
    await expect(someCall()).rejects.toMatchObject({ message: 'user is logout' });
    for (const [name, value] of held) client.cookies.set(name, value);
    const answer = await client.request({ path: '/identity/api/me' });
    expect(answer.json()).toMatchObject({ message: 'guest' });
  });

  test('a session that the server has ended leads to signing in', async () => {
    const client = openBrowser();
    await session.check();
    await session.logIn(MIRA.email, MIRA.password);
    client.cookies.clear();
    await expect(someCall()).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(session.view()).toEqual({ status: 'login', user: null, sessionId: null, server: null });
  });
});

describe('tabs of one browser', () => {
  let ilse: TestPerson;
  beforeAll(async () => {
    const admin = app.guest();
    await admin.call(login, { body: { email: MIRA.email, password: MIRA.password } });
    ilse = await testPerson('ilse');
    await admin.call(register, { body: { user: signUpBody(ilse) } });
  });

  /** Two pages with the same cookies. */
  function openTwoTabs() {
    const browser = tabsOfOneBrowser();
    const client = app.guest();
    const open = () => {
      const tab = browser.open();
      const page = vaultOf(client, tab);
      return { ...page, session: createSession(page.http, page.keyring, tab) };
    };
    return { client, here: open(), there: open() };
  }

  test('who logs out in a tab that was never opened is forgotten in the others', async () => {
    const { here, there } = openTwoTabs();
    await here.session.check();
    await here.session.logIn(MIRA.email, MIRA.password);
    await there.session.check();
    expect(there.session.view()).toMatchObject({ status: 'logged-in' });
    await there.keyring.unlock(MIRA.masterPassword);
    await here.session.logOut();
    expect(there.keyring.isOpen()).toBe(false);
    expect(there.session.view()).toEqual({ status: 'login', user: null, sessionId: null, server: null });
  });

  test('a session that the server has ended ends in all of them', async () => {
    const { client, here, there } = openTwoTabs();
    await here.session.check();
    await here.session.logIn(MIRA.email, MIRA.password);
    await there.session.check();
    await there.keyring.unlock(MIRA.masterPassword);
    client.cookies.clear();
    await expect(here.http.call(tree)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect([there.keyring.isOpen(), there.session.view().user]).toEqual([false, null]);
  });

  test('somebody else signs in: the former keys are gone, and the other tab shows the new person', async () => {
    const { here, there } = openTwoTabs();
    await here.session.check();
    await there.session.check();
    await there.session.logIn(MIRA.email, MIRA.password);
    await there.session.check();
    await there.keyring.unlock(MIRA.masterPassword);
    const seen: (string | null)[] = [];
    there.session.subscribe(() => seen.push(there.session.view().user?.email ?? null));
    await here.session.logIn(ilse.email, ilse.password);
    expect(there.keyring.isOpen()).toBe(false);
    await there.session.check();
    expect(seen).toEqual([null, ilse.email]);
  });

  test('keys of another person than the page shows open nothing: it asks who it is', async () => {
    const client = app.guest();
    const page = vaultOf(client);
    const shown = createSession(page.http, page.keyring, onlyTab());
    await shown.check();
    await shown.logIn(MIRA.email, MIRA.password);
    // Another program of the same browser, that no message comes from.
    const silent = createSession(vaultOf(client).http, vaultOf(client).keyring, onlyTab());
    await silent.logIn(ilse.email, ilse.password);
    await expect(page.keyring.unlock(ilse.masterPassword)).rejects.toMatchObject({ code: 'other_person' });
    expect([page.keyring.isOpen(), shown.view().user]).toEqual([false, null]);
    await shown.check();
    expect(shown.view().user?.email).toBe(ilse.email);
  });
});

test('a server that cannot be reached leads to signing in, and logging out still forgets the person', async () => {
  const http = createHttp({ origin: 'http://127.0.0.1:9', cookies: { read: () => '', write: () => undefined } });
  const unreachable = createSession(http, real.keyring, onlyTab());
  await unreachable.check();
  expect(unreachable.view().status).toBe('login');
  await expect(unreachable.logOut()).rejects.toMatchObject({ name: 'NetworkError' });
  expect(unreachable.view()).toEqual({ status: 'login', user: null, sessionId: null, server: null });
});

test('when only the account was answered for, sign-up is over: one signs in', async () => {
  const fresh = await startTestApp();
  const browser = vaultOf(fresh.guest());
  const interrupted = createSession(browser.http, browser.keyring, onlyTab());
  await interrupted.check();
  browser.forge = (path, answer) => (path === '/identity/api/me' ? {} : answer);
  await interrupted.signUp(MIRA);
  expect(interrupted.view()).toEqual({ status: 'login', user: null, sessionId: null, server: null });
  browser.forge = null;
  await interrupted.logIn(MIRA.email, MIRA.password);
  expect(interrupted.view()).toMatchObject({ status: 'logged-in', user: { name: 'Mira Okafor' } });
  await fresh.stop();
});

describe('without the server', () => {
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
    const http = createHttp({ origin: 'http://127.0.0.1:9' });
    return { http, of: (has: boolean) => createSession(http, real.keyring, onlyTab(), servers, owing(has)) };
  };

  test('a local copy decides between working from it and signing in', async () => {
    const withCopy = away().of(true);
    await withCopy.check();
    expect(withCopy.view()).toMatchObject({ status: 'network_error', user: null });
    const without = away().of(false);
    await without.check();
    expect(without.view()).toMatchObject({ status: 'login', user: null });
  });

  test('who opens his copy is signed in here alone, and comes online as the same person', async () => {
    const client = openBrowser();
    await session.check();
    await session.logIn(MIRA.email, MIRA.password);
    const { user, sessionId } = session.view();
    if (user === null) throw new Error('not signed in');

    const http = vaultOf(client).http;
    const later = createSession(http, real.keyring, onlyTab(), servers, owing(true));
    http.setOffline(true);
    await later.check();
    expect(later.view().status).toBe('network_error');
    // Looking for the server once more meanwhile changes nothing.
    const looking = later.check();
    await Promise.all([later.workOffline(user), looking]);
    expect(later.view()).toMatchObject({ status: 'logged-in', user, sessionId: null });
    await expect(later.comeOnline()).rejects.toBeInstanceOf(OfflineError);
    expect(later.view()).toMatchObject({ status: 'logged-in', user, sessionId: null });
    http.setOffline(false);
    await later.comeOnline();
    expect(later.view()).toMatchObject({ status: 'logged-in', user, sessionId });
  });

  test('where the server says that nobody is signed in, and where it ends a session, copies are looked at', async () => {
    const client = openBrowser();
    let looks = 0;
    const local = { ...owing(true), nobodyIsSignedIn: async () => void (looks += 1) };
    const http = vaultOf(client).http;
    const later = createSession(http, real.keyring, onlyTab(), servers, local);
    await later.check();
    expect(looks).toBe(1);
    await later.logIn(MIRA.email, MIRA.password);
    await later.check();
    expect(looks).toBe(1);
    client.cookies.clear();
    await expect(http.call(tree)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(looks).toBe(2);
  });

  test('a logout at another server: its token signs nobody in any more, and ends there when that server is asked next', async () => {
    const client = openBrowser();
    await session.check();
    await session.logIn(MIRA.email, MIRA.password);
    const { user } = session.view();
    const name = crypto.randomUUID();
    const { token } = await real.http.call(createToken, { body: { token_name: name } });
    if (user === null) throw new Error('not signed in');
    const kept = new Map([['', { ...user, login: user.email, url: '', token }]]);
    const left = new Map<string, typeof token>();
    // Its origin is empty, so that the calls reach the server of this test.
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
    const page = createSession(http, real.keyring, onlyTab(), others, local);
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

  test('coming online without a session leads to signing in', async () => {
    const client = openBrowser();
    await session.check();
    await session.logIn(MIRA.email, MIRA.password);
    await real.keyring.unlock(MIRA.masterPassword);
    client.cookies.clear();
    await session.comeOnline();
    expect(real.keyring.isOpen()).toBe(false);
    await expect.poll(() => session.view(), { timeout: 20_000 }).toMatchObject({ status: 'login', user: null });
  });

  test('a logout without the server reaches it before anybody is found signed in there', async () => {
    const client = openBrowser();
    await session.check();
    await session.logIn(MIRA.email, MIRA.password);
    const http = vaultOf(client).http;
    const local = owing(true);
    const later = createSession(http, real.keyring, onlyTab(), servers, local);
    await later.check();
    http.setOffline(true);
    await later.logOut();
    expect(later.view()).toMatchObject({ status: 'login', user: null });
    expect(local.owesLogout()).toBe(true);
    http.setOffline(false);
    await later.check();
    expect(later.view()).toMatchObject({ status: 'login', user: null });
    expect(local.owesLogout()).toBe(false);

    // Signing in anew owes nothing any more.
    local.setOwesLogout(true);
    await later.logIn(MIRA.email, MIRA.password);
    await later.check();
    expect(later.view()).toMatchObject({ status: 'logged-in', user: { email: MIRA.email } });
  });
});
