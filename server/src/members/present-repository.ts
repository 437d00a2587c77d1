import type { Role } from '@passwordbroker/core/domain/policy';
import type { RosterMember } from '@passwordbroker/core/domain/rosters/roster';
import type { Database, Transact } from '../db/database.ts';
import type { StoredRoster } from '../groups/signed-roster.ts';
import { sha256 } from '../platform/secrets.ts';

/** The fingerprint is '' without keys; no roster can name it. */
export async function listPresentMembers(tx: Transact, groupId: string): Promise<RosterMember[]> {
  const rows = await tx
    .selectFrom('group_members')
    .leftJoin('user_keysets', 'user_keysets.user_id', 'group_members.user_id')
    .select(['group_members.user_id', 'group_members.role', 'user_keysets.fpr'])
    .where('group_members.entry_group_id', '=', groupId)
    .execute();
  return rows.map(({ user_id, role, fpr }) => ({ userId: user_id, role, fingerprint: fpr ?? '' }));
}

export async function findPresentRoster(
  tx: Transact,
  groupId: string,
): Promise<(StoredRoster & { readonly signerFingerprint: string }) | null> {
  const row = await tx
    .selectFrom('group_rosters')
    .select(['seq', 'bytes', 'signer_fpr'])
    .where('entry_group_id', '=', groupId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { seq, bytes, signer_fpr: signerFingerprint } = row;
  return { seq, bytes, hash: sha256(bytes).toString('hex'), signerFingerprint };
}

export async function findRole(tx: Transact, groupId: string, userId: string): Promise<Role | null> {
  const row = await tx
    .selectFrom('group_members')
    .select('role')
    .where('entry_group_id', '=', groupId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.role ?? null;
}

/** `fpr` is null without keys. */
export async function listPeople(
  db: Database,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, { readonly fpr: string | null }>> {
  const rows = await db.read
    .selectFrom('users')
    .leftJoin('user_keysets', 'user_keysets.user_id', 'users.user_id')
    .select(['users.user_id', 'user_keysets.fpr'])
    .where('users.user_id', 'in', userIds)
    .execute();
  return new Map(rows.map(({ user_id, fpr }) => [user_id, { fpr }]));
}
