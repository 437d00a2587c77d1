import { roster } from '@passwordbroker/core/contract/groups/entry-groups';
import { AppError, type ProblemCode } from '@passwordbroker/core/contract/problem';
import type { GroupSources, VaultKeyring } from '../keyring/groups/group-openings.ts';
import type { Http } from '../transport/http.ts';
import type { GroupPaths } from './groups/group-paths.ts';
import type { ManyGroups } from './groups/many-groups.ts';
import { certificatesOf } from './trust/listed-members.ts';

export interface OnlineKeys {
  /**
   * Opens the group's keys up to `version`: reads an outdated roster again, opens former versions if needed.
   */
  open(groupId: string, version?: number, signal?: AbortSignal): Promise<void>;
  /** Opens the keys of all former versions too. */
  openOlder(groupId: string, signal?: AbortSignal): Promise<void>;
  /** Opens the groups, runs `write`; on a code of `stale` opens them again and retries once. */
  withCurrentKeys<T>(groupIds: readonly string[], write: () => Promise<T>, stale?: readonly ProblemCode[]): Promise<T>;
}

interface Parts {
  readonly paths: GroupPaths;
  readonly many: Pick<ManyGroups, 'roster'>;
}

/** Groups that are opened at the same time share requests. */
export function onlineKeys(http: Http, keyring: VaultKeyring, { paths, many }: Parts): OnlineKeys {
  const rosterFrom = (groupId: string, from: number | null) =>
    http.call(roster, { params: { g: groupId }, query: from === null ? {} : { from } });

  const sourcesOf = (groupId: string): GroupSources => ({
    rosters: (from) => many.roster(groupId, from),
    path: () => paths.pathOf(groupId),
    certificatesOf: (userId) => certificatesOf(http, userId),
    async openParents() {
      // Ignores a parent that fails to open.
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

    async withCurrentKeys(groupIds, write, stale = ['key_version_conflict']) {
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
