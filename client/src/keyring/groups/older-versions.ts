/** Opens keys of former versions, for history and for values that a rotation has not rewrapped yet. */
import { decodeBase64 } from '@passwordbroker/core/crypto/bytes';
import type { GroupKeysWire } from '@passwordbroker/core/domain/groups/group-keys';
import type { Keyring } from '@passwordbroker/core/domain/keyring/keyring';
import { hashRoster } from '@passwordbroker/core/domain/rosters/roster';
import { commitmentsOf, linkBack, type LinkedRoster } from '@passwordbroker/core/domain/rosters/roster-chain';
import { openGroupVersions } from '@passwordbroker/core/domain/groups/rotation';
import type { HeldGroup } from './held-group.ts';

/**
 * Opens every version whose commitment and key proofs the base list reaches by hashes.
 * @param answer all of the group's lists, with the own grants
 * @throws CryptoError `roster` when the lists contradict each other; `locked`
 */
export async function withOlderVersions(
  keyring: Keyring,
  group: HeldGroup,
  answer: Pick<GroupKeysWire, 'rosters' | 'grants'>,
): Promise<HeldGroup> {
  const { groupId, base, keys, gkVersion } = group;
  // Without a present key no former key opens.
  if (keys.size === 0) return { ...group, hasOlder: true };
  const linked = base === null ? null : await linkedFrom(base, answer.rosters);
  const commitments = linked === null ? null : commitmentsOf(linked.rosters, linked.wires);
  const older = await openGroupVersions(keyring, { groupId, grants: answer.grants, gkVersion }, commitments);
  if (older.isProofBroken) return withWrongProof(group);
  // Keys that are open already win.
  return { ...group, keys: new Map([...older.keys, ...keys]), unnamed: new Set(older.unnamed), hasOlder: true };
}

/** Locks the group: a rotation has no valid proof under the former secret. */
function withWrongProof(group: HeldGroup): HeldGroup {
  const shown = { ...group.shown, proof: 'wrong' as const };
  return { ...group, shown, trust: { state: 'locked', why: 'proof' }, base: null, keys: new Map(), hasOlder: true };
}

interface Linked {
  readonly rosters: readonly LinkedRoster[];
  /** Responses up to the base list. */
  readonly wires: GroupKeysWire['rosters'];
}

async function linkedFrom(base: LinkedRoster, wires: GroupKeysWire['rosters']): Promise<Linked> {
  const hashes = await Promise.all(wires.map(({ roster_base64 }) => hashRoster(decodeBase64(roster_base64))));
  const at = hashes.indexOf(base.hash);
  if (at < 0) return { rosters: [base], wires: [] };
  const shown = wires.slice(0, at + 1);
  return { rosters: await linkBack(base, shown), wires: shown };
}
