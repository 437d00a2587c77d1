/** The things that a path names, each found through its parents: a foreign id is not found (threats §3.1.30). */
import type { Selectable } from 'kysely';
import type { Role } from '@passwordbroker/core/domain/policy';
import type { Database } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { Tables } from '../db/schema.ts';

export type GroupInPath = Selectable<Tables['entry_groups']> & { readonly role: Role };
export type EntryInPath = Selectable<Tables['entries']>;
export type FieldInPath = Selectable<Tables['fields']>;

/** A living group and the person's role in it; role null: no member. */
export async function findGroup({ read }: Pick<Database, 'read'>, groupId: string, userId: string) {
  return GROUP.first(read, { groupId, userId });
}

const GROUP = prepared((db, given: { readonly groupId: string; readonly userId: string }) =>
  db
    .selectFrom('entry_groups')
    .leftJoin('group_members', (join) =>
      join
        .onRef('group_members.entry_group_id', '=', 'entry_groups.entry_group_id')
        .on('group_members.user_id', '=', given.userId),
    )
    .selectAll('entry_groups')
    .select('group_members.role')
    .where('entry_groups.entry_group_id', '=', given.groupId)
    .where('entry_groups.trashed_by', 'is', null),
);

export async function findEntry(
  { read }: Pick<Database, 'read'>,
  groupId: string,
  entryId: string,
): Promise<EntryInPath | undefined> {
  return ENTRY.first(read, { groupId, entryId });
}

const ENTRY = prepared((db, given: { readonly groupId: string; readonly entryId: string }) =>
  db
    .selectFrom('entries')
    .selectAll()
    .where('entry_id', '=', given.entryId)
    .where('entry_group_id', '=', given.groupId)
    .where('trashed_by', 'is', null),
);

export async function findField(
  { read }: Pick<Database, 'read'>,
  entryId: string,
  fieldId: string,
): Promise<FieldInPath | undefined> {
  return FIELD.first(read, { entryId, fieldId });
}

const FIELD = prepared((db, given: { readonly entryId: string; readonly fieldId: string }) =>
  db
    .selectFrom('fields')
    .selectAll()
    .where('field_id', '=', given.fieldId)
    .where('entry_id', '=', given.entryId)
    .where('trashed_by', 'is', null),
);

/** Whether the history row is one of this field. */
export async function hasHistoryRow(db: Database, fieldId: string, logId: string): Promise<boolean> {
  const row = await db.read
    .selectFrom('field_history')
    .select('field_edit_log_id')
    .where('field_edit_log_id', '=', logId)
    .where('field_id', '=', fieldId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function isUser(db: Database, userId: string): Promise<boolean> {
  const row = await db.read.selectFrom('users').select('user_id').where('user_id', '=', userId).executeTakeFirst();
  return row !== undefined;
}
