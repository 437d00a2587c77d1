/** What an import asks the database. */
import { sql } from 'kysely';
import type { Transact } from '../db/database.ts';
import type { OperationRow } from '../operations/operation.ts';

/** Names of the roots that the person sees and that begin so: those of his own trees, and of those where he is only a guest. */
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

/** The version of the person's present keys, undefined when the account is gone. */
export async function readKeysetVersion(tx: Transact, userId: string): Promise<number | undefined> {
  const row = await tx.selectFrom('users').select('keyset_version').where('user_id', '=', userId).executeTakeFirst();
  return row?.keyset_version;
}

/** The import that made this root, as long as it has not been undone. */
export async function findImportOf(tx: Transact, rootId: string) {
  return tx
    .selectFrom('operations')
    .selectAll()
    .where('target_id', '=', rootId)
    .where('kind', '=', 'import')
    .where('undone_at', 'is', null)
    .executeTakeFirst();
}

/** Makes the groups of an import visible, and the import undoable until `undo_until`. */
export async function showImport(tx: Transact, { operation_id, fields, undo_until }: OperationRow): Promise<void> {
  await tx.updateTable('operations').set({ fields, undo_until }).where('operation_id', '=', operation_id).execute();
  await tx.updateTable('entry_groups').set({ trashed_by: null }).where('trashed_by', '=', operation_id).execute();
}
