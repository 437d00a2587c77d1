/** What opening groups has shown of one's membership in them; kept as long as the keys are open. */
import type { SignedMembership } from './calls.ts';

export interface Memberships {
  /** null: members of this group are not signed; undefined: it was not opened yet. */
  readonly of: (groupId: string) => SignedMembership | null | undefined;
  /** @returns how to stop listening */
  readonly subscribe: (listener: () => void) => () => void;
}

export interface KeptMemberships extends Memberships {
  keep(groupId: string, membership: SignedMembership | null): void;
  clear(): void;
}

export function keepMemberships(): KeptMemberships {
  const known = new Map<string, SignedMembership | null>();
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  return {
    of: (groupId) => known.get(groupId),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    keep(groupId, membership) {
      known.set(groupId, membership);
      tell();
    },
    clear() {
      known.clear();
      tell();
    },
  };
}
