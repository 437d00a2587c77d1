import { expect, test } from 'vitest';
import { sql } from 'kysely';
import { startTestApp } from '../../testing/test-app.ts';
import { openBulkWriter } from '../bulk/writer.ts';

test('closing a bulk writer updates the statistics of its tables', async () => {
  const app = await startTestApp();
  try {
    const { db } = app.deps;
    const rowsOf = async () =>
      (
        await sql<{ n: number }>`select reltuples::bigint as n from pg_class where relname = 'attempts'`.execute(
          db.read,
        )
      ).rows[0]?.n;
    const attempts = (count: number, of: string) =>
      Array.from({ length: count }, (_, at) => ({
        key: `${of} ${at}`,
        window_started_at: 0,
        blocked_until: 0,
        failures: 1,
      }));
    const write = async (count: number, of: string) => {
      const writer = await openBulkWriter(db.path);
      await db.lendWriter(() => writer.transact(async (_, insert) => insert('attempts', attempts(count, of))));
      await writer.close();
    };
    const before = await rowsOf();
    await write(10, 'few');
    expect(await rowsOf()).toBe(before);
    await write(1000, 'many');
    expect(await rowsOf()).toBe(1010);
  } finally {
    await app.stop();
  }
});
