/** Keys of a group's former versions, for history and for what has not been wrapped anew yet (crypto.md §9, client rule 1; §12). */
import { decodeBase64 } from '@passwordbroker/core/crypto/bytes';
import { originOf, type GroupOrigin } from '@passwordbroker/core/domain/accepted-rosters';
import type { GroupKey } from '@passwordbroker/core/domain/grants';
import type { GroupKeysWire } from '@passwordbroker/core/domain/group-keys';
import type { Keyring } from '@passwordbroker/core/domain/keyring';
import { hashRoster } from '@passwordbroker/core/domain/roster';
import { commitmentsOf, linkBack, type LinkedRoster } from '@passwordbroker/core/domain/roster-succession';
import { openGroupVersions } from '@passwordbroker/core/domain/rotation';
import type { HeldGroup, RosterWires } from './held-group.ts';

export interface OlderVersions {
  readonly keys: ReadonlyMap<number, GroupKey>;
  /** Who made the group, where its first list was reached. */
  readonly origin: GroupOrigin | undefined;
}

/**
 * Every version whose commitment is reached from the accepted list by hashes alone.
 * @param answer all of the group's lists, with the own grants
 * @throws CryptoError `roster` when the lists contradict each other; `locked`
 */
export async function openOlderVersions(
  keyring: Keyring,
  { groupId, base, keys, gkVersion }: HeldGroup,
  answer: Pick<GroupKeysWire, 'rosters' | 'grants'>,
): Promise<OlderVersions> {
  // Where nothing vouches for the present key, nothing does for a former one.
  if (base === null && keys.size === 0) return { keys, origin: undefined };
  const linked = base === null ? null : await linkedFrom(base, answer.rosters);
  const commitments = linked === null ? null : commitmentsOf(linked.rosters, linked.wires);
  const older = await openGroupVersions(keyring, { groupId, grants: answer.grants, gkVersion }, commitments);
  // The one that was opened already stays as it is.
  return { keys: new Map([...older.keys, ...keys]), origin: linked === null ? undefined : originIn(linked.rosters) };
}

/** Who made the group, where the lists lead from the accepted one back to the first. */
export const originFrom = async (base: LinkedRoster, wires: RosterWires): Promise<GroupOrigin | undefined> =>
  originIn((await linkedFrom(base, wires)).rosters);

function originIn([first]: readonly LinkedRoster[]): GroupOrigin | undefined {
  return first === undefined ? undefined : originOf(first.content);
}

interface Linked {
  readonly rosters: readonly LinkedRoster[];
  /** The last ones are of these rosters. */
  readonly wires: RosterWires;
}

async function linkedFrom(base: LinkedRoster, wires: RosterWires): Promise<Linked> {
  const hashes = await Promise.all(wires.map(({ roster_base64 }) => hashRoster(decodeBase64(roster_base64))));
  const at = hashes.indexOf(base.hash);
  if (at < 0) return { rosters: [base], wires: [] };
  const shown = wires.slice(0, at + 1);
  return { rosters: await linkBack(base, shown), wires: shown };
}
