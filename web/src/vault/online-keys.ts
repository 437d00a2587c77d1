/** The keys of groups as the online vault needs them: verified against the signed roster, and those of the present version. */
import { roster } from '@passwordbroker/core/contract/entry-groups';
import { AppError, type ProblemCode } from '@passwordbroker/core/contract/problem';
import type { Keyring } from '../keyring/keyring.ts';
import type { Http } from '../lib/http.ts';

export interface OnlineKeys {
  /** `version`: what the server says is present; where the worker holds another one, the roster is asked for once more. */
  open(groupId: string, version?: number, signal?: AbortSignal): Promise<void>;
  /** Seals under the groups' present keys; when the server has newer ones, once more under these. */
  underPresent<T>(groupIds: readonly string[], write: () => Promise<T>, stale?: readonly ProblemCode[]): Promise<T>;
}

export function onlineKeys(http: Http, keyring: Keyring): OnlineKeys {
  const open = (groupId: string, signal?: AbortSignal) =>
    keyring.openGroup(groupId, () => http.call(roster, { params: { g: groupId } }), signal);
  return {
    async open(groupId, version, signal) {
      const held = await open(groupId, signal);
      if (version === undefined || version === held) return;
      keyring.forgetGroup(groupId);
      await open(groupId, signal);
    },

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
