/**
 * 'Same members as the parent' below a parent whose member list is unsigned: only the server names
 * the members, so they get no key (docs/spec/crypto.md §8).
 */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, expect, test } from 'vitest';
import { create } from '@passwordbroker/core/contract/groups/entry-groups';
import { joinGroup } from '../../../../server/src/testing/join-group.ts';
import type { SignedIn, TestApp } from '../../../../server/src/testing/test-app.ts';
import { createMasterPassword } from '@passwordbroker/client/master-password/master-password';
import { MasterPasswordContext } from '../../master-password/use-master-password.ts';
import '../../testing/patient.ts';
import type { RealVault } from '@passwordbroker/client/testing/real-vault.node';
import { withPeople, withVault } from '@passwordbroker/client/testing/with-vaults.node';
import { TRUST_PROBLEM_TEXTS } from '@passwordbroker/client/texts/keyring';
import { TRUST_TEXTS } from '../../texts/groups/trust.ts';
import { VaultContext } from '../../vault/use-vault.ts';
import { AddChildGroup } from './add-group-dialog.tsx';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let real: RealVault;

withPeople(['ada', 'bob'], (started, people) => {
  app = started;
  [ada, bob] = people;
});
withVault(
  () => ada,
  (opened) => (real = opened),
);
afterEach(cleanup);

test('an unsigned parent passes on no key: the dialog says why, and the child has no other members', async () => {
  const { entryGroup: group } = await ada.call(create, { body: { name: 'Made by a script' } });
  await joinGroup(app, group.entry_group_id, bob, 'member');
  const router = createMemoryRouter([
    { path: '/', element: <AddChildGroup group={group} path="Made by a script" onClose={() => undefined} /> },
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
  await screen.findByText(/These get the same roles/);
  fireEvent.click(screen.getByRole('button', { name: 'add' }));
  await screen.findByText(TRUST_PROBLEM_TEXTS.group_unsigned);
  const posted = () => real.requests.filter((request) => request === 'POST /passwordBroker/api/entryGroups');
  expect(posted()).toEqual([]);
  await screen.findByText(TRUST_TEXTS.whyNot.unsigned);
  fireEvent.click(screen.getByRole('button', { name: 'add' }));
  await screen.findByText('the new group');
  const id = router.state.location.pathname.split('/').at(-1) ?? '';
  expect((await real.vault.read.members(id)).map(({ user_id }) => user_id)).toEqual([ada.userId]);
});
