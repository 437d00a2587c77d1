import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, Transact } from '../../db/database.ts';
import { portions } from '../../db/portions.ts';
import { historyRow } from './trash-repository.ts';
import type { Things } from './trash-repository.ts';

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

/** Adds what the same operation deleted below. */
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
