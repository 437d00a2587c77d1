/** Waits for a moment without concurrent transactions, so that a delta has only the changes of the test. */
import { sql } from 'kysely';
import type { TestApp } from '../../testing/test-app.ts';
import { expect } from 'vitest';

/**
 * Waits until all earlier transactions have ended. On PostgreSQL a cursor is the oldest running transaction
 * of the whole server (`db/change-stamp.ts`), including databases of other test files; later changes are
 * delivered again.
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
