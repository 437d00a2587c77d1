/** Thousands of entries, written into the database because API calls would take a minute. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { searchRowOf } from '../../../server/src/db/text-search/search-index.ts';
import { openWriter } from '../../../server/src/db/sqlite/connections.ts';

/** Rows per statement. */
const PORTION = 1000;

/** Adds `count` entries 'Entry 1', 'Entry 2', … without fields. */
export async function addManyEntries(dataDir: string, { groupId, count }: { groupId: string; count: number }) {
  const { queries } = openWriter(join(dataDir, 'passwordbroker.sqlite'));
  try {
    const group = await queries
      .selectFrom('entry_groups')
      .select(['name_folded', 'created_by'])
      .where('entry_group_id', '=', groupId)
      .executeTakeFirstOrThrow();
    const now = Date.now();
    const entries = Array.from({ length: count }, (_, at) => ({
      entry_id: randomUUID(),
      entry_group_id: groupId,
      title: `Entry ${at + 1}`,
      created_by: group.created_by,
      created_at: now,
      updated_at: now,
      trashed_by: null,
    }));
    await queries.transaction().execute(async (tx) => {
      for (let at = 0; at < count; at += PORTION) {
        const some = entries.slice(at, at + PORTION);
        await tx.insertInto('entries').values(some).execute();
        await tx
          .insertInto('entry_search')
          .values(some.map((entry) => searchRowOf(entry, [], group.name_folded)))
          .execute();
      }
    });
  } finally {
    await queries.destroy();
  }
}
