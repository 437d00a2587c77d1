import type { Database, Transact } from '../db/database.ts';
import { portions } from '../db/portions.ts';

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
  const tables = ['group_grants', 'group_members', 'user_key_slots', 'user_keysets', 'user_documents'] as const;
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
