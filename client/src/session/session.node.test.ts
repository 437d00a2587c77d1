import { beforeAll, describe, expect, test } from 'vitest';
import { tree } from '@passwordbroker/core/contract/groups/entry-groups';
import { login } from '@passwordbroker/core/contract/account/session';
import { register } from '@passwordbroker/core/contract/users/users';
import { signUpBody, startTestApp, type TestApp } from '../../../server/src/testing/test-app.ts';
import { testPerson, type TestPerson } from '../../../server/src/testing/test-person.ts';
import { createHttp } from '../transport/http.ts';
import { type RealVault, vaultOf } from '../testing/real-vault.node.ts';
import { MIRA, withBrowser } from '../testing/signed-out-browser.node.ts';
import { onlyTab, tabsOfOneBrowser } from '../testing/tabs-of-one-browser.ts';
import { createSession, type Session } from './session.ts';
import { noCopies, ownServer } from '../testing/signs-in-here.ts';
import { loadNow } from '../testing/load-now.ts';

let app: TestApp;
let real: RealVault;
let session: Session;
const openBrowser = withBrowser((browser) => ({ app, real, session } = browser));

const someCall = () => real.http.call(tree);

describe('before anyone has signed up', () => {
  test('the check leads to sign-up, and concurrent checks share one request', async () => {
    expect(session.view()).toEqual({ status: 'loading', user: null, sessionId: null, server: null });
    await Promise.all([session.check(), session.check(), session.check()]);
    expect(session.view().status).toBe('signup');
    expect(real.requests).toEqual(['GET /identity/api/me']);
  });

  test('other calls are refused locally, without a request', async () => {
    await session.check();
    await expect(someCall()).rejects.toMatchObject({ code: 'unauthenticated', message: 'user is logout' });
    expect(real.requests).toEqual(['GET /identity/api/me']);
  });

  test('signing up signs the person in, and the master password opens the keys', async () => {
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

describe('after the first sign-up', () => {
  test('a guest is led to login, and a second sign-up is refused', async () => {
    await session.check();
    expect(session.view().status).toBe('login');
    await expect(session.signUp({ ...MIRA, email: 'other@example.org' })).rejects.toMatchObject({ name: 'AppError' });
    expect(session.view()).toMatchObject({ status: 'login', user: null });
  });

  test('a wrong password changes nothing; the right one signs in; a reload restores the session', async () => {
    const client = openBrowser();
    await session.check();
    await expect(session.logIn(MIRA.email, 'wrong')).rejects.toMatchObject({ code: 'invalid_credentials' });
    expect(session.view()).toEqual({ status: 'login', user: null, sessionId: null, server: null });
    await session.logIn(MIRA.email, MIRA.password);
    const signedIn = session.view();
    expect(signedIn).toMatchObject({ status: 'logged-in', user: { name: 'Mira Okafor' } });

    const reloaded = createSession({
      http: vaultOf(client).http,
      keyring: real.keyring,
      tabs: onlyTab(),
      servers: ownServer(),
      local: noCopies(),
      load: loadNow,
    });
    await reloaded.check();
    expect(reloaded.view()).toEqual(signedIn);
  });

  test('logging out locks the keys, clears the person and ends the session on the server', async () => {
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

  test('a session that the server has ended leads to login', async () => {
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
      return {
        ...page,
        session: createSession({
          http: page.http,
          keyring: page.keyring,
          tabs: tab,
          servers: ownServer(),
          local: noCopies(),
          load: loadNow,
        }),
      };
    };
    return { client, here: open(), there: open() };
  }

  test('a logout in a tab that was never unlocked signs out the other tabs', async () => {
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

  test('a session that the server has ended ends in all tabs', async () => {
    const { client, here, there } = openTwoTabs();
    await here.session.check();
    await here.session.logIn(MIRA.email, MIRA.password);
    await there.session.check();
    await there.keyring.unlock(MIRA.masterPassword);
    client.cookies.clear();
    await expect(here.http.call(tree)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect([there.keyring.isOpen(), there.session.view().user]).toEqual([false, null]);
  });

  test('when another person signs in, the former keys are dropped, and the other tab shows the new person', async () => {
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

  test('keys of another person than the one shown open nothing, and the session is checked again', async () => {
    const client = app.guest();
    const page = vaultOf(client);
    const shown = createSession({
      http: page.http,
      keyring: page.keyring,
      tabs: onlyTab(),
      servers: ownServer(),
      local: noCopies(),
      load: loadNow,
    });
    await shown.check();
    await shown.logIn(MIRA.email, MIRA.password);
    // Another program in the same browser, which sends no messages to tabs.
    const silent = createSession({
      http: vaultOf(client).http,
      keyring: vaultOf(client).keyring,
      tabs: onlyTab(),
      servers: ownServer(),
      local: noCopies(),
      load: loadNow,
    });
    await silent.logIn(ilse.email, ilse.password);
    await expect(page.keyring.unlock(ilse.masterPassword)).rejects.toMatchObject({ code: 'other_person' });
    expect([page.keyring.isOpen(), shown.view().user]).toEqual([false, null]);
    await shown.check();
    expect(shown.view().user?.email).toBe(ilse.email);
  });
});

test('an unreachable server leads to login, and logging out still clears the person', async () => {
  const http = createHttp({
    face: 'web',
    origin: 'http://127.0.0.1:9',
    cookies: { read: () => '', write: () => undefined },
  });
  const unreachable = createSession({
    http,
    keyring: real.keyring,
    tabs: onlyTab(),
    servers: ownServer(),
    local: noCopies(),
    load: loadNow,
  });
  await unreachable.check();
  expect(unreachable.view().status).toBe('login');
  await expect(unreachable.logOut()).rejects.toMatchObject({ name: 'NetworkError' });
  expect(unreachable.view()).toEqual({ status: 'login', user: null, sessionId: null, server: null });
});

test('when only the account was created, sign-up is over and the person signs in', async () => {
  const fresh = await startTestApp();
  const browser = vaultOf(fresh.guest());
  const interrupted = createSession({
    http: browser.http,
    keyring: browser.keyring,
    tabs: onlyTab(),
    servers: ownServer(),
    local: noCopies(),
    load: loadNow,
  });
  await interrupted.check();
  browser.forge = (path, answer) => (path === '/identity/api/me' ? {} : answer);
  await interrupted.signUp(MIRA);
  expect(interrupted.view()).toEqual({ status: 'login', user: null, sessionId: null, server: null });
  browser.forge = null;
  await interrupted.logIn(MIRA.email, MIRA.password);
  expect(interrupted.view()).toMatchObject({ status: 'logged-in', user: { name: 'Mira Okafor' } });
  await fresh.stop();
});
