/** Fills the write-ahead log until its thread is at work, closes the database, and says so: a process that has nothing else to do. */
import { openDatabase } from '../database.ts';

const dataDir = process.argv[2];
if (dataDir === undefined) throw new Error('Needs a data folder');
const db = await openDatabase({ dataDir, now: 1 });
const value = 'x'.repeat(64 * 1024);
for (let count = 0; count < 255; count += 1) {
  const name = `closed ${count}`;
  await db.transact((tx) => tx.insertInto('site_settings').values({ name, value, updated_at: 1 }).execute());
}
await db.close();
process.stdout.write('closed');
