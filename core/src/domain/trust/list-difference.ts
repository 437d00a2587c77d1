import type { Role } from '../policy.ts';
import type { RosterMember } from '../rosters/roster.ts';
import { decidedKeysOf, isCompared, type TrustRecord } from './trust-record.ts';

/** `own`: present or former key. `other`: another key is decided. */
export type KnownKey = 'own' | 'compared' | 'for now' | 'unknown' | 'other';

interface Named {
  /** The name in the trust record; null if the record has none, so only the server says one. */
  readonly name: string | null;
  readonly known: KnownKey;
}

export type ListedPerson = RosterMember & Named;

interface Key {
  readonly userId: string;
  readonly fingerprint: string;
}

export interface ListDifference {
  readonly added: readonly ListedPerson[];
  readonly missing: readonly ListedPerson[];
  /** Another key or role than accepted. */
  readonly changed: readonly (ListedPerson & { readonly isOtherKey: boolean; readonly formerRole: Role })[];
}

interface Known {
  readonly record: TrustRecord;
  readonly self: Key;
}

export function listDifference(
  accepted: readonly RosterMember[],
  shown: readonly RosterMember[],
  known: Known,
): ListDifference {
  const before = new Map(accepted.map((member) => [member.userId, member]));
  const ids = new Set(shown.map(({ userId }) => userId));
  const asKnown = (member: RosterMember): ListedPerson => ({ ...member, ...namedIn(member, known) });
  return {
    added: shown.filter(({ userId }) => !before.has(userId)).map(asKnown),
    missing: accepted.filter(({ userId }) => !ids.has(userId)).map(asKnown),
    changed: shown.flatMap((member) => {
      const former = before.get(member.userId);
      if (former === undefined) return [];
      const isOtherKey = former.fingerprint !== member.fingerprint;
      if (!isOtherKey && former.role === member.role) return [];
      return [{ ...asKnown(member), isOtherKey, formerRole: former.role }];
    }),
  };
}

/** From the record, never from the server. */
export function namedIn(key: Key, known: Known): Named {
  const name = known.record.users[key.userId]?.name ?? '';
  return { name: name === '' ? null : name, known: knownKey(key, known) };
}

function knownKey({ userId, fingerprint }: Key, { record, self }: Known): KnownKey {
  if (userId === self.userId)
    return fingerprint === self.fingerprint || record.own.includes(fingerprint) ? 'own' : 'other';
  const decided = decidedKeysOf(record, userId);
  if (decided.length === 0) return 'unknown';
  // Two decided keys contradict each other: ask again.
  if (decided.length > 1 || !decided.includes(fingerprint)) return 'other';
  return isCompared(record, userId, fingerprint) ? 'compared' : 'for now';
}
