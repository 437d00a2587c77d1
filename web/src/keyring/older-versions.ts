/** Keys of a group's former versions, for history and for what has not been wrapped anew yet (crypto.md §9, §12). */
import { decodeBase64 } from '@passwordbroker/core/crypto/bytes';
import type { GroupKeysWire } from '@passwordbroker/core/domain/group-keys';
import type { Keyring } from '@passwordbroker/core/domain/keyring';
import { hashRoster } from '@passwordbroker/core/domain/roster';
import { commitmentsOf, linkBack, type LinkedRoster } from '@passwordbroker/core/domain/roster-succession';
import { openGroupVersions } from '@passwordbroker/core/domain/rotation';
import type { HeldGroup } from './held-group.ts';

/**
 * Opens every version whose commitment and key proofs are reached from the base list by hashes.
 * @param answer all of the group's lists, with the own grants
 * @throws CryptoError `roster` when the lists contradict each other; `locked`
 */
export async function withOlderVersions(
  keyring: Keyring,
  group: HeldGroup,
  answer: Pick<GroupKeysWire, 'rosters' | 'grants'>,
): Promise<HeldGroup> {
  const { groupId, base, keys, gkVersion } = group;
  // Where nothing vouches for the present key, nothing does for a former one.
  if (keys.size === 0) return { ...group, hasOlder: true };
  const linked = base === null ? null : await linkedFrom(base, answer.rosters);
  const commitments = linked === null ? null : commitmentsOf(linked.rosters, linked.wires);
  const older = await openGroupVersions(keyring, { groupId, grants: answer.grants, gkVersion }, commitments);
  if (older.isProofBroken) return withWrongProof(group);
  // The one that was opened already stays as it is.
  return { ...group, keys: new Map([...older.keys, ...keys]), unnamed: new Set(older.unnamed), hasOlder: true };
}

/** The change to a later version is not proved under the former secret: the group is locked. */
function withWrongProof(group: HeldGroup): HeldGroup {
  const shown = { ...group.shown, proof: 'wrong' as const };
  return { ...group, shown, trust: { state: 'locked', why: 'proof' }, base: null, keys: new Map(), hasOlder: true };
}

interface Linked {
  readonly rosters: readonly LinkedRoster[];
  /** The last ones are of these rosters. */
  readonly wires: GroupKeysWire['rosters'];
}

async function linkedFrom(base: LinkedRoster, wires: GroupKeysWire['rosters']): Promise<Linked> {
  const hashes = await Promise.all(wires.map(({ roster_base64 }) => hashRoster(decodeBase64(roster_base64))));
  const at = hashes.indexOf(base.hash);
  if (at < 0) return { rosters: [base], wires: [] };
  const shown = wires.slice(0, at + 1);
  return { rosters: await linkBack(base, shown), wires: shown };
}
