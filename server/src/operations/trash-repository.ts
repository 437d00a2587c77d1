/**
 * Marks things as lying in the trash. Large sets are walked in portions, between which other requests get their turn on the event loop; they
 * still see all or nothing, because the whole walk is one transaction.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Transact } from '../db/database.ts';

const PORTION = 400;

export interface Things {
  readonly groups: readonly string[];
  readonly entries: readonly string[];
  readonly fields: readonly string[];
}

/** With the groups their living entries, with the entries their living fields: what one act takes along. */
export async function withAllBelow(tx: Transact, chosen: Partial<Things>): Promise<Things> {
  const { groups = [], entries = [], fields = [] } = chosen;
  const allEntries = [...entries, ...(await livingEntries(tx, groups))];
  return { groups, entries: allEntries, fields: [...fields, ...(await livingFields(tx, allEntries))] };
}

interface Removal {
  readonly operationId: string;
  readonly userId: string;
  readonly now: number;
}

/** Puts them into the trash, and witnesses it in each field's history. */
export async function markTrashed(tx: Transact, ids: { newId(): string }, things: Things, removal: Removal) {
  const trashed = { trashed_by: removal.operationId };
  for (const portion of portions(things.fields)) {
    await tx.updateTable('fields').set(trashed).where('field_id', 'in', portion).execute();
    await tx
      .insertInto('field_history')
      .values(portion.map((field) => trashedRow(ids, field, removal)))
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

const trashedRow = (ids: { newId(): string }, fieldId: string, { userId, now }: Removal) => ({
  field_edit_log_id: ids.newId(),
  field_id: fieldId,
  event_type: 'trashed' as const,
  rev: null,
  user_id: userId,
  created_at: now,
});

function* portions<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += PORTION) yield all.slice(start, start + PORTION);
}
