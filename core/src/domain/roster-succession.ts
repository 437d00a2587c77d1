/** Rosters in succession: each names the hash of the one before, so one that is trusted vouches for all bytes before it (`crypto.md` §9). */
import { decodeBase64 } from '../crypto/bytes.ts';
import { CryptoError } from '../crypto/errors.ts';
import { type RosterContent, type RosterWire, hashRoster, readRoster } from './roster.ts';
import type { RosterProofWire } from './trust/roster-proof.ts';

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

/** What is wrong from one roster to the next: a lower key version; another commitment of the same version, or no key proof after one. */
export type KeyFault = 'rolled-back' | 'forked';

export function keyFaultOf(linked: readonly LinkedRoster[]): KeyFault | null {
  for (const [at, { content }] of linked.entries()) {
    const before = linked[at - 1]?.content;
    if (before === undefined) continue;
    if (content.gkVersion < before.gkVersion) return 'rolled-back';
    if (content.gkVersion === before.gkVersion && content.gkCommit !== before.gkCommit) return 'forked';
    if (before.hasProof === true && content.hasProof !== true) return 'forked';
  }
  return null;
}

/** What the rosters say of the group's keys. */
export interface KeyCommitments {
  readonly byVersion: ReadonlyMap<number, KeyCommitment>;
  /** Versions below this one are older than a first roster of release 1.0, which does not name their commitments; 0 for none. */
  readonly unnamedBelow: number;
}

export interface KeyCommitment {
  /** Hex. */
  readonly gkCommit: string;
  /** Of the rosters of this version that say they have a key proof: one has to be right. None: all are of release 1.0. */
  readonly proofs: readonly ShownProof[];
  /** Of the first roster of the next version, under the secret of this one; null where none is to be expected. */
  readonly nextProof: ShownProof | null;
}

/** A proof as the server shows it. */
export interface ShownProof {
  readonly rosterBase64: string;
  readonly proofBase64: string | null | undefined;
}

/** @param wires of which the rosters are linked: the last ones are theirs. @throws CryptoError `roster` when two of them contradict each other */
export function commitmentsOf(
  linked: readonly LinkedRoster[],
  wires: readonly (RosterWire & Partial<RosterProofWire>)[],
): KeyCommitments {
  if (keyFaultOf(linked) !== null) throw new CryptoError('roster');
  const shown = wires.slice(wires.length - linked.length);
  const [first] = linked;
  const byVersion = new Map<number, KeyCommitment>();
  for (const [version, gkCommit] of first?.content.older ?? []) {
    byVersion.set(version, { gkCommit, proofs: [], nextProof: null });
  }
  for (const [at, { content }] of linked.entries()) {
    const { gkVersion, gkCommit, hasProof } = content;
    const { roster_base64: rosterBase64 = '', roster_proof_base64, roster_proof_prev_base64 } = shown[at] ?? {};
    const known = byVersion.get(gkVersion) ?? { gkCommit, proofs: [], nextProof: null };
    const proofs = hasProof === true ? [{ rosterBase64, proofBase64: roster_proof_base64 }] : [];
    byVersion.set(gkVersion, { ...known, proofs: [...known.proofs, ...proofs] });
    const former = linked[at - 1]?.content.gkVersion ?? gkVersion;
    const before = byVersion.get(former);
    if (hasProof !== true || former === gkVersion || before === undefined) continue;
    if (former !== gkVersion - 1) throw new CryptoError('roster');
    byVersion.set(former, { ...before, nextProof: { rosterBase64, proofBase64: roster_proof_prev_base64 } });
  }
  const isUnnamed = first?.content.seq === 0 && first.content.hasProof !== true;
  return { byVersion, unnamedBelow: isUnnamed ? first.content.gkVersion : 0 };
}
