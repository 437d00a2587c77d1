/** Requires that all entries of a bulk call are outside the trash and in the group of the path. */
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Transact } from '../db/database.ts';
import { type EntryRow, findLivingEntries } from './entry-repository.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';

/** In the order of their first mention, each once. @throws AppError `validation` naming every place in the list that is none of the group's */
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
