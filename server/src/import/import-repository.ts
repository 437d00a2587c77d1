import { sql } from 'kysely';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Database, Transact } from '../db/database.ts';
import type { OperationRow } from '../operations/journal.ts';

/** Names of root groups that the person sees. */
export async function listVisibleRootNames(tx: Transact, userId: string, prefix: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('entry_groups as root')
    .select('root.name')
    .where('root.parent_entry_group_id', 'is', null)
    .where('root.trashed_by', 'is', null)
    .where('root.name', 'like', `${prefix}%`)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('group_members')
          .innerJoin('entry_groups as own', 'own.entry_group_id', 'group_members.entry_group_id')
          .select('group_members.id')
          .where('group_members.user_id', '=', userId)
          .where('own.trashed_by', 'is', null)
          .where((own) =>
            own.or([
              own('own.entry_group_id', '=', own.ref('root.entry_group_id')),
              own('own.materialized_path', 'like', sql<string>`root.entry_group_id || '.%'`),
            ]),
          ),
      ),
    )
    .execute();
  return rows.map((row) => row.name);
}

/** Undefined if the account is deleted. */
export async function readKeysetVersion(tx: Transact, userId: string): Promise<number | undefined> {
  const row = await tx.selectFrom('users').select('keyset_version').where('user_id', '=', userId).executeTakeFirst();
  return row?.keyset_version;
}

/** `detail` of the operation of a tree of its own. */
export const TREE_DETAIL = '{}';

/** Undefined if the import was undone. @param detail of an import into existing groups; null for a tree of its own */
export async function findImportOf(tx: Transact, rootId: string, detail: string | null) {
  return tx
    .selectFrom('operations')
    .selectAll()
    .where('target_id', '=', rootId)
    .where('kind', '=', 'import')
    .where('undone_at', 'is', null)
    .where('detail', '=', detail ?? TREE_DETAIL)
    .executeTakeFirst();
}

export async function showImport(tx: Transact, { operation_id, fields, undo_until }: OperationRow): Promise<void> {
  await tx.updateTable('operations').set({ fields, undo_until }).where('operation_id', '=', operation_id).execute();
  await tx.updateTable('entry_groups').set({ trashed_by: null }).where('trashed_by', '=', operation_id).execute();
}

export async function insertStaged(tx: Transact, operationId: string): Promise<void> {
  await tx.insertInto('staged_imports').values({ operation_id: operationId, written_rows: 0, is_dropped: 0 }).execute();
}

/** @throws AppError `unavailable` if the import was dropped */
export async function continueStaging(tx: Transact, operationId: string, rows: number): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('staged_imports')
    .set((eb) => ({ written_rows: eb('written_rows', '+', rows) }))
    .where('operation_id', '=', operationId)
    .where('is_dropped', '=', 0)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new AppError('unavailable', { retryAfter: 1 });
}

/** @throws AppError `unavailable` if the import was dropped */
export async function endStaging(tx: Transact, operationId: string): Promise<void> {
  await continueStaging(tx, operationId, 0);
  await tx.deleteFrom('staged_imports').where('operation_id', '=', operationId).execute();
}

export async function listStaged({ read }: Pick<Database, 'read'>): Promise<string[]> {
  const rows = await read.selectFrom('staged_imports').select('operation_id').execute();
  return rows.map(({ operation_id }) => operation_id);
}

/** Makes all later transactions of the import fail. */
export async function markDropped(tx: Transact, operationId: string): Promise<void> {
  await tx.updateTable('staged_imports').set({ is_dropped: 1 }).where('operation_id', '=', operationId).execute();
}
