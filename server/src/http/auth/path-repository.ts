/** Finds rows through their parents: ids of other groups are not found (docs/spec/threats.md §3.1.30). */
import type { Selectable } from 'kysely';
import type { Role } from '@passwordbroker/core/domain/policy';
import type { Database } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { Tables } from '../../db/schema/tables.ts';

export type GroupInPath = Selectable<Tables['entry_groups']> & { readonly role: Role };
export type EntryInPath = Selectable<Tables['entries']>;

export type GroupOfField = Pick<GroupInPath, 'entry_group_id' | 'gk_version' | 'role'>;
export type EntryOfField = Pick<EntryInPath, 'entry_id' | 'entry_group_id'>;
export type FieldInPath = Pick<
  Selectable<Tables['fields']>,
  | 'field_id'
  | 'entry_id'
  | 'type'
  | 'title'
  | 'login'
  | 'totp_hash_algorithm'
  | 'totp_timeout'
  | 'file_name'
  | 'file_mime'
  | 'file_size'
  | 'rev'
>;

/** Live group with the person's role; null for non-members. */
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

interface FieldPath {
  readonly groupId: string;
  readonly entryId: string;
  readonly fieldId: string;
}

/** The rows of a field's path; missing ones and those below are null. */
export async function findOnFieldPath({ read }: Pick<Database, 'read'>, path: FieldPath, userId: string) {
  const row = await ON_FIELD_PATH.first(read, { ...path, userId });
  if (row === undefined) return undefined;
  const { gk_version, role, entry_id, field_id, type, title, login, rev } = row;
  const { totp_hash_algorithm, totp_timeout, file_name, file_mime, file_size } = row;
  const entry = entry_id === null ? null : { entry_id, entry_group_id: path.groupId };
  const isThere = entry !== null && field_id !== null && type !== null && title !== null && rev !== null;
  if (!isThere) return { group: { entry_group_id: path.groupId, gk_version, role }, entry, field: null };
  const field: FieldInPath = {
    field_id,
    entry_id: entry.entry_id,
    type,
    title,
    login,
    totp_hash_algorithm,
    totp_timeout,
    file_name,
    file_mime,
    file_size,
    rev,
  };
  return { group: { entry_group_id: path.groupId, gk_version, role }, entry, field };
}

/** Separate queries would each take as long. */
const ON_FIELD_PATH = prepared((db, given: FieldPath & { readonly userId: string }) =>
  db
    .selectFrom('entry_groups')
    .leftJoin('group_members', (join) =>
      join
        .onRef('group_members.entry_group_id', '=', 'entry_groups.entry_group_id')
        .on('group_members.user_id', '=', given.userId),
    )
    .leftJoin('entries', (join) =>
      join
        .onRef('entries.entry_group_id', '=', 'entry_groups.entry_group_id')
        .on('entries.entry_id', '=', given.entryId)
        .on('entries.trashed_by', 'is', null),
    )
    .leftJoin('fields', (join) =>
      join
        .onRef('fields.entry_id', '=', 'entries.entry_id')
        .on('fields.field_id', '=', given.fieldId)
        .on('fields.trashed_by', 'is', null),
    )
    .select(['entry_groups.gk_version', 'group_members.role', 'entries.entry_id', 'fields.field_id'])
    .select(['fields.type', 'fields.title', 'fields.login', 'fields.rev'])
    .select(['fields.totp_hash_algorithm', 'fields.totp_timeout'])
    .select(['fields.file_name', 'fields.file_mime', 'fields.file_size'])
    .where('entry_groups.entry_group_id', '=', given.groupId)
    .where('entry_groups.trashed_by', 'is', null),
);

export async function hasHistoryRow(db: Database, fieldId: string, logId: string): Promise<boolean> {
  const row = await db.read
    .selectFrom('field_history')
    .select('field_edit_log_id')
    .where('field_edit_log_id', '=', logId)
    .where('field_id', '=', fieldId)
    .executeTakeFirst();
  return row !== undefined;
}

/** False for a service account. */
export async function isPerson(db: Database, userId: string): Promise<boolean> {
  const account = db.read.selectFrom('users').select('user_id').where('user_id', '=', userId);
  return (await account.where('kind', '=', 'person').executeTakeFirst()) !== undefined;
}
