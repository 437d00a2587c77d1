import type { Transact } from '../../db/database.ts';
import type { Tables } from '../../db/schema/tables.ts';

export async function findCreatedRequest(tx: Transact, id: string) {
  return tx.selectFrom('created_requests').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function insertCreatedRequest(tx: Transact, row: Tables['created_requests']): Promise<void> {
  await tx.insertInto('created_requests').values(row).execute();
}
