import { type Transact, dialectOf } from '../../db/database.ts';
import type { Tables } from '../../db/schema/tables.ts';

export type ImportRow = Tables['imports'];
export type ImportPartRow = Tables['import_parts'];

export async function insertImport(tx: Transact, row: ImportRow): Promise<void> {
  await tx.insertInto('imports').values(row).execute();
}

export async function listImportsOf(tx: Transact, userId: string): Promise<ImportRow[]> {
  return tx.selectFrom('imports').selectAll().where('user_id', '=', userId).execute();
}

/** Locks the row until the transaction ends. */
export async function findImportAndLock(
  tx: Transact,
  importId: string,
  userId: string,
): Promise<ImportRow | undefined> {
  const query = tx.selectFrom('imports').selectAll().where('import_id', '=', importId).where('user_id', '=', userId);
  return (dialectOf(tx) === 'postgres' ? query.forUpdate() : query).executeTakeFirst();
}

export async function updateImport(
  tx: Transact,
  importId: string,
  changes: Partial<Pick<ImportRow, 'called_at' | 'operation_id' | 'storing_at'>>,
): Promise<void> {
  await tx.updateTable('imports').set(changes).where('import_id', '=', importId).execute();
}

/** In order. */
export async function listParts(tx: Transact, importId: string): Promise<ImportPartRow[]> {
  return tx
    .selectFrom('import_parts')
    .selectAll()
    .where('import_id', '=', importId)
    .orderBy('part')
    .orderBy('name')
    .execute();
}

export async function insertParts(tx: Transact, rows: readonly ImportPartRow[]): Promise<void> {
  if (rows.length > 0) await tx.insertInto('import_parts').values(rows).execute();
}

/** Returns the SHA-256 names of their bodies. @param part null: all */
export async function deleteParts(tx: Transact, importId: string, part: number | null): Promise<string[]> {
  const query = tx.deleteFrom('import_parts').where('import_id', '=', importId);
  const rows = await (part === null ? query : query.where('part', '=', part)).returning('body_sha256').execute();
  return rows.map(({ body_sha256 }) => body_sha256);
}

/** Deletes those of a person, or those last called before a time. Returns the SHA-256 names of their bodies. */
export async function deleteImports(
  tx: Transact,
  of: { readonly userId: string } | { readonly calledBefore: number; readonly createdBefore: number },
): Promise<string[]> {
  const query = tx.selectFrom('imports').select('import_id');
  const found = await (
    'userId' in of
      ? query.where('user_id', '=', of.userId)
      : query.where((eb) => eb.or([eb('called_at', '<=', of.calledBefore), eb('created_at', '<=', of.createdBefore)]))
  ).execute();
  const bodies: string[] = [];
  for (const { import_id } of found) {
    bodies.push(...(await deleteParts(tx, import_id, null)));
    await tx.deleteFrom('imports').where('import_id', '=', import_id).execute();
  }
  return bodies;
}
