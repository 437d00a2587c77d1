/** Group keys are made here; names and places are not encrypted (docs/spec/crypto.md §10). */
import { v7 as newId } from 'uuid';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import * as templates from '@passwordbroker/core/contract/groups/templates';
import type { OutputOf } from '../../keyring/calls.ts';
import type { VaultKeyring } from '../../keyring/groups/group-openings.ts';
import type { Http } from '../../transport/http.ts';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { GroupPaths } from './group-paths.ts';
import type { OnlineKeys } from '../online-keys.ts';
import type { TrustSync } from '../trust/trust-sync.ts';
import { shownKeysOf } from '../trust/listed-members.ts';
import type { VaultWrite } from '../vault.ts';

type GroupWrites = Pick<
  VaultWrite,
  'createGroup' | 'renameGroup' | 'moveGroup' | 'removeGroup' | 'templates' | 'saveTemplate' | 'removeTemplate'
>;

interface NewGroup {
  readonly name: string;
  readonly groupId: string;
  readonly parentId: string | null;
  readonly isShared: boolean;
}

interface Parts {
  readonly keys: OnlineKeys;
  readonly paths: GroupPaths;
  readonly sync: TrustSync;
}

export function onlineGroups(http: Http, keyring: VaultKeyring, { keys: groupKeys, paths, sync }: Parts): GroupWrites {
  /** The worker has recorded the group with its keys already; a refused group is removed again. */
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

  async function notePath(groupId: string): Promise<void> {
    if (!keyring.isOpen()) return;
    paths.forget();
    const path = await paths.pathOf(groupId);
    if (path.length > 0) await keyring.call('noteGroups', [{ groupId, path }]);
    sync.soon();
  }

  const create = (place: NewGroup, keys: OutputOf<'createGroupKeys'>) => {
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
      // Only members of the parent's signed list get the key (docs/spec/crypto.md §8).
      const write = async () => {
        const keys = await keyring.call('createGroupKeys', { groupId, parentId, path, listed });
        return made(groupId, parentId, name, () => create({ name, groupId, parentId, isShared: true }, keys));
      };
      return groupKeys.withCurrentKeys([parentId], write, ['rewrap_set_mismatch']);
    },

    async renameGroup(g, name) {
      const renamed = await http.callUndoable(groups.rename, { params: { g }, body: { name } });
      await notePath(g).catch(() => undefined);
      return renamed;
    },

    async moveGroup(g, targetGroupId) {
      const body = targetGroupId === null ? {} : { entryGroupTarget: targetGroupId };
      const moved = await http.callUndoable(groups.move, { params: { g }, body });
      await notePath(g).catch(() => undefined);
      return moved;
    },

    templates: (g, signal) => http.call(templates.listAll, { params: { g }, signal }),

    saveTemplate: (g, t, body) => http.call(templates.save, { params: { g, t }, body }),

    removeTemplate: (g, t) => http.call(templates.remove, { params: { g, t } }),

    async removeGroup(g) {
      const removed = await http.call(groups.remove, { params: { g } });
      // Their paths may be used again.
      const gone = paths.below(g).map((groupId) => ({ groupId, isDeleted: true, under: g }));
      if (keyring.isOpen()) await keyring.call('noteGroups', gone).catch(() => null);
      sync.soon();
      return removed;
    },
  };
}
