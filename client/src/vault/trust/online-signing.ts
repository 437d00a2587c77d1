import { signRoster } from '@passwordbroker/core/contract/groups/members';
import type { VaultKeyring } from '../../keyring/groups/group-openings.ts';
import { trustError } from '../../keyring/keyring-error.ts';
import type { Http } from '../../transport/http.ts';
import { type ListedMembers, memberDifferences, shownKeysOf } from './listed-members.ts';
import type { OnlineKeys } from '../online-keys.ts';
import type { TrustSync } from './trust-sync.ts';

/**
 * Signs the same members and key again, for a key proof or to supersede lists that a person replaced.
 * @throws KeyringError 'unasked' if `isUnasked` and the server's members differ
 */
export type SignAnew = (groupId: string, options?: { readonly isUnasked?: boolean }) => Promise<void>;

interface Parts {
  readonly keys: OnlineKeys;
  readonly lists: ListedMembers;
  readonly sync: TrustSync;
}

export function onlineSigning(http: Http, keyring: VaultKeyring, { keys, lists, sync }: Parts): SignAnew {
  return async (groupId, { isUnasked = false } = {}) => {
    await keys.open(groupId);
    const rows = await lists.read(groupId);
    const differences = memberDifferences(keyring.memberships.signed(groupId), rows);
    if (isUnasked && differences.length > 0) throw trustError('unasked');
    const listed = await shownKeysOf(http, rows, lists.formerOf);
    const body = await keyring.call('signAnew', { groupId, listed, isUnasked });
    try {
      await http.call(signRoster, { params: { g: groupId }, body });
      await keyring.keepOwnList(groupId, body);
      sync.soon();
    } catch (failure) {
      keyring.forgetGroup(groupId);
      throw failure;
    }
  };
}
