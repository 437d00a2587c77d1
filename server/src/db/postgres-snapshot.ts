/** One moment of a database on a server. */
import { FIRST } from './act-locks.ts';
import type { PostgresAddress } from './postgres-address.ts';
import { kyselyOn } from './postgres-dialect.ts';
import { openPool } from './postgres-pool.ts';
import type { Snapshot } from './snapshot-source.ts';

/** May be read for as long as it takes. */
export async function openStill(address: PostgresAddress): Promise<Snapshot> {
  const db = kyselyOn(openPool(address, { max: 1, isReadOnly: true, isUnhurried: true }), FIRST.free);
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
