import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startTestApp, type SignedIn, type TestApp } from '../../../server/src/testing/test-app.ts';
import { createSession } from '@passwordbroker/client/session/session';
import '../testing/patient.ts';
import { vaultOf } from '@passwordbroker/client/testing/real-vault.node';
import { onlyTab } from '@passwordbroker/client/testing/tabs-of-one-browser';
import { LogoutPage } from './logout.tsx';
import { noCopies, ownServer } from '@passwordbroker/client/testing/signs-in-here';
import { loadNow } from '@passwordbroker/client/testing/load-now';

let app: TestApp;
let ada: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterAll(async () => {
  await app.stop();
});
afterEach(cleanup);

test('a logout that the server did not confirm stays on the page and can be retried', async () => {
  document.title = 'Root accounts | PasswordBroker';
  const client = app.guest();
  const real = vaultOf(client);
  const session = createSession({
    http: real.http,
    keyring: real.keyring,
    tabs: onlyTab(),
    servers: ownServer(),
    local: noCopies(),
    load: loadNow,
  });
  await session.check();
  await session.logIn(ada.email, ada.password);
  real.refuse = (request) => (request.endsWith('/logout') ? { code: 'internal', status: 500 } : null);
  const router = createMemoryRouter(
    [
      { path: '/identity/logout', element: <LogoutPage of={session} /> },
      { path: '/identity/login', element: <p>signing in</p> },
    ],
    { initialEntries: ['/identity/logout'] },
  );
  render(<RouterProvider router={router} />);
  const retry = await screen.findByRole('button', { name: 'Try again' });
  expect(screen.getByRole('alert').textContent).toContain('may still be signed in');
  await expect.poll(() => document.title, { timeout: 20_000 }).toBe('You are not logged out | PasswordBroker');
  expect(session.view().user).toBeNull();
  expect((await client.request({ path: '/identity/api/me' })).json()).toMatchObject({ message: 'loggedIn' });
  real.refuse = null;
  fireEvent.click(retry);
  await screen.findByText('signing in');
  expect((await client.request({ path: '/identity/api/me' })).json()).toMatchObject({ message: 'guest' });
});

test('a local copy that could not be removed is reported, and removed on retry', async () => {
  const real = vaultOf(app.guest());
  let isBroken = true;
  const removed: unknown[] = [];
  const session = createSession({
    http: real.http,
    keyring: real.keyring,
    tabs: onlyTab(),
    servers: ownServer(),
    local: {
      hasCopyOf: async () => true,
      nobodyIsSignedIn: async () => undefined,
      async forgetCopyOf(owner) {
        if (isBroken) throw new Error('The disk failed');
        removed.push(owner);
      },
      owesLogout: () => false,
      setOwesLogout: () => undefined,
    },
    load: loadNow,
  });
  await session.check();
  await session.logIn(ada.email, ada.password);
  const router = createMemoryRouter(
    [
      { path: '/identity/logout', element: <LogoutPage of={session} /> },
      { path: '/identity/login', element: <p>signing in</p> },
    ],
    { initialEntries: ['/identity/logout'] },
  );
  render(<RouterProvider router={router} />);
  await screen.findByRole('heading', { name: 'The local copy is still on this device' });
  expect(screen.getByRole('alert').textContent).toContain('The disk failed');
  isBroken = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('signing in');
  expect(removed).toEqual([{ server: null, userId: ada.userId }]);
});
