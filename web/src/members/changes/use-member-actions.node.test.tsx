/**
 * The activity log has the result of a change in many groups, also after the person left the page.
 */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test } from 'vitest';
import type { SignedIn } from '../../../../server/src/testing/test-app.ts';
import { activityLog } from '../../activity-log/activity-log.ts';
import { createMasterPassword } from '@passwordbroker/client/master-password/master-password';
import { MasterPasswordContext } from '../../master-password/use-master-password.ts';
import '../../testing/patient.ts';
import type { RealVault } from '@passwordbroker/client/testing/real-vault.node';
import { withPeople, withVault } from '@passwordbroker/client/testing/with-vaults.node';
import { VaultContext } from '../../vault/use-vault.ts';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import type { Outcome } from './over-groups.ts';
import { useMemberActions } from './use-member-actions.ts';

let ada: SignedIn;
let bob: SignedIn;
let real: RealVault;
let write: VaultWrite;
withPeople(['ada', 'bob'], (_app, people) => ([ada, bob] = people));
withVault(
  () => ada,
  (opened, writing) => ([real, write] = [opened, writing]),
);
afterEach(cleanup);

async function groupsCalled(...names: readonly string[]) {
  const groups: { id: string; title: string }[] = [];
  for (const name of names) {
    const { entryGroup } = await write.createGroup({ name, parentId: null, sameMembers: false });
    groups.push({ id: entryGroup.entry_group_id, title: name });
  }
  return groups;
}

function actions(shownId: string) {
  const wrapper = ({ children }: { readonly children: ReactNode }) => (
    <QueryClientProvider client={new QueryClient()}>
      <MasterPasswordContext value={createMasterPassword(real.keyring)}>
        <VaultContext value={real.vault}>{children}</VaultContext>
      </MasterPasswordContext>
    </QueryClientProvider>
  );
  return renderHook(() => useMemberActions(shownId, write), { wrapper });
}

test('logs failures next to successes', async () => {
  const [first, second] = await groupsCalled('Production', 'Staging');
  const trust = await real.vault.read.keyTrust(bob);
  if (trust.state === 'none') throw new Error('no keys');
  const { fingerprint } = trust.current;
  await write.members.confirmKey(bob, fingerprint, 'words');
  for (const group of [first!, second!])
    await write.members.add(group.id, { userId: bob.userId, fingerprint }, 'member');
  real.refuse = (request) =>
    request.includes(`DELETE`) && request.includes(second!.id) ? { code: null, status: 502 } : null;
  const { result } = actions(first!.id);
  await act(() => result.current.remove(bob, [first!, second!]));
  const [done, failed] = activityLog.list().map(({ body, isFailure }) => ({ body, isFailure }));
  expect(done).toEqual({ body: 'bob removed', isFailure: false });
  expect(failed).toEqual({ body: 'Not done in all groups: remove bob. It did not work in 1 group.', isFailure: true });
});

test('logs how many groups were not started after the person left the page', async () => {
  // Six run at a time, after the first has succeeded.
  const groups = await groupsCalled('One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight');
  const { result, unmount } = actions(groups[0]!.id);
  real.before = (request) => {
    if (request.startsWith('DELETE')) unmount();
    return Promise.resolve();
  };
  let removing: Promise<Outcome> | undefined;
  act(() => void (removing = result.current.remove(bob, groups)));
  const left = (await removing)?.left.length ?? 0;
  expect(left).toBeGreaterThan(0);
  expect(activityLog.list()[0]?.body).toContain(`Stopped: ${left} group`);
});

test('does not open prepared groups again', async () => {
  const groups = await groupsCalled('Nine', 'Ten', 'Eleven');
  const trust = await real.vault.read.keyTrust(bob);
  if (trust.state === 'none') throw new Error('no keys');
  const { fingerprint } = trust.current;
  await write.members.confirmKey(bob, fingerprint, 'words');
  const { result } = actions(groups[0]!.id);
  real.keyring.lock();
  await real.keyring.unlock(ada.masterPassword);
  const asked = () => real.requests.filter((request) => request.startsWith('GET') && request.includes('oster')).length;
  const before = asked();
  result.current.prepare(groups);
  await Promise.all(groups.map(({ id }) => real.vault.read.examine(id)));
  const opened = asked();
  expect(opened).toBeGreaterThan(before);
  let adding: Promise<Outcome> | undefined;
  await act(async () => {
    adding = result.current.add({ userId: bob.userId, name: bob.name, fingerprint }, 'member', groups);
    await adding;
  });
  expect((await adding)?.done).toHaveLength(3);
  expect(asked()).toBe(opened);
});
