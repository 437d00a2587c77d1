/** Other requests run between portions; the transaction keeps the whole atomic. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { HistoryEvent } from '@passwordbroker/core/contract/entities';
import type { Transact } from '../../db/database.ts';
import { portions } from '../../db/portions.ts';

export interface Things {
  readonly groups: readonly string[];
  readonly entries: readonly string[];
  readonly fields: readonly string[];
}

/** Adds what is below them outside the trash. */
export async function withAllBelow(tx: Transact, chosen: Partial<Things>): Promise<Things> {
  const { groups = [], entries = [], fields = [] } = chosen;
  const allEntries = [...entries, ...(await livingEntries(tx, groups))];
  return { groups, entries: allEntries, fields: [...fields, ...(await livingFields(tx, allEntries))] };
}

export async function entriesAround(tx: Transact, { entries, fields }: Things): Promise<string[]> {
  const found = new Set(entries);
  for (const portion of portions(fields)) {
    const rows = await tx.selectFrom('fields').select('entry_id').where('field_id', 'in', portion).execute();
    for (const row of rows) found.add(row.entry_id);
  }
  return [...found];
}

interface Removal {
  readonly operationId: string;
  readonly userId: string | null;
  readonly now: number;
}

/** Also adds history rows. */
export async function markTrashed(tx: Transact, ids: { newId(): string }, things: Things, removal: Removal) {
  const trashed = { trashed_by: removal.operationId };
  for (const portion of portions(things.fields)) {
    await tx.updateTable('fields').set(trashed).where('field_id', 'in', portion).execute();
    await tx
      .insertInto('field_history')
      .values(portion.map((field) => historyRow(ids, field, 'trashed', removal)))
      .execute();
    await nextTurn();
  }
  for (const portion of portions(things.entries)) {
    await tx.updateTable('entries').set(trashed).where('entry_id', 'in', portion).execute();
    await nextTurn();
  }
  for (const portion of portions(things.groups)) {
    await tx.updateTable('entry_groups').set(trashed).where('entry_group_id', 'in', portion).execute();
    await nextTurn();
  }
}

async function livingEntries(tx: Transact, groupIds: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const portion of portions(groupIds)) {
    const rows = await tx
      .selectFrom('entries')
      .select('entry_id')
      .where('entry_group_id', 'in', portion)
      .where('trashed_by', 'is', null)
      .execute();
    for (const row of rows) found.push(row.entry_id);
    await nextTurn();
  }
  return found;
}

async function livingFields(tx: Transact, entryIds: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const portion of portions(entryIds)) {
    const rows = await tx
      .selectFrom('fields')
      .select('field_id')
      .where('entry_id', 'in', portion)
      .where('trashed_by', 'is', null)
      .execute();
    for (const row of rows) found.push(row.field_id);
    await nextTurn();
  }
  return found;
}

export const historyRow = (
  ids: { newId(): string },
  fieldId: string,
  event: Extract<HistoryEvent, 'trashed' | 'restored'>,
  { userId, now }: { readonly userId: string | null; readonly now: number },
) => ({
  field_edit_log_id: ids.newId(),
  field_id: fieldId,
  event_type: event,
  rev: null,
  user_id: userId,
  created_at: now,
});
