import type { Role } from '@passwordbroker/core/domain/policy';
import type { Database, Transact } from '../db/database.ts';

type Reader = Database['read'] | Transact;

/** Counts valid sessions and tokens. */
export async function countCredentials(reader: Reader, userId: string, now: number) {
  const rows = await reader
    .selectFrom('sessions')
    .innerJoin('users', (join) =>
      join.onRef('users.user_id', '=', 'sessions.user_id').onRef('users.epoch', '=', 'sessions.epoch'),
    )
    .select((eb) => ['kind', eb.fn.countAll<number>().as('count')] as const)
    .where('sessions.user_id', '=', userId)
    .where('expires_at', '>', now)
    .groupBy('kind')
    .execute();
  const of = (kind: 'cookie' | 'token') => Number(rows.find((row) => row.kind === kind)?.count ?? 0);
  return { sessions: of('cookie'), tokens: of('token') };
}

export async function countInvitesBy(reader: Reader, userId: string, now: number): Promise<number> {
  const row = await reader
    .selectFrom('invites')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('invited_by', '=', userId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

interface MembershipRow {
  readonly entry_group_id: string;
  readonly name: string;
  readonly role: Role;
  readonly admin_id: string | null;
  readonly admin_name: string | null;
}

/** One row for each other admin of each group outside the trash. */
export async function listMemberships(reader: Reader, userId: string): Promise<MembershipRow[]> {
  return reader
    .selectFrom('group_members as own')
    .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'own.entry_group_id')
    .leftJoin('group_members as other', (join) =>
      join
        .onRef('other.entry_group_id', '=', 'own.entry_group_id')
        .on('other.role', '=', 'admin')
        .on('other.user_id', '!=', userId),
    )
    .leftJoin('users', 'users.user_id', 'other.user_id')
    .select(['own.entry_group_id', 'entry_groups.name', 'own.role'])
    .select(['other.user_id as admin_id', 'users.name as admin_name'])
    .where('own.user_id', '=', userId)
    .where('entry_groups.trashed_by', 'is', null)
    .execute();
}

export async function isBackupAddress(reader: Reader, emailKey: string, keyOf: (email: string) => string) {
  const row = await reader.selectFrom('backup_settings').select(['email', 'email_enabled']).executeTakeFirst();
  return row?.email_enabled === 1 && row.email !== null && keyOf(row.email) === emailKey;
}
