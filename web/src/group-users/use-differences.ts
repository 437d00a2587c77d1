/** What the server's list of members says otherwise than the signed one, in words (docs/spec/crypto.md §9). */
import { useMemo, useSyncExternalStore } from 'react';
import type { GroupUserWithCertificate } from '@passwordbroker/core/contract/entities';
import { ENTRY_GROUP_TEXTS } from '../texts/entry-groups.ts';
import { TRUST_TEXTS as TEXTS } from '../texts/trust.ts';
import { memberDifferences, type MemberDifference } from '../vault/member-differences.ts';
import { useVault } from '../vault/use-vault.ts';

interface Differences {
  /** By user id, of those who are listed. */
  readonly texts: ReadonlyMap<string, string>;
  /** How many are signed still, but not listed any more. */
  readonly gone: number;
}

/** Empty before the group has been opened: nothing is known of its signed list then. */
export function useDifferences(groupId: string, users: readonly GroupUserWithCertificate[]): Differences {
  const { memberships } = useVault();
  const signed = useSyncExternalStore(memberships.subscribe, () => memberships.signed(groupId));
  return useMemo(() => {
    const all = users.length === 0 ? [] : memberDifferences(signed, users);
    const listed = new Set(users.map(({ user_id }) => user_id));
    const texts = new Map<string, string>();
    for (const difference of all) {
      const { userId } = difference;
      const before = texts.get(userId);
      if (listed.has(userId)) texts.set(userId, [before, textOf(difference)].filter(Boolean).join(', '));
    }
    return { texts, gone: all.filter(({ userId }) => !listed.has(userId)).length };
  }, [signed, users]);
}

function textOf({ kind, signedRole }: MemberDifference): string {
  if (kind === 'role') return TEXTS.differences.role(signedRole === null ? '' : ENTRY_GROUP_TEXTS.roles[signedRole]);
  return TEXTS.differences[kind];
}
