/** Groups: their keys are made here, their names and places are plain (`crypto.md` §10). */
import { v7 as newId } from 'uuid';
import * as groups from '@passwordbroker/core/contract/entry-groups';
import type { OutputOf } from '../keyring/calls.ts';
import type { VaultKeyring } from '../keyring/group-openings.ts';
import type { Http } from '../lib/http.ts';
import { onlineKeys } from './online-keys.ts';
import { shownKeysOf } from './shown-keys.ts';
import type { VaultWrite } from './vault.ts';

type GroupWrites = Pick<VaultWrite, 'createGroup' | 'renameGroup' | 'moveGroup' | 'removeGroup'>;

interface Place {
  readonly name: string;
  readonly groupId: string;
  readonly parentId: string | null;
  /** With the parent's members. */
  readonly isShared: boolean;
}

export function onlineGroups(http: Http, keyring: VaultKeyring): GroupWrites {
  const groupKeys = onlineKeys(http, keyring);
  const create = (place: Place, keys: OutputOf<'createGroupKeys'>) => {
    const { name, groupId, parentId, isShared } = place;
    const parent = parentId === null ? {} : { parent_entry_group_id: parentId, same_members_as_parent: isShared };
    return http.call(groups.create, { body: { name, entry_group_id: groupId, ...parent, ...keys } });
  };
  return {
    async createGroup({ name, parentId, sameMembers, confirmed = null }) {
      const groupId = newId();
      if (parentId === null || sameMembers === false) {
        const keys = await keyring.call('createGroupKeys', { groupId, parentId: null, listed: [], confirmed: null });
        return create({ name, groupId, parentId, isShared: false }, keys);
      }
      const listed = await shownKeysOf(http, sameMembers);
      // Only those whom the parent's signed list names get the key (crypto.md §8); a newer list is looked at once.
      const write = async () => {
        const keys = await keyring.call('createGroupKeys', { groupId, parentId, listed, confirmed });
        return create({ name, groupId, parentId, isShared: true }, keys);
      };
      return groupKeys.underPresent([parentId], write, ['rewrap_set_mismatch']);
    },

    renameGroup: (g, name) => http.act(groups.rename, { params: { g }, body: { name } }),

    moveGroup: (g, targetGroupId) =>
      http.act(groups.move, {
        params: { g },
        body: targetGroupId === null ? {} : { entryGroupTarget: targetGroupId },
      }),

    removeGroup: (g) => http.call(groups.remove, { params: { g } }),
  };
}
