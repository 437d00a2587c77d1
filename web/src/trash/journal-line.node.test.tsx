/** Undo of moved entries from the journal, whose rows the server may forge. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JournalRow } from '@passwordbroker/core/contract/entities';
import type { SignedIn } from '../../../server/src/testing/test-app.ts';
import { activityLog } from '../activity-log/activity-log.ts';
import { createMasterPassword } from '@passwordbroker/client/master-password/master-password';
import { MasterPasswordContext } from '../master-password/use-master-password.ts';
import '../testing/patient.ts';
import type { RealVault } from '@passwordbroker/client/testing/real-vault.node';
import { withPeople, withVault } from '@passwordbroker/client/testing/with-vaults.node';
import { TRASH_TEXTS } from '../texts/entries/trash-and-activity.ts';
import { TRUST_TEXTS as TEXTS } from '../texts/groups/trust.ts';
import { VaultContext } from '../vault/use-vault.ts';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import { JournalLine } from './trash-page.tsx';

let ada: SignedIn;
let bob: SignedIn;
let real: RealVault;
let write: VaultWrite;
/** Group with Ada alone. */
let alone: string;
/** Group with Ada and Bob. */
let shared: string;

withPeople(['ada', 'bob'], (_app, people) => ([ada, bob] = people));
withVault(
  () => ada,
  (opened, writing) => ([real, write] = [opened, writing]),
);
beforeEach(async () => {
  [alone, shared] = [await addGroup('Private'), await addGroup('Shared')];
  const trust = await real.vault.read.keyTrust(bob);
  if (trust.state === 'none') throw new Error('no keys');
  const { fingerprint } = trust.current;
  await write.members.confirmKey(bob, fingerprint, 'words');
  await write.members.add(shared, { userId: bob.userId, fingerprint }, 'member');
});
afterEach(cleanup);

async function addGroup(name: string): Promise<string> {
  const { entryGroup } = await write.createGroup({ name, parentId: null, sameMembers: false });
  return entryGroup.entry_group_id;
}

async function addEntry(groupId: string, title: string): Promise<string> {
  const { entry_id: entryId } = await write.createEntry(groupId, title);
  const field = { type: 'note', title: 'Note', value: 'secret' } as const;
  await write.createField({ entryGroupId: groupId, entryId }, field);
  return entryId;
}

async function moved(entryId: string, from: string, to: string): Promise<JournalRow> {
  await write.moveEntries(from, [entryId], to);
  const [row] = (await real.vault.read.journal(1)).data;
  if (row === undefined) throw new Error('no row');
  return row;
}

async function press(row: JournalRow) {
  real.requests.length = 0;
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MasterPasswordContext value={createMasterPassword(real.keyring)}>
        <VaultContext value={real.vault}>
          <JournalLine row={row} write={write} />
        </VaultContext>
      </MasterPasswordContext>
    </QueryClientProvider>,
  );
  await screen.findByText(/moved from "(Private|Shared|Staging|Elsewhere)"/);
  fireEvent.click(screen.getByRole('button'));
}
const undone = () => real.requests.filter((request) => request.endsWith('/undo'));
const titlesIn = async (groupId: string) => (await real.vault.read.entries(groupId)).map(({ title }) => title);

test('a move back to a group without other members needs no question', async () => {
  const entryId = await addEntry(alone, 'Ledger');
  await press(await moved(entryId, alone, shared));
  await expect.poll(() => titlesIn(alone)).toEqual(['Ledger']);
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

test('M42 asks about a row that names a group with more readers, listing its signed readers; Cancel sends nothing', async () => {
  const staging = await addGroup('Staging');
  const honest = await moved(await addEntry(staging, 'Ledger'), staging, alone);
  await press({ ...honest, from: shared });
  const dialog = await screen.findByRole('alertdialog');
  expect(dialog.textContent).toContain(TEXTS.moveBackTitle('Shared'));
  expect(dialog.textContent).toContain(TEXTS.moveBackNew('bob'));
  expect(dialog.textContent).toContain('Ledger');
  fireEvent.click(screen.getByText(TEXTS.cancel));
  await expect.poll(() => screen.queryByText(TRASH_TEXTS.undoing)).toBeNull();
  expect(undone()).toEqual([]);
  expect(await titlesIn(alone)).toEqual(['Ledger']);
});

test('M42 does not move entries that the row adds and that are elsewhere', async () => {
  const other = await addEntry(shared, 'Other');
  const honest = await moved(await addEntry(alone, 'Ledger'), alone, shared);
  const elsewhere = await addGroup('Elsewhere');
  await write.moveEntries(shared, [other], elsewhere);
  await press({ ...honest, target_ids: [...honest.target_ids, other] });
  await expect.poll(() => titlesIn(alone)).toEqual(['Ledger']);
  expect(await titlesIn(elsewhere)).toEqual(['Other']);
});

test('M42 refuses a row of entries that are not there with a message, and sends nothing', async () => {
  const honest = await moved(await addEntry(alone, 'Ledger'), alone, shared);
  await press({ ...honest, from: shared, to: alone });
  await expect.poll(() => activityLog.list()[0]?.body).toContain(TEXTS.moveBackGone('Private'));
  expect(undone()).toEqual([]);
  expect(await titlesIn(shared)).toEqual(['Ledger']);
});
