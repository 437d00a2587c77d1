/** Rows of operations. */
import type { Database, Transact } from '../db/database.ts';
import type { OperationRow } from './operation.ts';

export async function insertOperation(tx: Transact, row: OperationRow): Promise<void> {
  await tx.insertInto('operations').values(row).execute();
}

export async function findOperation(db: Database | Transact, operationId: string): Promise<OperationRow | undefined> {
  const reader = 'read' in db ? db.read : db;
  return reader.selectFrom('operations').selectAll().where('operation_id', '=', operationId).executeTakeFirst();
}

/** Marks the act as taken back; false when somebody was faster. */
export async function markUndone(tx: Transact, operationId: string, now: number): Promise<boolean> {
  const result = await tx
    .updateTable('operations')
    .set({ undone_at: now })
    .where('operation_id', '=', operationId)
    .where('undone_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}
