/** The table `staged_imports`: one row for each unfinished import. */
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Database, Transact } from '../db/database.ts';

export async function insertStaged(tx: Transact, operationId: string): Promise<void> {
  await tx.insertInto('staged_imports').values({ operation_id: operationId, written_rows: 0, is_dropped: 0 }).execute();
}

/**
 * Adds to the count of written rows.
 * @throws AppError `unavailable` when the import was dropped meanwhile
 */
export async function continueStaging(tx: Transact, operationId: string, rows: number): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('staged_imports')
    .set((eb) => ({ written_rows: eb('written_rows', '+', rows) }))
    .where('operation_id', '=', operationId)
    .where('is_dropped', '=', 0)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new AppError('unavailable', { retryAfter: 1 });
}

/**
 * Removes the row of a finished import.
 * @throws AppError `unavailable` when the import was dropped meanwhile
 */
export async function endStaging(tx: Transact, operationId: string): Promise<void> {
  await continueStaging(tx, operationId, 0);
  await tx.deleteFrom('staged_imports').where('operation_id', '=', operationId).execute();
}

/** Operation ids of the unfinished imports, in no particular order. */
export async function listStaged({ read }: Pick<Database, 'read'>): Promise<string[]> {
  const rows = await read.selectFrom('staged_imports').select('operation_id').execute();
  return rows.map(({ operation_id }) => operation_id);
}

/** Makes every further transaction of this import fail. */
export async function markDropped(tx: Transact, operationId: string): Promise<void> {
  await tx.updateTable('staged_imports').set({ is_dropped: 1 }).where('operation_id', '=', operationId).execute();
}
