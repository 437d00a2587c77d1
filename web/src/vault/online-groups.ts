/** Groups: their keys are made here, their names and places are plain (`crypto.md` §10). */
import { v7 as newId } from 'uuid';
import * as groups from '@passwordbroker/core/contract/entry-groups';
import type { Keyring } from '../keyring/keyring.ts';
import type { Http } from '../lib/http.ts';
import type { VaultWrite } from './vault.ts';

type GroupWrites = Pick<VaultWrite, 'createGroup' | 'renameGroup' | 'moveGroup' | 'removeGroup'>;

export function onlineGroups(http: Http, keyring: Keyring): GroupWrites {
  return {
    async createGroup({ name, parentId, sameMembers }) {
      const groupId = newId();
      const withKeys = (sameMembers === false ? [] : sameMembers).flatMap(({ certificate, role, user_id }) =>
        certificate === null || certificate.user_id !== user_id ? [] : [{ certificate, role }],
      );
      const keys = await keyring.call('createGroupKeys', { groupId, members: withKeys });
      return http.call(groups.create, {
        body: {
          name,
          entry_group_id: groupId,
          ...(parentId === null
            ? {}
            : { parent_entry_group_id: parentId, same_members_as_parent: sameMembers !== false }),
          ...keys,
        },
      });
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
