/** Rows of sealed documents. */
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Transact } from '../db/database.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';

/**
 * @throws AppError `slot_conflict` unless the stored version is the one that is replaced, 0 for none; `conflict` without keys: what was sealed with dropped
 * ones opens no more, and would be in the way of new ones
 */
export async function storeDocument(
  tx: Transact,
  document: { readonly userId: string; readonly name: string; readonly blob: Buffer; readonly version: number },
): Promise<void> {
  const { userId, name, blob, version } = document;
  const keyset = await tx.selectFrom('user_keysets').select('fpr').where('user_id', '=', userId).executeTakeFirst();
  if (keyset === undefined) throw new AppError('conflict', { message: SERVER_TEXTS.noKeys });
  const present = await tx
    .selectFrom('user_documents')
    .select('n')
    .where('user_id', '=', userId)
    .where('name', '=', name)
    .executeTakeFirst();
  const current = present?.n ?? 0;
  if (current !== version) throw new AppError('slot_conflict', { details: { current_version: current } });
  const written =
    version === 0
      ? await tx
          .insertInto('user_documents')
          .values({ user_id: userId, name, n: 1, blob })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst()
      : await tx
          .updateTable('user_documents')
          .set({ n: version + 1, blob })
          .where('user_id', '=', userId)
          .where('name', '=', name)
          .where('n', '=', version)
          .executeTakeFirst();
  const rows = 'numUpdatedRows' in written ? written.numUpdatedRows : written.numInsertedOrUpdatedRows;
  if (rows !== 1n) throw new AppError('slot_conflict', { details: { current_version: version + 1 } });
}
