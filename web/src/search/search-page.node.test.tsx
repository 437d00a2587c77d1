import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startTestApp, type SignedIn, type TestApp } from '../../../server/src/testing/test-app.ts';
import '../testing/patient.ts';
import { vaultOf, type RealVault } from '@passwordbroker/client/testing/real-vault.node';
import { VaultContext } from '../vault/use-vault.ts';
import { SearchPage } from './search-page.tsx';

let app: TestApp;
let ada: SignedIn;
let real: RealVault;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  real = vaultOf(ada);
  await real.keyring.unlock(ada.masterPassword);
  const made = await real.vault.write?.createGroup({ name: 'G', parentId: null, sameMembers: false });
  const group = made?.entryGroup.entry_group_id ?? '';
  for (let at = 0; at < 21; at += 1) await real.vault.write?.createEntry(group, `host ${at}`);
});
afterAll(async () => {
  await app.stop();
});
afterEach(cleanup);

const next = () => screen.getByRole('button', { name: 'Next page' });

test('changing the page keeps the pager while loading, then focuses the heading', async () => {
  const router = createMemoryRouter([{ path: '/entrySearch/:query', element: <SearchPage /> }], {
    initialEntries: ['/entrySearch/host'],
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <VaultContext value={real.vault}>
        <RouterProvider router={router} />
      </VaultContext>
    </QueryClientProvider>,
  );
  await screen.findByText('1–20 of 21');
  let answer = () => undefined as void;
  const held = new Promise<void>((resolve) => (answer = resolve));
  real.before = () => held;
  const pressed = next();
  pressed.focus();
  fireEvent.click(pressed);
  await waitFor(() => expect(screen.getByRole('list', { busy: true })).toBeTruthy());
  expect(document.activeElement).toBe(pressed);
  answer();
  await screen.findByText('21–21 of 21');
  expect(next()).toBe(pressed);
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
  expect(next().getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(next());
  expect(router.state.location.search).toBe('?page=2');
});

test('another query shows no results of the previous one', async () => {
  real.before = null;
  const router = createMemoryRouter([{ path: '/entrySearch/:query', element: <SearchPage /> }], {
    initialEntries: ['/entrySearch/host'],
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <VaultContext value={real.vault}>
        <RouterProvider router={router} />
      </VaultContext>
    </QueryClientProvider>,
  );
  await screen.findByText('1–20 of 21');
  await router.navigate('/entrySearch/nothing');
  await waitFor(() => expect(screen.queryByText('1–20 of 21')).toBeNull());
});
