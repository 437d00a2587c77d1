/**
 * Differences between the server's list of members and the signed one (docs/spec/crypto.md §9, client rules 2
 * and 5).
 */
import type { GroupUserWithCertificate } from '@passwordbroker/core/contract/entities';
import type { Role } from '@passwordbroker/core/domain/policy';
import type { SignedMember } from '../../keyring/calls.ts';

export interface MemberDifference {
  readonly userId: string;
  /** `added-unsigned`: gets no key; `removed`: signed, but gone or without a key on the server. */
  readonly kind: 'added-unsigned' | 'removed' | 'role' | 'key';
  /** null: not in the signed list. */
  readonly signedRole: Role | null;
}

type Listed = Pick<GroupUserWithCertificate, 'user_id' | 'role' | 'fpr' | 'certificate'>;

/** @param signed null: an unsigned group, which has no differences */
export function memberDifferences(
  signed: readonly SignedMember[] | null | undefined,
  listed: readonly Listed[],
): readonly MemberDifference[] {
  if (signed === null || signed === undefined) return [];
  const rows = new Map(listed.map((row) => [row.user_id, row]));
  const ofSigned = signed.flatMap(({ userId, role, fingerprint }): MemberDifference[] => {
    const row = rows.get(userId);
    if (row === undefined || row.certificate === null) return [{ userId, kind: 'removed', signedRole: role }];
    const hasOtherKey = row.certificate.fpr !== fingerprint || row.fpr !== fingerprint;
    return [
      ...(row.role === role ? [] : [{ userId, kind: 'role', signedRole: role } as const]),
      ...(hasOtherKey ? [{ userId, kind: 'key', signedRole: role } as const] : []),
    ];
  });
  const known = new Set(signed.map(({ userId }) => userId));
  const ofListed = listed
    .filter(({ user_id }) => !known.has(user_id))
    .map(({ user_id }) => ({ userId: user_id, kind: 'added-unsigned', signedRole: null }) as const);
  return [...ofSigned, ...ofListed];
}
