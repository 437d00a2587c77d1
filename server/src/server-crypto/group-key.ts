/** The group's key, opened with the caller's keyring: the one RSA unwrap of a request. */
import { AppError } from '@passwordbroker/core/contract/problem';
import type { GroupKey } from '@passwordbroker/core/domain/grants';
import { openGroup } from '@passwordbroker/core/domain/group-keys';
import type { Keyring } from '@passwordbroker/core/domain/keyring';
import type { Deps } from '../http/context.ts';
import type { GroupInPath } from '../http/path-repository.ts';
import { readGroupKeys } from './group-key-repository.ts';

/** Throws `CryptoError` when roster and grant do not fit together: then nothing is sealed or opened under it. */
export async function openGroupKey(deps: Deps, keyring: Keyring, group: GroupInPath): Promise<GroupKey> {
  const wire = await readGroupKeys(deps.db, group, keyring.userId);
  const { groupKey } = await openGroup(keyring, wire, group.entry_group_id);
  // A roster older than the group's key would lead new values under the old one.
  if (groupKey.version !== group.gk_version) {
    throw new AppError('key_version_conflict', { details: { current_gk_version: group.gk_version } });
  }
  return groupKey;
}
