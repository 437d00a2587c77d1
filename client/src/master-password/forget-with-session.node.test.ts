import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type SignedIn, type TestApp } from '../../../server/src/testing/test-app.ts';
import { createSession } from '../session/session.ts';
import { vaultOf } from '../testing/real-vault.node.ts';
import { onlyTab } from '../testing/tabs-of-one-browser.ts';
import { forgetWithSession, createMasterPassword, MasterPasswordCancelled } from './master-password.ts';
import { noCopies, ownServer } from '../testing/signs-in-here.ts';
import { loadNow } from '../testing/load-now.ts';

let app: TestApp;
let ada: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterAll(async () => {
  await app.stop();
});

test('logging out cancels actions that wait for the master password and resets its state', async () => {
  const { http, keyring } = vaultOf(app.guest());
  const session = createSession({
    http,
    keyring,
    tabs: onlyTab(),
    servers: ownServer(),
    local: noCopies(),
    load: loadNow,
  });
  const masterPassword = createMasterPassword(keyring);
  forgetWithSession(masterPassword, session);
  await session.check();
  await session.logIn(ada.email, ada.password);
  const waiting = masterPassword.use(() => Promise.resolve(1), { label: 'show the value of “Root account”' });
  const ended = expect(waiting).rejects.toBeInstanceOf(MasterPasswordCancelled);
  await masterPassword.remember('wrong');
  expect(masterPassword.view().state).toBe('incorrect');
  await session.logOut();
  await ended;
  await session.logIn(ada.email, ada.password);
  expect(masterPassword.view()).toEqual({ state: 'not entered', modal: null });
});
