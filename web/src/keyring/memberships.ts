/** What opening groups has shown of their signed lists of members; kept as long as the keys are open. */
import type { GroupTrust, NewestList, OpenedGroup, SignedMember, SignedMembership } from './calls.ts';

export interface Memberships {
  /** Oneself. null: members of this group are not signed; undefined: it was not opened yet. */
  readonly of: (groupId: string) => SignedMembership | null | undefined;
  /** undefined: it was not opened yet. */
  readonly trust: (groupId: string) => GroupTrust | undefined;
  /** Everybody. null: nobody has signed them; undefined: the group was not opened yet, or is locked. */
  readonly signed: (groupId: string) => readonly SignedMember[] | null | undefined;
  /** The list that a person is asked about. null: there is none, or nothing is to be asked. */
  readonly newest: (groupId: string) => NewestList | null;
  /** False: this device could not store what it has accepted of this group. */
  readonly isKept: (groupId: string) => boolean;
  /** @returns how to stop listening */
  readonly subscribe: (listener: () => void) => () => void;
}

type Known = Pick<OpenedGroup, 'membership' | 'trust' | 'signed' | 'newest' | 'isKept'>;

export interface KeptMemberships extends Memberships {
  keep(groupId: string, known: Known): void;
  /** The group did not open: what was known of it does not hold any more. */
  keepLocked(groupId: string, fault: 'roster' | 'grant'): void;
  clear(): void;
}

export function keepMemberships(): KeptMemberships {
  const groups = new Map<string, Known>();
  const locked = new Map<string, GroupTrust>();
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  return {
    of: (groupId) => groups.get(groupId)?.membership,
    trust: (groupId) => groups.get(groupId)?.trust ?? locked.get(groupId),
    signed: (groupId) => groups.get(groupId)?.signed,
    newest: (groupId) => groups.get(groupId)?.newest ?? null,
    isKept: (groupId) => groups.get(groupId)?.isKept ?? true,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    keep(groupId, known) {
      locked.delete(groupId);
      groups.set(groupId, known);
      tell();
    },
    keepLocked(groupId, fault) {
      groups.delete(groupId);
      locked.set(groupId, { locked: fault });
      tell();
    },
    clear() {
      groups.clear();
      locked.clear();
      tell();
    },
  };
}
