import type { Role } from '@passwordbroker/core/domain/policy';

/** Ids and counts only: never a title, a name or a text of a person. */
export interface Subject {
  /** The first `MOST_IDS` groups, sorted. */
  readonly groups: readonly string[];
  /** All groups. */
  readonly group_count: number;
  readonly user?: string;
  readonly role?: Role;
  /** The first `MOST_IDS` due entries, the most urgent first. */
  readonly entries?: readonly string[];
  /** All due entries. */
  readonly entry_count?: number;
}

export const MOST_IDS = 100;

/** Equal subjects give equal texts. */
export function subjectText(groupIds: readonly string[], more: Pick<Subject, 'user' | 'role'> = {}): string {
  const sorted = [...new Set(groupIds)].sort();
  const { user, role } = more;
  return JSON.stringify({ groups: sorted.slice(0, MOST_IDS), group_count: sorted.length, user, role });
}

/** @param entryIds the most urgent first */
export function dueSubjectText(entryIds: readonly string[], groupIds: readonly string[]): string {
  const due = { entries: entryIds.slice(0, MOST_IDS), entry_count: entryIds.length };
  return JSON.stringify({ ...readSubject(subjectText(groupIds)), ...due });
}

export const readSubject = (text: string): Subject => JSON.parse(text) as Subject;
