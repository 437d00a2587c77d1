import type { VaultKeyring } from '../../keyring/groups/group-openings.ts';
import type { ListedMembers } from './listed-members.ts';
import { memberDifferences } from './member-differences.ts';
import type { OnlineKeys } from '../online-keys.ts';
import type { VaultRead } from '../vault.ts';

export function shownMembers(
  keys: Pick<OnlineKeys, 'open'>,
  keyring: VaultKeyring,
  lists: ListedMembers,
): VaultRead['members'] {
  return async (groupId, signal) => {
    const listed = await lists.read(groupId, signal);
    const { length } = memberDifferences(keyring.memberships.signed(groupId), listed);
    if (length === 0 || !keyring.isOpen()) return listed;
    keyring.forgetGroup(groupId);
    // The group's trust shows the failure.
    await keys.open(groupId, undefined, signal).catch(() => undefined);
    return listed;
  };
}
