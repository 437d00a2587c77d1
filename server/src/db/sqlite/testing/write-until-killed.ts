/** Writes with many concurrent operations and prints each acknowledged one on a line, until it is killed. */
import { writeSync } from 'node:fs';
import { openDatabase } from '../../open.ts';

const AT_ONCE = 16;

const [, , dataDir = ''] = process.argv;
const db = await openDatabase({ dataDir, now: 1 });
let last = 0;

async function write(): Promise<never> {
  for (;;) {
    const name = `act ${(last += 1)}`;
    await db.transactBeside(async (tx) => {
      const row = { value: 'x', updated_at: 1 };
      await tx
        .insertInto('site_settings')
        .values({ name, ...row })
        .execute();
      await tx
        .insertInto('site_settings')
        .values({ name: `${name}!`, ...row })
        .execute();
    });
    writeSync(1, `${name}\n`);
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, write));
