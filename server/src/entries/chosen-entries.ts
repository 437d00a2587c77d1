import { AppError } from '@passwordbroker/core/contract/problem';
import type { Transact } from '../db/database.ts';
import { type EntryRow, findLivingEntries } from './entry-repository.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';

/**
 * Each once, in order.
 * @throws AppError `validation` for ids that are not in this group outside the trash
 */
export async function chosenEntries(
  tx: Pick<Transact, 'selectFrom'>,
  groupId: string,
  ids: readonly string[],
): Promise<EntryRow[]> {
  const rows = new Map((await findLivingEntries(tx, groupId, ids)).map((row) => [row.entry_id, row]));
  const errors = ids.flatMap((id, at) => (rows.has(id) ? [] : [[`entries.${at}`, [SERVER_TEXTS.notInGroup]] as const]));
  if (errors.length > 0) throw new AppError('validation', { errors: Object.fromEntries(errors) });
  return [...new Set(ids)].flatMap((id) => rows.get(id) ?? []);
}
