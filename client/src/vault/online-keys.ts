/** The keys of groups as the online vault needs them: under the signed list that counts, the present version and former ones. */
import { roster } from '@passwordbroker/core/contract/groups/entry-groups';
import { AppError, type ProblemCode } from '@passwordbroker/core/contract/problem';
import type { GroupSources, VaultKeyring } from '../keyring/groups/group-openings.ts';
import type { Http } from '../transport/http.ts';
import type { GroupPaths } from './groups/group-paths.ts';
import { openManyGroups } from './groups/many-groups.ts';
import { certificatesOf } from './trust/shown-keys.ts';

export interface OnlineKeys {
  /**
   * `version`: what is to be opened. Where the worker holds an earlier one as the present, the roster is asked for once more; a former one is opened
   * beside the present.
   */
  open(groupId: string, version?: number, signal?: AbortSignal): Promise<void>;
  /** The keys of all former versions beside the present one. */
  openOlder(groupId: string, signal?: AbortSignal): Promise<void>;
  /** Acts under the groups' present keys and lists; when the server has newer ones, once more under these. */
  underPresent<T>(groupIds: readonly string[], write: () => Promise<T>, stale?: readonly ProblemCode[]): Promise<T>;
}

/** All groups of one vault: those that are opened at the same time are asked for together. */
export function onlineKeys(http: Http, keyring: VaultKeyring, paths: GroupPaths): OnlineKeys {
  const many = openManyGroups(http);
  const rosterFrom = (groupId: string, from: number | null) =>
    http.call(roster, { params: { g: groupId }, query: from === null ? {} : { from } });

  const sourcesOf = (groupId: string): GroupSources => ({
    rosters: (from) => many.roster(groupId, from),
    path: () => paths.pathOf(groupId),
    certificatesOf: (userId) => certificatesOf(http, userId),
    async openParents() {
      // Those that do not open vouch for nothing.
      for (const parent of await paths.parentsOf(groupId)) await open(parent).catch(() => undefined);
    },
  });
  const open = (groupId: string, signal?: AbortSignal): Promise<number> =>
    keyring.openGroup(groupId, sourcesOf(groupId), signal);
  const openOlder = async (groupId: string, signal?: AbortSignal) => {
    await open(groupId, signal);
    await keyring.openOlderVersions(groupId, () => rosterFrom(groupId, 0), signal);
  };
  return {
    async open(groupId, version, signal) {
      let held = await open(groupId, signal);
      if (version === undefined || version === held) return;
      if (version > held) {
        keyring.forgetGroup(groupId);
        held = await open(groupId, signal);
      }
      if (version < held) await openOlder(groupId, signal);
    },

    openOlder,

    async underPresent(groupIds, write, stale = ['key_version_conflict']) {
      const openAll = () => Promise.all(groupIds.map((groupId) => open(groupId)));
      await openAll();
      try {
        return await write();
      } catch (failure) {
        if (!(failure instanceof AppError) || !stale.includes(failure.code)) throw failure;
        for (const groupId of groupIds) keyring.forgetGroup(groupId);
        await openAll();
        return write();
      }
    },
  };
}
