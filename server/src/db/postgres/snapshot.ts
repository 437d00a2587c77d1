import type { PostgresAddress } from './address.ts';
import { openQueries } from './pool.ts';
import type { Snapshot } from '../snapshot/source.ts';

/** Opens a read-only snapshot without timeouts. */
export async function openStill(address: PostgresAddress): Promise<Snapshot> {
  const db = openQueries(address, { max: 1, isReadOnly: true, isUnlimited: true });
  const read = await db
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute()
    .catch(async (error: unknown) => {
      await db.destroy();
      throw error;
    });
  await read.selectFrom('site_settings').select('name').limit(1).execute();
  return {
    read,
    async close() {
      await read.rollback().execute();
      await db.destroy();
    },
  };
}
