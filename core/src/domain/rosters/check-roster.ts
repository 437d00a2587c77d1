/** Whether a verified roster fits the requested operation (docs/spec/crypto.md §19.7). */
import type { RosterContent, RosterMember } from './roster.ts';

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
export type RosterFault = 'not_next' | 'key' | 'members';

/** Null if it fits. `present` is null before the first roster. */
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
