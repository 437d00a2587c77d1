/** The server's check of a verified roster against the requested operation (docs/spec/crypto.md §19.7). */
import type { RosterContent, RosterMember } from './roster.ts';

/** The newest one. */
export interface PresentRoster {
  readonly seq: number;
  /** Hex SHA-256 of its bytes. */
  readonly hash: string;
}

export interface GroupAfterChange {
  readonly gkVersion: number;
  /** Hex of 32 bytes. */
  readonly gkCommit: string;
  /** Every member with current fingerprint, in any order. */
  readonly members: readonly RosterMember[];
}

/** `not_next`: wrong sequence or predecessor; `key`: wrong version or commitment. */
export type RosterFault = 'not_next' | 'key' | 'members';

/** Null if the roster fits. `present` is null before the first one. */
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
