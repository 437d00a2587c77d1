/** The banner of an unsigned group, and of one whose member left. */
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { create } from '@passwordbroker/core/contract/groups/entry-groups';
import { remove } from '@passwordbroker/core/contract/groups/members';
import type { Role } from '@passwordbroker/core/domain/policy';
import { joinGroup } from '../../../../server/src/testing/join-group.ts';
import type { SignedIn, TestApp } from '../../../../server/src/testing/test-app.ts';
import { createMasterPassword } from '@passwordbroker/client/master-password/master-password';
import { MasterPasswordContext } from '../../master-password/use-master-password.ts';
import '../../testing/patient.ts';
import type { RealVault } from '@passwordbroker/client/testing/real-vault.node';
import { withPeople, withVault } from '@passwordbroker/client/testing/with-vaults.node';
import { VaultContext } from '../../vault/use-vault.ts';
import { RotationBanner } from './rotation-banner.tsx';

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

function Shown({ id, role }: { readonly id: string; readonly role: Role }) {
  const { data } = useQuery({ queryKey: ['online', 'group', id], queryFn: () => real.vault.read.group(id) });
  if (data === undefined) return null;
  return <RotationBanner group={data.entryGroup} selfId={ada.userId} canRotate={role === 'admin'} />;
}

const show = (id: string, role: Role = 'admin') =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MasterPasswordContext value={createMasterPassword(real.keyring)}>
        <VaultContext value={real.vault}>
          <Shown id={id} role={role} />
        </VaultContext>
      </MasterPasswordContext>
    </QueryClientProvider>,
  );

async function sharedByScript(): Promise<string> {
  const { entryGroup } = await ada.call(create, { body: { name: 'Made by a script' } });
  await joinGroup(app, entryGroup.entry_group_id, bob, 'member');
  return entryGroup.entry_group_id;
}

test('unsigned members are named; after each key is confirmed, the list is signed and the note disappears', async () => {
  const id = await sharedByScript();
  const { container } = show(id);
  await screen.findByText(`${bob.name}, Member`);
  fireEvent.click(screen.getByRole('button', { name: 'Sign the list of members' }));
  await screen.findByRole('heading', { name: `Is this the key of ${bob.name}?` });
  expect(real.requests.some((request) => request.endsWith('/rotate'))).toBe(false);
  fireEvent.click(screen.getByRole('button', { name: 'Trust for now' }));
  await waitFor(() => expect(container.textContent).toBe(''));
  expect((await real.vault.read.group(id)).entryGroup).toMatchObject({ origin: 'client', gk_version: 2 });
});

test('closing the dialog before a decision signs nothing', async () => {
  const id = await sharedByScript();
  const carol = await app.signUp('carol');
  await joinGroup(app, id, carol, 'member');
  show(id);
  await screen.findByText(`${carol.name}, Member`);
  fireEvent.click(screen.getByRole('button', { name: 'Sign the list of members' }));
  await screen.findByRole('heading', { name: `Is this the key of ${carol.name}?` });
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('heading')).toBeNull());
  expect((await real.vault.read.group(id)).entryGroup.origin).toBe('server');
});

test('when a rotation is due, an admin can start it; others see who can', async () => {
  const made = await real.vault.write?.createGroup({ name: 'Signed', parentId: null, sameMembers: false });
  const id = made?.entryGroup.entry_group_id ?? '';
  await joinGroup(app, id, bob, 'member');
  await ada.call(remove, { params: { g: id, u: bob.userId } });
  show(id, 'member');
  await screen.findByText('An admin of this group has to do it.');
  expect(screen.queryByRole('button')).toBeNull();
  cleanup();
  const { container } = show(id);
  fireEvent.click(await screen.findByRole('button', { name: 'Change the key now' }));
  await waitFor(() => expect(container.textContent).toBe(''));
  expect((await real.vault.read.group(id)).entryGroup).toMatchObject({ rotation_due: false, gk_version: 2 });
});
