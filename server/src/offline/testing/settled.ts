/** A moment in which nobody is at work, so that what a cursor tells apart is what the test has done. */
import { sql } from 'kysely';
import type { TestApp } from '../../testing/test-app.ts';
import { expect } from 'vitest';

/**
 * Waits until everything that was begun before is done. On a server a cursor is the lowest transaction that is at work in any of its databases
 * (`db/change-stamp.ts`), such as those of other files of this run; what was changed since then is told once more.
 */
export async function settled({ deps }: Pick<TestApp, 'deps'>): Promise<void> {
  const { db } = deps;
  if (db.dialect === 'sqlite') return;
  const ends = async () => {
    const { rows } = await sql<{ lowest: number; next: number }>`select
      pg_snapshot_xmin(pg_current_snapshot())::text::bigint as lowest,
      pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next`.execute(db.read);
    return rows[0] ?? { lowest: 0, next: 0 };
  };
  const { next } = await ends();
  await expect.poll(async () => (await ends()).lowest, { timeout: 20_000, interval: 10 }).toBeGreaterThanOrEqual(next);
}
