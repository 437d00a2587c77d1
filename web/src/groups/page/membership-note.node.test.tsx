import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import type { SignedIn } from '../../../../server/src/testing/test-app.ts';
import '../../testing/patient.ts';
import type { RealVault } from '@passwordbroker/client/testing/real-vault.node';
import { withPeople, withVault } from '@passwordbroker/client/testing/with-vaults.node';
import { VaultContext } from '../../vault/use-vault.ts';
import { MembershipNote } from './group-header.tsx';

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

describe('the note about membership', () => {
  test('is absent if the signed list and the server agree', async () => {
    const group = await madeHere();
    const box = shown(group, 'admin');
    await openByWriting(group);
    expect(real.vault.memberships.of(group)).toEqual({ role: 'admin', isOwnKey: true });
    expect(box.textContent).toBe('');
  });

  test('reports a role that differs from the signed one', async () => {
    const group = await madeHere();
    shown(group, 'member');
    await openByWriting(group);
    screen.getByText('The server says Member, but the signed list of members says Admin. Ask an admin of the group.');
  });
});
