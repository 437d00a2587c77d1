/** Fills the write-ahead log until it is killed; prints the name of each committed row on a line. */
import { openDatabase } from '../../open.ts';

const dataDir = process.argv[2];
if (dataDir === undefined) throw new Error('Needs a data folder');
const db = await openDatabase({ dataDir, now: 1 });
const value = 'x'.repeat(64 * 1024);

async function write(writer: number): Promise<never> {
  for (let count = 0; ; count += 1) {
    const name = `${writer}.${count}`;
    await db.transactBeside((tx) => tx.insertInto('site_settings').values({ name, value, updated_at: 1 }).execute());
    process.stdout.write(`${name}\n`);
  }
}

await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)));
