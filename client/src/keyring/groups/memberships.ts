/** Of opened groups, until the vault locks. `undefined`: not opened yet. */
import type { GroupTrust } from '@passwordbroker/core/domain/trust/judge-group';
import type { GroupTrustDetails } from '../trust/trust-view.ts';
import type { OpenedGroup, SignedRow, SignedMembership } from '../calls.ts';

export interface Memberships {
  /** Null: members are not signed. */
  readonly of: (groupId: string) => SignedMembership | null | undefined;
  readonly trust: (groupId: string) => GroupTrust | undefined;
  /** Null: members are not signed. */
  readonly signed: (groupId: string) => readonly SignedRow[] | null | undefined;
  readonly details: (groupId: string) => GroupTrustDetails | undefined;
  /** @returns unsubscribe */
  readonly subscribe: (listener: () => void) => () => void;
}

type Known = Pick<OpenedGroup, 'membership' | 'signed' | 'details'>;

export interface KeptMemberships extends Memberships {
  keep(groupId: string, known: Known): void;
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
