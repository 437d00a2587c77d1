/** A group's keys, opened with the caller's keyring. */
import { AppError } from '@passwordbroker/core/contract/problem';
import { decodeBase64 } from '@passwordbroker/core/crypto/bytes';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import type { GroupKey } from '@passwordbroker/core/domain/grants';
import { type GroupKeysWire, openGroup } from '@passwordbroker/core/domain/group-keys';
import type { Keyring } from '@passwordbroker/core/domain/keyring';
import { hashRoster, verifyRoster } from '@passwordbroker/core/domain/roster';
import {
  type KeyCommitments,
  type LinkedRoster,
  commitmentsOf,
  linkBack,
} from '@passwordbroker/core/domain/roster-succession';
import { openGroupVersions } from '@passwordbroker/core/domain/rotation';
import type { Deps } from '../http/context.ts';
import type { GroupInPath } from '../http/path-repository.ts';
import { listRostersBefore, readGroupKeys } from './group-key-repository.ts';

/** The key that new values are sealed under: the one RSA unwrap of most requests. Throws `CryptoError` when roster and grant do not fit together. */
export async function openGroupKey(
  deps: Pick<Deps, 'db'>,
  keyring: Keyring,
  { entry_group_id: groupId }: Pick<GroupInPath, 'entry_group_id'>,
): Promise<GroupKey> {
  return openPresent(keyring, groupId, await readGroupKeys(deps.db, groupId, keyring.userId));
}

/**
 * The key of one version; `null` when the caller has none of it, as when everything under it has been wrapped anew meanwhile. Throws `CryptoError` as
 * `openGroupKey`.
 */
export async function openKeyOfVersion(
  deps: Pick<Deps, 'db'>,
  keyring: Keyring,
  { entry_group_id: groupId }: Pick<GroupInPath, 'entry_group_id'>,
  version: number,
): Promise<GroupKey | null> {
  const wire = await readGroupKeys(deps.db, groupId, keyring.userId);
  if (wire.gk_version === version) return openPresent(keyring, groupId, wire);
  if (!wire.grants.some(({ gk_version }) => gk_version === version)) return null;
  const keys = await openFormerKeys(deps, keyring, groupId, wire);
  const key = keys.get(version);
  if (key === undefined) throw new CryptoError('grant');
  return key;
}

/** The keys of all versions of which the caller has a grant that the rosters commit to, by version. */
export async function openAllKeys(
  deps: Pick<Deps, 'db'>,
  keyring: Keyring,
  { entry_group_id: groupId }: Pick<GroupInPath, 'entry_group_id'>,
): Promise<{ readonly present: GroupKey; readonly byVersion: ReadonlyMap<number, GroupKey> }> {
  const wire = await readGroupKeys(deps.db, groupId, keyring.userId);
  const present = await openPresent(keyring, groupId, wire);
  const isAlone = wire.grants.length === 1;
  const byVersion = isAlone
    ? new Map([[present.version, present]])
    : await openFormerKeys(deps, keyring, groupId, wire);
  return { present, byVersion };
}

async function openPresent(keyring: Keyring, groupId: string, wire: GroupKeysWire): Promise<GroupKey> {
  const gkVersion = wire.gk_version;
  const { groupKey } = await openGroup(keyring, wire, groupId);
  // A roster older than the group's key would lead new values under the old one.
  if (groupKey.version !== gkVersion) {
    throw new AppError('key_version_conflict', { details: { current_gk_version: gkVersion } });
  }
  return groupKey;
}

/** Verified; null for a group that the server made. Throws `CryptoError` 'roster'. */
export async function newestRoster(wire: GroupKeysWire, groupId: string): Promise<LinkedRoster | null> {
  const newest = wire.rosters.at(-1);
  if (newest === undefined && wire.origin === 'client') throw new CryptoError('roster');
  if (newest === undefined) return null;
  const content = await verifyRoster(newest, groupId);
  return { content, hash: await hashRoster(decodeBase64(newest.roster_base64)) };
}

async function openFormerKeys(deps: Pick<Deps, 'db'>, keyring: Keyring, groupId: string, wire: GroupKeysWire) {
  const oldest = Math.min(...wire.grants.map(({ gk_version }) => gk_version));
  const commitments = await readCommitments(deps, groupId, wire, oldest);
  const group = { groupId, grants: wire.grants, gkVersion: wire.gk_version };
  const { keys, isProofBroken } = await openGroupVersions(keyring, group, commitments);
  if (isProofBroken) throw new CryptoError('roster');
  return keys;
}

const ROSTERS_AT_ONCE = 20;

/** What the rosters say of the keys back to that version, each reached from the newest by the hash of the one before. */
async function readCommitments(
  deps: Pick<Deps, 'db'>,
  groupId: string,
  wire: GroupKeysWire,
  version: number,
): Promise<KeyCommitments | null> {
  const newest = await newestRoster(wire, groupId);
  if (newest === null) return null;
  let linked = [newest];
  let wires = wire.rosters;
  for (;;) {
    const [first] = linked;
    if (first === undefined || first.content.seq === 0 || first.content.gkVersion <= version) break;
    const before = await listRostersBefore(deps.db, groupId, { seq: first.content.seq, limit: ROSTERS_AT_ONCE });
    wires = [...before, ...wires];
    // The last of these wires is the one that is linked back from.
    const longer = await linkBack(first, wires.slice(0, before.length + 1));
    wires = wires.slice(before.length + 1 - longer.length);
    if (longer.length === 1) break;
    linked = [...longer.slice(0, -1), ...linked];
  }
  return commitmentsOf(linked, wires);
}
