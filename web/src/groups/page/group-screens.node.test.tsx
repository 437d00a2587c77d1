/** Side panel and group page with a real vault, real server, fresh database and real keys. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { RouterProvider, createMemoryRouter } from 'react-router';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type SignedIn, type TestApp } from '../../../../server/src/testing/test-app.ts';
import '../../testing/patient.ts';
import { vaultOf, type RealVault } from '@passwordbroker/client/testing/real-vault.node';
import { VaultContext } from '../../vault/use-vault.ts';
import { expandedGroups } from '../tree/expanded-groups.ts';
import { GroupPage } from './group-page.tsx';
import { PromptPage } from './prompt-page.tsx';
import { SidePanel } from '../tree/side-panel.tsx';

let app: TestApp;
let ada: SignedIn;
let real: RealVault;

beforeAll(async () => {
  // There is no layout: the virtualiser needs sizes.
  for (const side of ['clientHeight', 'clientWidth', 'offsetHeight', 'offsetWidth'] as const) {
    Object.defineProperty(HTMLElement.prototype, side, { configurable: true, value: 800 });
  }
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterAll(async () => {
  await app.stop();
});
beforeEach(async () => {
  real = vaultOf(ada);
  await real.keyring.unlock(ada.masterPassword);
});
afterEach(() => {
  cleanup();
  expandedGroups.set([]);
});

async function addGroup(name: string, parentId: string | null = null): Promise<string> {
  const created = await real.vault.write?.createGroup({ name, parentId, sameMembers: false });
  return created?.entryGroup.entry_group_id ?? '';
}

function open(address: string) {
  const router = createMemoryRouter(
    [
      {
        path: '/',
        element: (
          <>
            <SidePanel />
            <main id="main">
              <PromptPage />
            </main>
          </>
        ),
      },
      {
        path: '/entryGroup/:id',
        element: (
          <>
            <SidePanel />
            <main id="main">
              <GroupPage />
            </main>
          </>
        ),
      },
    ],
    { initialEntries: [address] },
  );
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <VaultContext value={real.vault}>
        <RouterProvider router={router} />
      </VaultContext>
    </QueryClientProvider>,
  );
  return router;
}

const rows = () => screen.findAllByRole('row', { name: /, (Admin|Moderator|Member|Guest)$/ });

describe('the tree', () => {
  test('tells an account without groups what to do', async () => {
    open('/');
    expect(await screen.findByText('There are no groups yet')).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'Select an Entry Group' })).toBeTruthy();
  });

  test('opens the ancestors of the group in the address and selects it', async () => {
    const root = await addGroup('Engineering');
    const middle = await addGroup('Databases', root);
    const leaf = await addGroup('Production', middle);
    open(`/entryGroup/${leaf}`);
    await waitFor(async () =>
      expect((await rows()).map((row) => row.getAttribute('aria-label'))).toContain('Production, Admin'),
    );
    const selected = screen.getByRole('row', { name: 'Production, Admin' });
    expect(selected.getAttribute('aria-selected')).toBe('true');
    expect(selected.getAttribute('aria-level')).toBe('3');
    expect([...expandedGroups.list()]).toEqual([root, middle]);
    expect((await screen.findByRole('navigation', { name: 'Group path' })).textContent).toBe(
      'Engineering/Databases/Production',
    );
  });

  test('a failed call ends the overlay, shows the reason, and can be retried', async () => {
    const gone = await startTestApp();
    real = vaultOf(await gone.signUp('ada'));
    await gone.stop();
    open('/');
    expect(await screen.findByText('The groups could not be loaded.')).toBeTruthy();
    expect(screen.queryByText('loading...')).toBeNull();
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
  });
});

describe('the group page', () => {
  test('a new entry appears at once, in order', async () => {
    const id = await addGroup('Production');
    await real.vault.write?.createEntry(id, 'b');
    open(`/entryGroup/${id}`);
    await screen.findByRole('button', { name: /^b ?Updated/ });
    fireEvent.click(screen.getByRole('button', { name: 'add new Entry' }));
    const dialog = await screen.findByRole('dialog', { hidden: true });
    fireEvent.change(within(dialog).getByLabelText('Title'), { target: { value: ' a ' } });
    await act(async () => fireEvent.submit(dialog.querySelector('form') as HTMLFormElement));
    await screen.findByRole('button', { name: /^a ?Updated/ });
    const titles = [...document.querySelectorAll('[data-entry-title]')].map((title) => title.textContent?.[0]);
    expect(titles).toEqual(['a', 'b']);
    expect(real.requests.filter((request) => request.startsWith('POST') && request.includes('/entries'))).toHaveLength(
      2,
    );
  });

  test('explains that a group belongs to other people', async () => {
    const eve = await app.signUp('eve');
    const hers = vaultOf(eve);
    await hers.keyring.unlock(eve.masterPassword);
    const created = await hers.vault.write?.createGroup({ name: 'Hers', parentId: null, sameMembers: false });
    open(`/entryGroup/${created?.entryGroup.entry_group_id ?? ''}`);
    expect(
      await screen.findByRole('heading', { name: /^(There is no such group|You cannot open this group)$/ }),
    ).toBeTruthy();
    expect(screen.queryByText('Hers')).toBeNull();
  });

  test('explains an unknown group', async () => {
    open('/entryGroup/01890a5d-ac96-774b-bcce-b302099a8057');
    expect(await screen.findByRole('heading', { name: 'There is no such group' })).toBeTruthy();
  });
});
