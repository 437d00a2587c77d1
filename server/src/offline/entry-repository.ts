/** Rows of entries and of their fields with the present revision of each: the only list that reads sealed values. */
import type { Kysely } from 'kysely';
import type { Tables } from '../db/schema.ts';

type Reader = Kysely<Tables>;

export async function listEntries(read: Reader, entryIds: readonly string[]) {
  return read
    .selectFrom('entries')
    .select(['entry_id', 'entry_group_id', 'title', 'created_at', 'updated_at'])
    .where('entry_id', 'in', entryIds)
    .where('trashed_by', 'is', null)
    .execute();
}

export type SealedFieldRow = Awaited<ReturnType<typeof listSealedFields>>[number];

export async function listSealedFields(read: Reader, entryIds: readonly string[]) {
  return read
    .selectFrom('fields')
    .innerJoin('field_revisions', (join) =>
      join.onRef('field_revisions.field_id', '=', 'fields.field_id').onRef('field_revisions.rev', '=', 'fields.rev'),
    )
    .leftJoin('users as creator', 'creator.user_id', 'fields.created_by')
    .leftJoin('users as updater', 'updater.user_id', 'fields.updated_by')
    .select([
      'fields.field_id',
      'fields.entry_id',
      'fields.type',
      'fields.title',
      'fields.login',
      'fields.totp_hash_algorithm',
      'fields.totp_timeout',
      'fields.file_name',
      'fields.file_mime',
      'fields.file_size',
      'fields.rev',
      'fields.created_at',
      'fields.updated_at',
      'fields.created_by',
      'fields.updated_by',
      'field_revisions.gk_version',
      'field_revisions.cek_wrapped',
      'field_revisions.value',
      'field_revisions.body_size',
      'creator.name as creator_name',
      'updater.name as updater_name',
    ])
    .where('fields.entry_id', 'in', entryIds)
    .where('fields.trashed_by', 'is', null)
    .execute();
}
