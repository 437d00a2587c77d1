import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { EntryGroup } from '@passwordbroker/core/contract/entities';
import type { SignedIn } from '../../../../server/src/testing/test-app.ts';
import { MasterPasswordContext } from '../../master-password/use-master-password.ts';
import { createMasterPassword } from '@passwordbroker/client/master-password/master-password';
import '../../testing/patient.ts';
import { vaultOf, type RealVault } from '@passwordbroker/client/testing/real-vault.node';
import { withPeople, withVault } from '@passwordbroker/client/testing/with-vaults.node';
import { takeIn } from '@passwordbroker/client/testing/take-in.node';
import { VaultContext } from '../../vault/use-vault.ts';
import { AddChildGroup } from './add-group-dialog.tsx';

let ada: SignedIn;
let bob: SignedIn;
let carol: SignedIn;
let real: RealVault;
let group: EntryGroup;

withPeople(['ada', 'bob', 'carol'], (_app, people) => ([ada, bob, carol] = people));
withVault(
  () => ada,
  (opened) => (real = opened),
);
beforeEach(async () => {
  const made = await real.vault.write?.createGroup({ name: 'Parent', parentId: null, sameMembers: false });
  if (made === undefined) throw new Error('The online vault writes');
  group = made.entryGroup;
  await takeIn(real, group.entry_group_id, bob, 'member');
  real.requests.length = 0;
});
afterEach(cleanup);

const PATH = '/passwordBroker/api/entryGroups';
const add = () => screen.getByRole('button', { name: 'add' });

function open() {
  const router = createMemoryRouter([
    { path: '/', element: <AddChildGroup group={group} path="Parent" onClose={() => undefined} /> },
    { path: '/entryGroup/:id', element: <p>the new group</p> },
  ]);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MasterPasswordContext value={createMasterPassword(real.keyring)}>
        <VaultContext value={real.vault}>
          <RouterProvider router={router} />
        </VaultContext>
      </MasterPasswordContext>
    </QueryClientProvider>,
  );
  fireEvent.change(screen.getByLabelText('Title'), { target: { value: 'Child' } });
  return router;
}
async function membersOfNew(router: ReturnType<typeof open>) {
  await screen.findByText('the new group');
  const id = router.state.location.pathname.split('/').at(-1) ?? '';
  return (await real.vault.read.members(id)).map(({ user_id }) => user_id).toSorted();
}

test('adds nothing before the member list is loaded; then shows it and wraps for exactly these members', async () => {
  let answer = () => undefined as void;
  const held = new Promise<void>((resolve) => (answer = resolve));
  real.before = (request) => (request.endsWith('/users') ? held : Promise.resolve());
  const router = open();
  fireEvent.submit(screen.getByLabelText('Title').closest('form') as HTMLFormElement);
  expect(add().getAttribute('aria-disabled')).toBe('true');
  expect(screen.getByRole('status').textContent).toContain('Looking up');
  answer();
  await screen.findByText(`These get the same roles in the new group: ${ada.name}, ${bob.name}.`);
  expect(real.requests).not.toContain(`POST ${PATH}`);
  fireEvent.click(add());
  expect(await membersOfNew(router)).toEqual([ada.userId, bob.userId].toSorted());
  const asked = real.requests.filter((request) => request.endsWith(`${group.entry_group_id}/users`));
  expect(asked).toHaveLength(1);
});

test('a list that fails to load blocks adding and can be retried', async () => {
  real.refuse = (request) => (request.endsWith('/users') ? { code: 'internal', status: 500 } : null);
  open();
  await screen.findByText('The members of the parent could not be loaded.');
  expect(add().getAttribute('aria-disabled')).toBe('true');
  real.refuse = null;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(add().getAttribute('aria-disabled')).toBeNull());
});

test('a person who joined after the list was shown gets no key: the new list is shown first', async () => {
  const router = open();
  await screen.findByText(/These get the same roles/);
  // Writes the accepted list now instead of seconds later, for another browser to read.
  await real.vault.write?.trust.recordWords();
  const elsewhere = vaultOf(ada);
  await elsewhere.keyring.unlock(ada.masterPassword);
  await takeIn(elsewhere, group.entry_group_id, carol, 'member');
  fireEvent.click(add());
  await screen.findByText('The members of the parent have changed. Look at the list again.');
  await screen.findByText(new RegExp(carol.name));
  fireEvent.click(add());
  expect(await membersOfNew(router)).toEqual([ada.userId, bob.userId, carol.userId].toSorted());
});
