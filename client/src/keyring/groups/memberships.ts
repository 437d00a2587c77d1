/** What opening groups has shown of their signed lists of members; kept as long as the keys are open. */
import type { GroupTrust } from '@passwordbroker/core/domain/trust/judge-group';
import type { GroupTrustDetails } from '../../vault/trust/trust.ts';
import type { OpenedGroup, SignedMember, SignedMembership } from '../calls.ts';

export interface Memberships {
  /** Oneself. null: members of this group are not signed; undefined: it was not opened yet. */
  readonly of: (groupId: string) => SignedMembership | null | undefined;
  /** undefined: it was not opened yet. */
  readonly trust: (groupId: string) => GroupTrust | undefined;
  /** Everybody. null: nobody has signed them; undefined: the group was not opened yet, or is locked. */
  readonly signed: (groupId: string) => readonly SignedMember[] | null | undefined;
  /** Everything that the screens show of it. undefined: it was not opened yet. */
  readonly details: (groupId: string) => GroupTrustDetails | undefined;
  /** @returns how to stop listening */
  readonly subscribe: (listener: () => void) => () => void;
}

type Known = Pick<OpenedGroup, 'membership' | 'signed' | 'details'>;

export interface KeptMemberships extends Memberships {
  keep(groupId: string, known: Known): void;
  /** It has to be opened again: what was known of it does not hold any more. */
  forget(groupId: string): void;
  clear(): void;
}

export function keepMemberships(): KeptMemberships {
  const groups = new Map<string, Known>();
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  return {
    of: (groupId) => groups.get(groupId)?.membership,
    trust: (groupId) => groups.get(groupId)?.details.trust,
    signed: (groupId) => groups.get(groupId)?.signed,
    details: (groupId) => groups.get(groupId)?.details,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    keep(groupId, known) {
      groups.set(groupId, known);
      tell();
    },
    forget(groupId) {
      if (groups.delete(groupId)) tell();
    },
    clear() {
      groups.clear();
      tell();
    },
  };
}
