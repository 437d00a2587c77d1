/** Rows of entries. Everything here leaves out what lies in the trash. */
import type { Entry } from '@passwordbroker/core/contract/entities';
import type { Selectable } from 'kysely';
import type { Database, Transact } from '../db/database.ts';
import type { Tables } from '../db/schema.ts';

/** How many ids one statement names: far below what any engine admits. */
const PORTION = 500;

export type EntryRow = Pick<
  Selectable<Tables['entries']>,
  'entry_id' | 'entry_group_id' | 'title' | 'created_at' | 'updated_at'
>;

export function asEntry(row: EntryRow): Entry {
  return {
    entry_id: row.entry_id,
    entry_group_id: row.entry_group_id,
    title: row.title,
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  };
}

export async function listEntries(db: Database, groupId: string): Promise<EntryRow[]> {
  return db.read
    .selectFrom('entries')
    .select(['entry_id', 'entry_group_id', 'title', 'created_at', 'updated_at'])
    .where('entry_group_id', '=', groupId)
    .where('trashed_by', 'is', null)
    .execute();
}

/** Any entry of this id, in the trash too. */
export async function findAnyEntry(tx: Transact, entryId: string) {
  return tx.selectFrom('entries').selectAll().where('entry_id', '=', entryId).executeTakeFirst();
}

/** Whether the entry lives in this living group, inside an act. */
export async function isEntryAlive(tx: Transact, groupId: string, entryId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('entries')
    .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'entries.entry_group_id')
    .select('entries.entry_id')
    .where('entries.entry_id', '=', entryId)
    .where('entries.entry_group_id', '=', groupId)
    .where('entries.trashed_by', 'is', null)
    .where('entry_groups.trashed_by', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertEntry(tx: Transact, row: Tables['entries']): Promise<void> {
  await tx.insertInto('entries').values(row).execute();
}

/** A change of a field is a change of its entry. */
export async function touchEntry(tx: Transact, entryId: string, now: number): Promise<void> {
  await tx.updateTable('entries').set({ updated_at: now }).where('entry_id', '=', entryId).execute();
}

/** Those of these entries that live in the group. */
export async function findLivingEntries(
  tx: Pick<Transact, 'selectFrom'>,
  groupId: string,
  ids: readonly string[],
): Promise<EntryRow[]> {
  const rows: EntryRow[] = [];
  for (let at = 0; at < ids.length; at += PORTION) {
    const portion = await tx
      .selectFrom('entries')
      .select(['entry_id', 'entry_group_id', 'title', 'created_at', 'updated_at'])
      .where('entry_id', 'in', ids.slice(at, at + PORTION))
      .where('entry_group_id', '=', groupId)
      .where('trashed_by', 'is', null)
      .execute();
    for (const row of portion) rows.push(row);
  }
  return rows;
}

export async function updateEntryTitle(tx: Transact, entryId: string, title: string, now: number): Promise<void> {
  await tx.updateTable('entries').set({ title, updated_at: now }).where('entry_id', '=', entryId).execute();
}
