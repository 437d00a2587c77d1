/** Revisions that are about to leave, and the rows that say so. */
import type { Database, Transact } from '../db/database.ts';
import type { Tables } from '../db/schema.ts';

/** One sealed revision; undefined when the field has no such one. */
export async function findRevision(db: Database, fieldId: string, rev: number) {
  return db.read
    .selectFrom('field_revisions')
    .select(['rev', 'crypto_profile', 'gk_version', 'cek_wrapped', 'value', 'body_sha256', 'body_size'])
    .where('field_id', '=', fieldId)
    .where('rev', '=', rev)
    .executeTakeFirst();
}

/** The revision that a history row made; null for rows that made none, such as `moved`. */
export async function findRevOfHistoryRow(db: Database, fieldId: string, logId: string): Promise<number | null> {
  const row = await db.read
    .selectFrom('field_history')
    .select('rev')
    .where('field_edit_log_id', '=', logId)
    .where('field_id', '=', fieldId)
    .where('event_type', 'in', ['created', 'updated'])
    .executeTakeFirst();
  return row?.rev ?? null;
}

/** The person's role in the group of a living field that is where it was found; undefined when it is not any more. */
export async function findStanding(
  tx: Transact,
  userId: string,
  { groupId, entryId, fieldId }: { readonly groupId: string; readonly entryId: string; readonly fieldId: string },
) {
  return tx
    .selectFrom('fields')
    .innerJoin('entries', 'entries.entry_id', 'fields.entry_id')
    .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'entries.entry_group_id')
    .leftJoin('group_members', (join) =>
      join
        .onRef('group_members.entry_group_id', '=', 'entry_groups.entry_group_id')
        .on('group_members.user_id', '=', userId),
    )
    .select('group_members.role')
    .where('fields.field_id', '=', fieldId)
    .where('fields.trashed_by', 'is', null)
    .where('entries.entry_id', '=', entryId)
    .where('entries.trashed_by', 'is', null)
    .where('entry_groups.entry_group_id', '=', groupId)
    .where('entry_groups.trashed_by', 'is', null)
    .executeTakeFirst();
}

export async function insertHistoryRow(tx: Transact, row: Tables['field_history']): Promise<void> {
  await tx.insertInto('field_history').values(row).execute();
}
