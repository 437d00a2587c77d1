/** Other requests run between portions; the transaction keeps the whole atomic. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { HistoryEvent } from '@passwordbroker/core/contract/entities';
import type { Transact, Database } from '../../db/database.ts';
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

const historyRow = (
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

/** Groups of the operation with the person's role. */
export async function listGroupsOf(tx: Transact | Database['read'], operationId: string, userId: string) {
  return tx
    .selectFrom('entry_groups')
    .leftJoin('group_members', (join) =>
      join
        .onRef('group_members.entry_group_id', '=', 'entry_groups.entry_group_id')
        .on('group_members.user_id', '=', userId),
    )
    .select(['entry_groups.entry_group_id', 'entry_groups.materialized_path', 'group_members.role'])
    .where('entry_groups.trashed_by', '=', operationId)
    .execute();
}

/** Adds what the same operation deleted below; earlier deletions stay in the trash. */
export async function withAllOf(tx: Transact, operationId: string, chosen: Things): Promise<Things> {
  const entries = [...chosen.entries];
  for (const portion of portions(chosen.groups)) {
    const rows = await tx
      .selectFrom('entries')
      .select('entry_id')
      .where('entry_group_id', 'in', portion)
      .where('trashed_by', '=', operationId)
      .execute();
    for (const { entry_id } of rows) entries.push(entry_id);
    await nextTurn();
  }
  const fields = [...chosen.fields];
  for (const portion of portions(entries)) {
    const rows = await tx
      .selectFrom('fields')
      .select('field_id')
      .where('entry_id', 'in', portion)
      .where('trashed_by', '=', operationId)
      .execute();
    for (const { field_id } of rows) fields.push(field_id);
    await nextTurn();
  }
  return { groups: chosen.groups, entries, fields };
}

/** Also adds history rows. */
export async function markRestored(
  tx: Transact,
  ids: { newId(): string },
  things: Things,
  by: { readonly userId: string; readonly now: number },
): Promise<void> {
  const back = { trashed_by: null };
  for (const portion of portions(things.groups)) {
    await tx.updateTable('entry_groups').set(back).where('entry_group_id', 'in', portion).execute();
    await nextTurn();
  }
  for (const portion of portions(things.entries)) {
    await tx.updateTable('entries').set(back).where('entry_id', 'in', portion).execute();
    await nextTurn();
  }
  for (const portion of portions(things.fields)) {
    await tx.updateTable('fields').set(back).where('field_id', 'in', portion).execute();
    await tx
      .insertInto('field_history')
      .values(portion.map((field) => historyRow(ids, field, 'restored', by)))
      .execute();
    await nextTurn();
  }
}
