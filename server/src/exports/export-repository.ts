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
  changes: Partial<Pick<ExportRow, 'state' | 'counts' | 'released' | 'called_at'>>,
): Promise<void> {
  await tx.updateTable('exports').set(changes).where('export_id', '=', exportId).execute();
}

/** Open ones without a call since then, with their owners. */
export async function listForgottenExports(tx: Transact, calledBefore: number) {
  return tx
    .selectFrom('exports')
    .innerJoin('users', 'users.user_id', 'exports.user_id')
    .selectAll('exports')
    .select('users.email')
    .where('state', '=', 'open')
    .where('called_at', '<=', calledBefore)
    .limit(100)
    .execute();
}

const DELETED_AT_ONCE = 10_000;

/** Deletes some of the exports that ended before then; true if none is left. */
export async function deleteEndedExports(tx: Transact, calledBefore: number): Promise<boolean> {
  const ended = await tx
    .selectFrom('exports')
    .select('export_id')
    .where('state', '!=', 'open')
    .where('called_at', '<=', calledBefore)
    .executeTakeFirst();
  if (ended === undefined) return true;
  const { export_id } = ended;
  const some = tx.selectFrom('export_values').select('position').where('export_id', '=', export_id);
  const { numDeletedRows } = await tx
    .deleteFrom('export_values')
    .where('export_id', '=', export_id)
    .where('position', 'in', some.orderBy('position').limit(DELETED_AT_ONCE))
    .executeTakeFirstOrThrow();
  if (numDeletedRows < DELETED_AT_ONCE) await tx.deleteFrom('exports').where('export_id', '=', export_id).execute();
  return false;
}
