import type { Transact, Database } from '../db/database.ts';
import type { UserRow } from '../users/user-repository.ts';
import type { Role } from '@passwordbroker/core/domain/policy';
import { portions } from '../db/portions.ts';

export type AccountChange = Partial<
  Pick<UserRow, 'name' | 'name_key' | 'email' | 'email_key' | 'password_hash' | 'has_password'>
>;

export async function updateUser(
  tx: Transact,
  userId: string,
  change: AccountChange & Partial<Pick<UserRow, 'is_admin' | 'is_auditor' | 'disabled_at' | 'break_glass'>>,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ ...change, updated_at: now })
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Counts other site admins who are not disabled. */
export async function countOtherAdmins(tx: Transact, userId: string): Promise<number> {
  const row = await tx
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('is_admin', '=', 1)
    .where('disabled_at', 'is', null)
    .where('user_id', '!=', userId)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

/** Undefined for a service account. */
export async function findAccountInTransaction(tx: Transact, userId: string): Promise<UserRow | undefined> {
  const account = tx.selectFrom('users').selectAll().where('user_id', '=', userId).where('kind', '=', 'person');
  return account.executeTakeFirst();
}

/** For checks inside a transaction: another admin may have changed the account meanwhile. */
export async function isSiteAdminInTransaction(tx: Transact, userId: string): Promise<boolean> {
  const row = await findAccountInTransaction(tx, userId);
  return row !== undefined && row.is_admin === 1 && row.disabled_at === null;
}

type Reader = Database['read'] | Transact;

/** Counts valid sessions and tokens. */
export async function countCredentials(reader: Reader, userId: string, now: number) {
  const rows = await reader
    .selectFrom('sessions')
    .innerJoin('users', (join) =>
      join.onRef('users.user_id', '=', 'sessions.user_id').onRef('users.epoch', '=', 'sessions.epoch'),
    )
    .select((eb) => ['sessions.kind', eb.fn.countAll<number>().as('count')] as const)
    .where('sessions.user_id', '=', userId)
    .where('expires_at', '>', now)
    .groupBy('sessions.kind')
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

/** Returns groups outside the trash whose only admin is this person. */
export async function listSoleGroups(db: Database['read'] | Transact, userId: string) {
  const rows = await db
    .selectFrom('group_members as own')
    .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'own.entry_group_id')
    .select((eb) => [
      'entry_groups.entry_group_id',
      'entry_groups.name',
      eb
        .selectFrom('group_members as every')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('every.entry_group_id', '=', 'own.entry_group_id')
        .as('members'),
    ])
    .where('own.user_id', '=', userId)
    .where('own.role', '=', 'admin')
    .where('entry_groups.trashed_by', 'is', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('group_members as other')
            .select('other.id')
            .whereRef('other.entry_group_id', '=', 'own.entry_group_id')
            .where('other.role', '=', 'admin')
            .where('other.user_id', '!=', userId),
        ),
      ),
    )
    .execute();
  return rows.map(({ members, ...group }) => ({ ...group, members: Number(members) }));
}

/** Certificates stay: other people's clients have pinned them. */
export async function dropKeys(tx: Transact, userId: string, now: number): Promise<void> {
  const sealed = ['user_key_slots', 'user_prf_slots', 'user_keysets', 'user_documents'] as const;
  const tables = ['group_grants', 'group_members', ...sealed] as const;
  for (const table of tables) await tx.deleteFrom(table).where('user_id', '=', userId).execute();
  await tx
    .updateTable('users')
    .set({ keyset_version: 0, must_rekey: 0, mp_exposed_at: null, updated_at: now })
    .where('user_id', '=', userId)
    .execute();
}

/** Rosters and history of the person stay. */
export async function deleteAccount(tx: Transact, userId: string): Promise<void> {
  await tx.deleteFrom('users').where('user_id', '=', userId).execute();
  await deleteLeftCertificates(tx);
}

/** Keeps signers of the newest roster of a group (docs/spec/crypto.md §20). */
export async function deleteLeftCertificates(tx: Transact): Promise<void> {
  await tx
    .deleteFrom('user_certificates')
    .where('user_id', 'not in', (eb) => eb.selectFrom('users').select('user_id'))
    .where('fpr', 'not in', (eb) =>
      eb
        .selectFrom('group_rosters')
        .innerJoin('entry_groups', (join) =>
          join
            .onRef('entry_groups.entry_group_id', '=', 'group_rosters.entry_group_id')
            .onRef('entry_groups.roster_seq', '=', 'group_rosters.seq'),
        )
        .select('group_rosters.signer_fpr'),
    )
    .execute();
}

/** Returns those without members and outside the trash, topmost first. */
export async function listMemberless(tx: Transact, groupIds: readonly string[]) {
  const rows = [];
  for (const portion of portions(groupIds)) {
    const found = await tx
      .selectFrom('entry_groups')
      .leftJoin('group_members', 'group_members.entry_group_id', 'entry_groups.entry_group_id')
      .select([
        'entry_groups.entry_group_id',
        'entry_groups.parent_entry_group_id',
        'entry_groups.name',
        'entry_groups.materialized_path as path',
      ])
      .where('entry_groups.entry_group_id', 'in', portion)
      .where('entry_groups.trashed_by', 'is', null)
      .where('group_members.id', 'is', null)
      .execute();
    rows.push(...found);
  }
  return rows.sort((a, b) => a.path.length - b.path.length);
}

export async function isInhabited(tx: Transact, groupIds: readonly string[]): Promise<boolean> {
  for (const portion of portions(groupIds)) {
    const member = await tx
      .selectFrom('group_members')
      .select('id')
      .where('entry_group_id', 'in', portion)
      .limit(1)
      .execute();
    if (member.length > 0) return true;
  }
  return false;
}
