import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { create } from '@passwordbroker/core/contract/entry-groups';
import type { RosterAnswer } from '@passwordbroker/core/contract/entities';
import type { SignedIn } from '../../../server/src/testing/test-app.ts';
import '../testing/patient.ts';
import { vaultOf, type RealVault } from '../testing/real-vault.node.ts';
import { shelfInMemory } from '../testing/shelf-in-memory.ts';
import { onlyTab } from '../testing/tabs-of-one-browser.ts';
import { withPeople, withVault } from '../testing/with-vaults.node.ts';
import { VaultContext } from '../vault/use-vault.ts';
import { MembershipNote } from './membership-note.tsx';

let ada: SignedIn;
let real: RealVault;
withPeople(['ada'], (_app, people) => ([ada] = people));
withVault(
  () => ada,
  (opened) => (real = opened),
);
afterEach(cleanup);

const shown = (groupId: string, role: 'admin' | 'moderator' | 'member') =>
  render(
    <VaultContext value={real.vault}>
      <MembershipNote groupId={groupId} role={role} />
    </VaultContext>,
  ).container;

const openByWriting = (groupId: string) => act(async () => void (await write(groupId)));
async function write(groupId: string) {
  const entry = await real.vault.write?.createEntry(groupId, 'E');
  const path = { entryGroupId: groupId, entryId: entry?.entry_id ?? '' };
  return real.vault.write?.createField(path, { type: 'note', title: 'N', value: 'v' });
}
const madeHere = async () =>
  (await real.vault.write?.createGroup({ name: 'Signed', parentId: null, sameMembers: false }))?.entryGroup
    .entry_group_id ?? '';

describe('the note about members', () => {
  test('a group made through the API: said once it was opened, and gone with the keys', async () => {
    const { entryGroup } = await ada.call(create, { body: { name: 'Plain' } });
    const box = shown(entryGroup.entry_group_id, 'admin');
    expect(box.textContent).toBe('');
    await openByWriting(entryGroup.entry_group_id);
    screen.getByText('created through the API, members not signed');
    act(() => real.keyring.lock());
    expect(box.textContent).toBe('');
  });

  test('a signed group that agrees says nothing', async () => {
    const group = await madeHere();
    const box = shown(group, 'admin');
    await openByWriting(group);
    expect(real.vault.memberships.of(group)).toEqual({ role: 'admin', isOwnKey: true });
    expect(box.textContent).toBe('');
  });

  test('another role than the signed one is told', async () => {
    const group = await madeHere();
    shown(group, 'member');
    await openByWriting(group);
    screen.getByText('The signed list of members says Admin where the server says Member.');
  });

  test('a browser that keeps nothing is told', async () => {
    const refusing = {
      ...shelfInMemory(),
      replaceRosters: () => Promise.reject(new DOMException('', 'QuotaExceededError')),
    };
    real = vaultOf(ada, onlyTab(), refusing);
    await real.keyring.unlock(ada.masterPassword);
    const group = await madeHere();
    shown(group, 'admin');
    await openByWriting(group);
    screen.getByText(/^This browser could not store which list of members you have seen last/);
  });

  test('a server that hides the signed list makes the group look like what it says to a device that never met it, and to no other', async () => {
    const hide: RealVault['forge'] = (path, answer) =>
      path.includes('/roster') ? { ...(answer as RosterAnswer), origin: 'server', rosters: [] } : answer;
    const group = await madeHere();
    real.forge = hide;
    await expect(write(group)).rejects.toMatchObject({ code: 'read_only', detail: 'vanished' });
    real = vaultOf(ada);
    await real.keyring.unlock(ada.masterPassword);
    real.forge = hide;
    shown(group, 'admin');
    await openByWriting(group);
    screen.getByText('created through the API, members not signed');
  });
});
