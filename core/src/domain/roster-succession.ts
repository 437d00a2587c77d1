/** Rosters in succession: each names the hash of the one before, so one that is trusted vouches for all bytes before it (`crypto.md` §9). */
import { decodeBase64 } from '../crypto/bytes.ts';
import { CryptoError } from '../crypto/errors.ts';
import { type RosterContent, type RosterWire, hashRoster, readRoster } from './roster.ts';

export interface LinkedRoster {
  readonly content: RosterContent;
  /** Hex SHA-256 of its bytes. */
  readonly hash: string;
}

/** What was signed by oneself, or is known by its hash. @throws CryptoError those of `readRoster` */
export async function linkedRosterOf({ roster_base64 }: Pick<RosterWire, 'roster_base64'>): Promise<LinkedRoster> {
  const bytes = decodeBase64(roster_base64);
  return { content: readRoster(bytes), hash: await hashRoster(bytes) };
}

/**
 * The rosters that a trusted one reaches by `prev` hashes alone: no signature on the way is checked, and bytes are read only once their hash is
 * the one named.
 * @param newest content of the last of `wires`, verified
 * @param wires ascending, as the server answers them
 * @returns ascending, from the oldest that is reached to the newest; at least the newest
 */
export async function linkBack(newest: LinkedRoster, wires: readonly RosterWire[]): Promise<LinkedRoster[]> {
  const linked = [newest];
  let first = newest;
  for (const wire of wires.slice(0, -1).toReversed()) {
    const before = await readLinked(wire, first.content);
    if (before === null) break;
    linked.unshift(before);
    first = before;
  }
  return linked;
}

async function readLinked(wire: RosterWire, next: RosterContent): Promise<LinkedRoster | null> {
  try {
    const bytes = decodeBase64(wire.roster_base64);
    const hash = await hashRoster(bytes);
    if (hash !== next.prev) return null;
    const content = readRoster(bytes);
    return content.groupId === next.groupId && content.seq === next.seq - 1 ? { content, hash } : null;
  } catch {
    return null;
  }
}

/** What is wrong with the key from one roster to the next: a lower version, or another commitment of the same version. */
export type KeyFault = 'rolled-back' | 'forked';

export function keyFaultOf(linked: readonly LinkedRoster[]): KeyFault | null {
  for (const [at, { content }] of linked.entries()) {
    const before = linked[at - 1]?.content;
    if (before === undefined) continue;
    if (content.gkVersion < before.gkVersion) return 'rolled-back';
    if (content.gkVersion === before.gkVersion && content.gkCommit !== before.gkCommit) return 'forked';
  }
  return null;
}

/** What the rosters say of the group's older keys. */
export interface KeyCommitments {
  /** Hex of the commitment, by key version. */
  readonly byVersion: ReadonlyMap<number, string>;
  /** Versions below this one are older than the group's first roster; 0 while that is not known. */
  readonly firstSigned: number;
}

/** @throws CryptoError `roster` when two of them contradict each other */
export function commitmentsOf(linked: readonly LinkedRoster[]): KeyCommitments {
  if (keyFaultOf(linked) !== null) throw new CryptoError('roster');
  const [first] = linked;
  return {
    byVersion: new Map(linked.map(({ content }) => [content.gkVersion, content.gkCommit])),
    firstSigned: first?.content.seq === 0 ? first.content.gkVersion : 0,
  };
}
