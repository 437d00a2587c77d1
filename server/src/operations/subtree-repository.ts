/**
 * A group with everything below it, as one thing. Large trees are walked in portions, between which other requests get their turn on the event
 * loop; they still see all or nothing, because the whole walk is one transaction.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExpressionBuilder } from 'kysely';
import type { Role } from '@passwordbroker/core/domain/policy';
import type { Transact } from '../db/database.ts';
import type { Tables } from '../db/schema.ts';

const PORTION = 400;

/** A living group that is the top of its tree, and the person's role in it. */
export async function findRoot(tx: Transact, groupId: string, userId: string) {
  const group = await tx
    .selectFrom('entry_groups')
    .select(['materialized_path', 'name'])
    .where('entry_group_id', '=', groupId)
    .where('trashed_by', 'is', null)
    .executeTakeFirst();
  if (group === undefined) return undefined;
  const member = await tx
    .selectFrom('group_members')
    .select('role')
    .where('entry_group_id', '=', groupId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  const role: Role | null = member?.role ?? null;
  return { ...group, role };
}

/** The group of this path and those below it. Paths are ids and dots, so nothing in them is a wildcard; the dot keeps `…1` from matching `…12`. */
const inSubtree = (path: string) => (eb: ExpressionBuilder<Tables, 'entry_groups'>) =>
  eb.or([eb('materialized_path', '=', path), eb('materialized_path', 'like', `${path}.%`)]);

/** Whether anybody else made, changed or may see something in the subtree. */
export async function isTouchedByOthers(tx: Transact, path: string, userId: string): Promise<boolean> {
  const groups = tx.selectFrom('entry_groups').where(inSubtree(path));
  const notOwn = <Column extends 'created_by' | 'user_id'>(column: Column) =>
    [column, 'is distinct from', userId] as const;
  const group = await groups
    .select('entry_group_id')
    .where(...notOwn('created_by'))
    .limit(1)
    .execute();
  if (group.length > 0) return true;
  const within = groups.select('entry_group_id');
  const member = await tx
    .selectFrom('group_members')
    .select('id')
    .where('entry_group_id', 'in', within)
    .where('user_id', '!=', userId)
    .limit(1)
    .execute();
  if (member.length > 0) return true;
  const entry = await tx
    .selectFrom('entries')
    .select('entry_id')
    .where('entry_group_id', 'in', within)
    .where('created_by', 'is distinct from', userId)
    .limit(1)
    .execute();
  if (entry.length > 0) return true;
  const revision = await tx
    .selectFrom('field_revisions')
    .innerJoin('fields', 'fields.field_id', 'field_revisions.field_id')
    .innerJoin('entries', 'entries.entry_id', 'fields.entry_id')
    .select('field_revisions.field_id')
    .where('entries.entry_group_id', 'in', within)
    .where('field_revisions.created_by', 'is distinct from', userId)
    .limit(1)
    .execute();
  return revision.length > 0;
}

interface Removal {
  readonly path: string;
  readonly operationId: string;
  readonly userId: string;
  readonly now: number;
}

/** Puts everything that lives in the subtree into the trash, witnesses it in each field's history, and answers how much it was. */
export async function trashSubtree(tx: Transact, ids: { newId(): string }, removal: Removal) {
  const { path, operationId } = removal;
  const groups = await tx
    .selectFrom('entry_groups')
    .select('entry_group_id')
    .where(inSubtree(path))
    .where('trashed_by', 'is', null)
    .execute();
  const entries = await livingEntries(
    tx,
    groups.map((group) => group.entry_group_id),
  );
  const fields = await livingFields(tx, entries);
  for (const portion of portions(fields)) {
    await tx.updateTable('fields').set({ trashed_by: operationId }).where('field_id', 'in', portion).execute();
    await tx
      .insertInto('field_history')
      .values(portion.map((field) => trashedRow(ids, field, removal)))
      .execute();
    await nextTurn();
  }
  for (const portion of portions(entries)) {
    await tx.updateTable('entries').set({ trashed_by: operationId }).where('entry_id', 'in', portion).execute();
    await nextTurn();
  }
  await tx
    .updateTable('entry_groups')
    .set({ trashed_by: operationId })
    .where(inSubtree(path))
    .where('trashed_by', 'is', null)
    .execute();
  const counts = { entry_groups: groups.length, entries: entries.length, fields: fields.length };
  await tx.updateTable('operations').set(counts).where('operation_id', '=', operationId).execute();
  return counts;
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
