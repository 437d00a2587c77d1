import type { Kysely } from 'kysely';
import type { Tables } from '../db/schema/tables.ts';

export async function listEntries(read: Kysely<Tables>, entryIds: readonly string[]) {
  return read
    .selectFrom('entries')
    .select(['entry_id', 'entry_group_id', 'title', 'created_at', 'updated_at'])
    .where('entry_id', 'in', entryIds)
    .where('trashed_by', 'is', null)
    .execute();
}
