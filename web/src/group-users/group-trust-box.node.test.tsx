/** A list of members that does not follow: an admin may go on from it, anybody else is told to ask one. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { RosterAnswer } from '@passwordbroker/core/contract/entities';
import { createGroupKeys } from '@passwordbroker/core/domain/group-keys';
import { startTestApp, type SignedIn, type TestApp } from '../../../server/src/testing/test-app.ts';
import { createMasterPassword } from '../master-password/master-password.ts';
import { MasterPasswordContext } from '../master-password/use-master-password.ts';
import '../testing/patient.ts';
import { vaultOf, type RealVault } from '../testing/real-vault.node.ts';
import { TRUST_TEXTS as TEXTS } from '../texts/trust.ts';
import { VaultContext } from '../vault/use-vault.ts';
import { GroupTrustBox } from './group-trust-box.tsx';

let app: TestApp;
let ada: SignedIn;
let mallory: SignedIn;

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  mallory = await app.signUp('mallory');
});
afterAll(async () => {
  await app.stop();
});
afterEach(cleanup);

function show(isAdmin: boolean, { keyring, vault }: RealVault = vaultOf(ada), groupId = 'g') {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MasterPasswordContext value={createMasterPassword(keyring)}>
        <VaultContext value={vault}>
          <GroupTrustBox groupId={groupId} trust={{ readOnly: 'rolled-back' }} isAdmin={isAdmin} />
        </VaultContext>
      </MasterPasswordContext>
    </QueryClientProvider>,
  );
}

test('an admin is offered to go on', () => {
  show(true);
  expect(screen.getByText(TEXTS.readOnly['rolled-back'])).toBeDefined();
  expect(screen.getByRole('button', { name: TEXTS.goOn })).toBeDefined();
  expect(screen.queryByText(TEXTS.askAdmin)).toBeNull();
});

test('a member is told whom to ask, and has no button', () => {
  show(false);
  expect(screen.getByText(TEXTS.readOnly['rolled-back'])).toBeDefined();
  expect(screen.getByText(TEXTS.askAdmin)).toBeDefined();
  expect(screen.queryByRole('button')).toBeNull();
});

test('who is asked whether to go on sees whom the signed list names, not whom the server does', async () => {
  const real = vaultOf(ada);
  await real.keyring.unlock(ada.masterPassword);
  const made = await real.vault.write?.createGroup({ name: 'G', parentId: null, sameMembers: false });
  const groupId = made?.entryGroup.entry_group_id ?? '';
  const members = [mallory, ada].map(({ keyring }) => ({ identity: keyring.identity, role: 'admin' as const }));
  const { wire } = await createGroupKeys(mallory.keyring, { groupId, members, now: Date.now() });
  const certificate = { ...mallory.bundle.certificate, fpr: mallory.keyring.fingerprint, created_at: '' };
  real.forge = (path, answer) => {
    if (!path.includes('/roster')) return answer;
    const { rosters, ...rest } = answer as RosterAnswer;
    const { roster_base64, roster_sig_base64 } = wire;
    const signed = { roster_base64, roster_sig_base64, signer: mallory.userId, signer_certificate: certificate };
    return { ...rest, rosters: rosters.map((one) => ({ ...one, ...signed })) };
  };
  const entry = await real.vault.write?.createEntry(groupId, 'E');
  const path = { entryGroupId: groupId, entryId: entry?.entry_id ?? '' };
  const writing = real.vault.write?.createField(path, { type: 'note', title: 'N', value: 'v' });
  await expect(writing).rejects.toMatchObject({ code: 'read_only', detail: 'forked' });
  expect((await real.vault.read.members(groupId)).map(({ user_id }) => user_id)).toEqual([ada.userId]);

  show(true, real, groupId);
  fireEvent.click(screen.getByRole('button', { name: TEXTS.goOn }));
  const named = [`somebody whom the server does not name (${mallory.userId})`, ada.name];
  const texts = [named, named.toReversed()].map((names) => TEXTS.goOnText(names));
  const dialog = await screen.findByRole('alertdialog');
  // Before the names are there nobody is asked to confirm ids.
  expect(dialog.textContent).toContain(TEXTS.naming);
  expect(dialog.textContent).not.toContain(mallory.userId);
  const goOn = within(dialog).getByRole('button', { name: TEXTS.goOn });
  expect(goOn.getAttribute('aria-disabled')).toBe('true');
  await waitFor(() => expect(texts.some((text) => dialog.textContent?.includes(text))).toBe(true));
  // Another list than the one that was shown is not gone on from.
  const others = real.vault.write?.members.confirmGroup(groupId, 'ab'.repeat(32));
  await expect(others).rejects.toMatchObject({ code: 'other_list' });
  await expect(real.vault.write?.members.confirmGroup(groupId, null)).rejects.toMatchObject({ code: 'other_list' });
  expect(real.vault.memberships.trust(groupId)).toEqual({ readOnly: 'forked' });
});
