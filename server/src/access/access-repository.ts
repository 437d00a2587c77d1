import type { Database } from '../db/database.ts';

/** Values in use in a group, or in one of its entries, without links. */
export async function countValues(db: Database, groupId: string, entryId: string | undefined): Promise<number> {
  const rows = db.read
    .selectFrom('entries')
    .innerJoin('fields', 'fields.entry_id', 'entries.entry_id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('entries.entry_group_id', '=', groupId)
    .where('entries.trashed_by', 'is', null)
    .where('fields.trashed_by', 'is', null)
    .where('fields.type', '!=', 'link');
  const chosen = entryId === undefined ? rows : rows.where('entries.entry_id', '=', entryId);
  return Number((await chosen.executeTakeFirstOrThrow()).count);
}
