/** Groups: their keys are made here, their names and places are plain (docs/spec/crypto.md §10). */
import { v7 as newId } from 'uuid';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import type { OutputOf } from '../../keyring/calls.ts';
import type { VaultKeyring } from '../../keyring/groups/group-openings.ts';
import type { Http } from '../../transport/http.ts';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { GroupPaths } from './group-paths.ts';
import type { OnlineKeys } from '../online-keys.ts';
import type { TrustSync } from '../trust/trust-sync.ts';
import { shownKeysOf } from '../trust/shown-keys.ts';
import type { VaultWrite } from '../vault.ts';

type GroupWrites = Pick<VaultWrite, 'createGroup' | 'renameGroup' | 'moveGroup' | 'removeGroup'>;

interface Place {
  readonly name: string;
  readonly groupId: string;
  readonly parentId: string | null;
  /** With the parent's members. */
  readonly isShared: boolean;
}

interface Parts {
  readonly keys: OnlineKeys;
  readonly paths: GroupPaths;
  readonly sync: TrustSync;
}

export function onlineGroups(http: Http, keyring: VaultKeyring, { keys: groupKeys, paths, sync }: Parts): GroupWrites {
  /** Recorded with the group's keys before this; a group that is refused never was. */
  async function made<T>(groupId: string, parentId: string | null, name: string, make: () => Promise<T>): Promise<T> {
    try {
      const answer = await make();
      paths.add(groupId, parentId, name);
      return answer;
    } catch (failure) {
      if (failure instanceof AppError) await keyring.call('noteGroups', [{ groupId, isDeleted: true }]);
      throw failure;
    } finally {
      sync.soon();
    }
  }

  /** The group's new name or place, as the person has chosen it. */
  async function notePath(groupId: string): Promise<void> {
    if (!keyring.isOpen()) return;
    paths.forget();
    const path = await paths.pathOf(groupId);
    if (path.length > 0) await keyring.call('noteGroups', [{ groupId, path }]);
    sync.soon();
  }

  const create = (place: Place, keys: OutputOf<'createGroupKeys'>) => {
    const { name, groupId, parentId, isShared } = place;
    const parent = parentId === null ? {} : { parent_entry_group_id: parentId, same_members_as_parent: isShared };
    return http.call(groups.create, { body: { name, entry_group_id: groupId, ...parent, ...keys } });
  };
  return {
    async createGroup({ name, parentId, sameMembers }) {
      const groupId = newId();
      const path = [...(parentId === null ? [] : await paths.pathOf(parentId)), name];
      if (parentId === null || sameMembers === false) {
        const keys = await keyring.call('createGroupKeys', { groupId, parentId: null, path, listed: [] });
        return made(groupId, parentId, name, () => create({ name, groupId, parentId, isShared: false }, keys));
      }
      const listed = await shownKeysOf(http, sameMembers);
      // Only those whom the parent's signed list names get the key (docs/spec/crypto.md §8); a newer list is looked at once.
      const write = async () => {
        const keys = await keyring.call('createGroupKeys', { groupId, parentId, path, listed });
        return made(groupId, parentId, name, () => create({ name, groupId, parentId, isShared: true }, keys));
      };
      return groupKeys.underPresent([parentId], write, ['rewrap_set_mismatch']);
    },

    async renameGroup(g, name) {
      const renamed = await http.act(groups.rename, { params: { g }, body: { name } });
      await notePath(g).catch(() => undefined);
      return renamed;
    },

    async moveGroup(g, targetGroupId) {
      const body = targetGroupId === null ? {} : { entryGroupTarget: targetGroupId };
      const moved = await http.act(groups.move, { params: { g }, body });
      await notePath(g).catch(() => undefined);
      return moved;
    },

    async removeGroup(g) {
      const removed = await http.call(groups.remove, { params: { g } });
      // Their paths are free again.
      const gone = paths.below(g).map((groupId) => ({ groupId, isDeleted: true, under: g }));
      if (keyring.isOpen()) await keyring.call('noteGroups', gone).catch(() => null);
      sync.soon();
      return removed;
    },
  };
}
