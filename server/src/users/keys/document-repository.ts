import { AppError } from '@passwordbroker/core/contract/problem';
import type { Database, Transact } from '../../db/database.ts';
import type { Tables } from '../../db/schema/tables.ts';
import { SERVER_TEXTS } from '../../platform/texts.ts';

export async function findDocument(db: Pick<Database, 'read'>, userId: string, name: string) {
  return db.read
    .selectFrom('user_documents')
    .select(['n', 'blob'])
    .where('user_id', '=', userId)
    .where('name', '=', name)
    .executeTakeFirst();
}

/**
 * @throws AppError `slot_conflict` unless `replaced` (0: none) is stored; `conflict` without keys, because a
 * document of former keys would block new ones
 */
export async function storeDocument(
  tx: Transact,
  document: {
    readonly userId: string;
    readonly name: string;
    readonly blob: Buffer;
    readonly replaced: number;
    readonly version: number;
  },
): Promise<void> {
  const { userId, name, blob, replaced, version } = document;
  const keyset = await tx.selectFrom('user_keysets').select('fpr').where('user_id', '=', userId).executeTakeFirst();
  if (keyset === undefined) throw new AppError('conflict', { message: SERVER_TEXTS.noKeys });
  const present = await tx
    .selectFrom('user_documents')
    .select('n')
    .where('user_id', '=', userId)
    .where('name', '=', name)
    .executeTakeFirst();
  const current = present?.n ?? 0;
  if (current !== replaced) throw new AppError('slot_conflict', { details: { current_version: current } });
  const written =
    replaced === 0
      ? await tx
          .insertInto('user_documents')
          .values({ user_id: userId, name, n: version, blob })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst()
      : await tx
          .updateTable('user_documents')
          .set({ n: version, blob })
          .where('user_id', '=', userId)
          .where('name', '=', name)
          .where('n', '=', replaced)
          .executeTakeFirst();
  const rows = 'numUpdatedRows' in written ? written.numUpdatedRows : written.numInsertedOrUpdatedRows;
  if (rows !== 1n) throw new AppError('slot_conflict', { details: { current_version: replaced + 1 } });
}

export async function insertDocuments(tx: Transact, rows: readonly Tables['user_documents'][]): Promise<void> {
  if (rows.length > 0) await tx.insertInto('user_documents').values(rows).execute();
}
