/** Revisions that are about to leave, and the rows that say so. */
import type { Database, Transact } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { Tables } from '../db/schema.ts';

/** One sealed revision; undefined when the field has no such one. */
export async function findRevision({ read }: Pick<Database, 'read'>, fieldId: string, rev: number) {
  return REVISION.first(read, { fieldId, rev });
}

const REVISION = prepared((db, given: { readonly fieldId: string; readonly rev: number }) =>
  db
    .selectFrom('field_revisions')
    .select(['rev', 'crypto_profile', 'gk_version', 'cek_wrapped', 'value', 'body_sha256', 'body_size'])
    .where('field_id', '=', given.fieldId)
    .where('rev', '=', given.rev),
);

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

/** A living field that is where it was found, with the person's role in its group and the version of that one's key; undefined when it is not any more. */
export async function findStanding(
  tx: Transact,
  userId: string,
  place: { readonly groupId: string; readonly entryId: string; readonly fieldId: string },
) {
  return STANDING.first(tx, { userId, ...place });
}

interface Standing {
  readonly userId: string;
  readonly groupId: string;
  readonly entryId: string;
  readonly fieldId: string;
}

const STANDING = prepared((db, given: Standing) =>
  db
    .selectFrom('fields')
    .innerJoin('entries', 'entries.entry_id', 'fields.entry_id')
    .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'entries.entry_group_id')
    .leftJoin('group_members', (join) =>
      join
        .onRef('group_members.entry_group_id', '=', 'entry_groups.entry_group_id')
        .on('group_members.user_id', '=', given.userId),
    )
    .select(['group_members.role', 'entry_groups.gk_version'])
    .select(['fields.rev', 'fields.title', 'fields.login', 'fields.file_name'])
    .where('fields.field_id', '=', given.fieldId)
    .where('fields.trashed_by', 'is', null)
    .where('entries.entry_id', '=', given.entryId)
    .where('entries.trashed_by', 'is', null)
    .where('entry_groups.entry_group_id', '=', given.groupId)
    .where('entry_groups.trashed_by', 'is', null),
);

export async function insertHistoryRow(tx: Transact, row: Tables['field_history']): Promise<void> {
  await HISTORY_ROW.all(tx, row);
}

const HISTORY_ROW = prepared((db, given: Tables['field_history']) => {
  const { field_edit_log_id, field_id, event_type, rev, user_id, created_at } = given;
  return db.insertInto('field_history').values({ field_edit_log_id, field_id, event_type, rev, user_id, created_at });
});
