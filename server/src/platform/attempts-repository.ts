/** Counters of attempts, in the database so that they hold for every instance and survive a restart. */
import type { Database, Transact } from '../db/database.ts';

export interface AttemptRow {
  readonly failures: number;
  readonly window_started_at: number;
}

export async function readAttempts(db: Database, key: string): Promise<AttemptRow | undefined> {
  return db.read
    .selectFrom('attempts')
    .select(['failures', 'window_started_at'])
    .where('key', '=', key)
    .executeTakeFirst();
}

/** Counts one more in the running window, or begins a new one, and answers how many there are now. */
export async function addAttempt(tx: Transact, key: string, windowMs: number, now: number): Promise<AttemptRow> {
  const row = await tx
    .selectFrom('attempts')
    .select(['failures', 'window_started_at'])
    .where('key', '=', key)
    .executeTakeFirst();
  const isRunning = row !== undefined && now < row.window_started_at + windowMs;
  const next = isRunning
    ? { failures: row.failures + 1, window_started_at: row.window_started_at }
    : { failures: 1, window_started_at: now };
  const values = { ...next, blocked_until: next.window_started_at + windowMs };
  await tx
    .insertInto('attempts')
    .values({ key, ...values })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(values))
    .execute();
  return next;
}

/** Takes one back, after a success. */
export async function takeBackAttempt(tx: Transact, key: string): Promise<void> {
  await tx
    .updateTable('attempts')
    .set((eb) => ({ failures: eb('failures', '-', 1) }))
    .where('key', '=', key)
    .where('failures', '>', 0)
    .execute();
}

export async function deleteAttempts(tx: Transact, key: string): Promise<void> {
  await tx.deleteFrom('attempts').where('key', '=', key).execute();
}

/** Removes counters whose window is over. */
export async function deleteOldAttempts(tx: Transact, now: number): Promise<void> {
  await tx.deleteFrom('attempts').where('blocked_until', '<=', now).execute();
}
