/**
 * Each roster contains the hash of the previous one, so a trusted one authenticates all before it
 * (docs/spec/crypto.md §9).
 */
import { decodeBase64 } from '../../crypto/bytes.ts';
import { CryptoError } from '../../crypto/errors.ts';
import {
  type RosterContent,
  type RosterWire,
  hashRoster,
  readRoster,
  type RosterProofWire,
  type RosterMember,
} from './roster.ts';

export interface LinkedRoster {
  readonly content: RosterContent;
  readonly hash: string;
}

/** Does not check the signature: only for trusted rosters. */
export async function linkedRosterOf({ roster_base64 }: Pick<RosterWire, 'roster_base64'>): Promise<LinkedRoster> {
  const bytes = decodeBase64(roster_base64);
  return { content: readRoster(bytes), hash: await hashRoster(bytes) };
}

/**
 * Follows `prev` hashes backwards from a trusted roster; bytes are parsed only after their hash matches.
 * @param wires ascending, the last one is `newest`. @returns the linked rosters, ascending
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

/** `rolled-back`: a lower version. `forked`: another commitment, or a missing key proof. */
type KeyFault = 'rolled-back' | 'forked';

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

export interface KeyCommitments {
  readonly byVersion: ReadonlyMap<number, KeyCommitment>;
  /** Older versions have no commitment: the first roster is of release 1.0; 0: none. */
  readonly uncommittedBelow: number;
}

export interface KeyCommitment {
  readonly gkCommit: string;
  /** One must be valid. Empty in release 1.0, or if only `older` names the version. */
  readonly proofs: readonly ShownProof[];
  /** Of the next version's first roster, under this secret. */
  readonly nextProof: ShownProof | null;
}

/** Not verified yet. */
export interface ShownProof {
  readonly rosterBase64: string;
  readonly proofBase64: string | null | undefined;
}

/**
 * @param wires end with those of `linked`. @throws CryptoError `roster` if two rosters contradict each other
 */
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
  const isUncommitted = first?.content.seq === 0 && first.content.hasProof !== true;
  return { byVersion, uncommittedBelow: isUncommitted ? first.content.gkVersion : 0 };
}

export interface PresentRoster {
  readonly seq: number;
  readonly hash: string;
}

export interface GroupAfterChange {
  readonly gkVersion: number;
  readonly gkCommit: string;
  /** In any order. */
  readonly members: readonly RosterMember[];
}

/** `not_next`: wrong sequence or predecessor. */
type RosterFault = 'not_next' | 'key' | 'members';

/**
 * Null if a verified roster fits the requested operation (docs/spec/crypto.md §19.7).
 * @param present null before the first roster
 */
export function checkRoster(
  roster: RosterContent,
  present: PresentRoster | null,
  after: GroupAfterChange,
): RosterFault | null {
  const isNext = roster.seq === (present === null ? 0 : present.seq + 1) && roster.prev === (present?.hash ?? '');
  if (!isNext) return 'not_next';
  if (roster.gkVersion !== after.gkVersion || roster.gkCommit !== after.gkCommit) return 'key';
  return areSame(roster.members, after.members) ? null : 'members';
}

function areSame(signed: readonly RosterMember[], expected: readonly RosterMember[]): boolean {
  if (signed.length !== expected.length) return false;
  const rows = new Map(expected.map((member) => [member.userId, member]));
  return signed.every(({ userId, role, fingerprint }) => {
    const member = rows.get(userId);
    return member !== undefined && member.role === role && member.fingerprint === fingerprint;
  });
}
