import { type Transact, dialectOf } from '../db/database.ts';
import type { Tables } from '../db/schema/tables.ts';

export type ExportRow = Tables['exports'];

export async function insertExport(tx: Transact, row: ExportRow): Promise<void> {
  await tx.insertInto('exports').values(row).execute();
}

export async function findOpenExport(tx: Transact, userId: string): Promise<ExportRow | undefined> {
  return tx
    .selectFrom('exports')
    .selectAll()
    .where('user_id', '=', userId)
    .where('state', '=', 'open')
    .executeTakeFirst();
}

/** Locks the row until the transaction ends. */
export async function findExportAndLock(
  tx: Transact,
  exportId: string,
  userId: string,
): Promise<ExportRow | undefined> {
  const query = tx.selectFrom('exports').selectAll().where('export_id', '=', exportId).where('user_id', '=', userId);
  return (dialectOf(tx) === 'postgres' ? query.forUpdate() : query).executeTakeFirst();
}

export async function updateExport(
  tx: Transact,
  exportId: string,
  changes: Partial<Pick<ExportRow, 'counts' | 'released' | 'called_at'>>,
): Promise<void> {
  await tx.updateTable('exports').set(changes).where('export_id', '=', exportId).execute();
}

/** Its values are needed no more; `exports` says what it released. */
export async function endExport(
  tx: Transact,
  exportId: string,
  changes: Pick<ExportRow, 'state'> & Partial<Pick<ExportRow, 'called_at'>>,
): Promise<void> {
  await tx.updateTable('exports').set(changes).where('export_id', '=', exportId).execute();
  await tx.deleteFrom('export_values').where('export_id', '=', exportId).execute();
}

/** An open one without a call since then, with its owner. */
export async function findForgottenExport(tx: Transact, calledBefore: number) {
  return tx
    .selectFrom('exports')
    .innerJoin('users', 'users.user_id', 'exports.user_id')
    .selectAll('exports')
    .select('users.email')
    .where('state', '=', 'open')
    .where('called_at', '<=', calledBefore)
    .limit(1)
    .executeTakeFirst();
}

export async function deleteEndedExports(tx: Transact, calledBefore: number): Promise<void> {
  await tx.deleteFrom('exports').where('state', '!=', 'open').where('called_at', '<=', calledBefore).execute();
}
