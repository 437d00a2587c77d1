/** A part of an act that is done or undone by itself, within the act. */
import { sql } from 'kysely';
import type { Transact } from './database.ts';
import { storageFailure } from './failures.ts';

/** Undoes `work` when it throws, and throws what it threw. Where the storage itself does not serve, the act is lost as a whole. */
export async function inSavepoint<T>(tx: Transact, work: () => Promise<T>): Promise<T> {
  await sql`savepoint part`.execute(tx);
  try {
    const value = await work();
    await sql`release savepoint part`.execute(tx);
    return value;
  } catch (error) {
    if (storageFailure(error) !== null) throw error;
    await sql`rollback to savepoint part`.execute(tx);
    await sql`release savepoint part`.execute(tx);
    throw error;
  }
}
