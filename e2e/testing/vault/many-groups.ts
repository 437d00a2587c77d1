/** Thousands of trees, written into the database because API calls would take minutes. */
import { join } from 'node:path';
import { openWriter } from '../../../server/src/db/sqlite/connections.ts';

/**
 * Adds `count` trees 'Group 0', 'Group 1', … with the members of `likeGroup`. They have no keys, so nothing
 * can be read in them.
 */
export async function addMany(dataDir: string, { likeGroup, count }: { likeGroup: string; count: number }) {
  const { queries } = openWriter(join(dataDir, 'passwordbroker.sqlite'));
  try {
    const where = ['entry_group_id', '=', likeGroup] as const;
    const group = await queries
      .selectFrom('entry_groups')
      .selectAll()
      .where(...where)
      .executeTakeFirstOrThrow();
    const { id: _, ...member } = await queries
      .selectFrom('group_members')
      .selectAll()
      .where(...where)
      .executeTakeFirstOrThrow();
    await queries.transaction().execute(async (tx) => {
      for (let at = 0; at < count; at += 1) {
        const entry_group_id = `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
        const name = `Group ${at}`;
        const place = { entry_group_id, materialized_path: entry_group_id, name, name_folded: name.toLowerCase() };
        await tx
          .insertInto('entry_groups')
          .values({ ...group, ...place })
          .execute();
        await tx
          .insertInto('group_members')
          .values({ ...member, id: entry_group_id, entry_group_id })
          .execute();
      }
    });
  } finally {
    await queries.destroy();
  }
}
