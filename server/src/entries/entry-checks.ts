import { refuse, AppError } from '@passwordbroker/core/contract/problem';
import { ENTRY_SIZE_TEXTS, hasTooManyFields, hasTooMuchText, type EntrySize } from '@passwordbroker/core/domain/limits';
import type { Transact } from '../db/database.ts';
import { readEntrySize, type EntryRow, findLivingEntries } from './entry-repository.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';

/**
 * Call before the change. Entries beyond the limits may shrink.
 * @throws AppError `validation`
 */
export async function requireRoom(tx: Transact, entryId: string, growth: EntrySize): Promise<void> {
  if (growth.fields <= 0 && growth.text <= 0) return;
  const { fields, text } = await readEntrySize(tx, entryId);
  if (growth.fields > 0) refuseFields(fields + growth.fields);
  if (growth.text > 0) refuseText(text + growth.text);
}

/** Call after the change, in its transaction. @throws AppError `validation` */
export async function requireWithinLimits(tx: Transact, entryId: string): Promise<void> {
  const { fields, text } = await readEntrySize(tx, entryId);
  refuseFields(fields);
  refuseText(text);
}

function refuseFields(fields: number): void {
  if (hasTooManyFields({ fields })) throw refuse('fields', ENTRY_SIZE_TEXTS.fields);
}

function refuseText(text: number): void {
  if (hasTooMuchText({ text })) throw refuse('title', ENTRY_SIZE_TEXTS.text);
}

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
