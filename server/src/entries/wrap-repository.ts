import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database, Transact } from '../db/database.ts';
import { givenRows } from '../db/row-text.ts';

const PORTION = 400;

/** Includes fields in the trash. */
export async function listWraps(db: Database | Transact, entryIds: readonly string[]) {
  const reader = 'read' in db ? db.read : db;
  const rows = [];
  for (let at = 0; at < entryIds.length; at += PORTION) {
    const portion = await reader
      .selectFrom('fields')
      .innerJoin('field_revisions', 'field_revisions.field_id', 'fields.field_id')
      .select([
        'fields.entry_id',
        'fields.field_id',
        'fields.type',
        'field_revisions.rev',
        'field_revisions.gk_version',
        'field_revisions.cek_wrapped',
      ])
      .where('fields.entry_id', 'in', entryIds.slice(at, at + PORTION))
      .orderBy('fields.field_id')
      .orderBy('field_revisions.rev')
      .execute();
    for (const row of portion) rows.push(row);
  }
  return rows;
}

export type WrapRow = Awaited<ReturnType<typeof listWraps>>[number];

/** Includes fields in the trash. */
export async function listRevisions(tx: Transact, entryIds: readonly string[]) {
  const rows = [];
  for (let at = 0; at < entryIds.length; at += PORTION) {
    const portion = await tx
      .selectFrom('fields')
      .innerJoin('field_revisions', 'field_revisions.field_id', 'fields.field_id')
      .select(['fields.field_id', 'field_revisions.rev', 'fields.trashed_by'])
      .where('fields.entry_id', 'in', entryIds.slice(at, at + PORTION))
      .execute();
    for (const row of portion) rows.push(row);
  }
  return rows;
}

export interface NewWrap {
  readonly field_id: string;
  readonly rev: number;
  readonly cek_wrapped: Buffer;
}

/** The revisions must exist. */
export async function updateWraps(tx: Transact, wraps: readonly NewWrap[], gkVersion: number): Promise<void> {
  for (let at = 0; at < wraps.length; at += PORTION) {
    const given = givenRows(
      tx,
      { field_id: 'text', rev: 'integer', cek_wrapped: 'bytes' },
      wraps.slice(at, at + PORTION).map(({ field_id, rev, cek_wrapped }) => ({ field_id, rev, cek_wrapped })),
    );
    await sql`with ${given}
      update field_revisions set gk_version = ${gkVersion}, cek_wrapped = given.cek_wrapped
      from given where field_revisions.field_id = given.field_id and field_revisions.rev = given.rev`.execute(tx);
    // There are up to 50,000 rows: let other requests run.
    await nextTurn();
  }
}

/** Records the former groups. The times of the entries do not change. */
export async function updateGroupOf(
  tx: Transact,
  entryIds: readonly string[],
  to: { readonly groupId: string; readonly now: number },
): Promise<void> {
  for (let at = 0; at < entryIds.length; at += PORTION) {
    const portion = entryIds.slice(at, at + PORTION);
    await insertFormerPlaces(tx, portion, to.now);
    await tx.updateTable('entries').set({ entry_group_id: to.groupId }).where('entry_id', 'in', portion).execute();
  }
}

/** People with the former group's key know the values, wherever the entry is now. */
async function insertFormerPlaces(tx: Transact, entryIds: readonly string[], now: number): Promise<void> {
  await tx
    .insertInto('entry_moves')
    .columns(['entry_id', 'entry_group_id', 'arrived_at', 'left_at'])
    .expression((eb) =>
      eb
        .selectFrom('entries')
        .leftJoin('entry_moves as former', 'former.entry_id', 'entries.entry_id')
        .select((of) => [
          'entries.entry_id',
          'entries.entry_group_id',
          of.fn.coalesce(of.fn.max('former.left_at'), sql<number>`0`).as('arrived_at'),
          sql<number>`${now}`.as('left_at'),
        ])
        .where('entries.entry_id', 'in', entryIds)
        .groupBy(['entries.entry_id', 'entries.entry_group_id']),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function insertMovedRows(
  tx: Transact,
  ids: { newId(): string },
  fieldIds: readonly string[],
  by: { readonly userId: string; readonly now: number },
): Promise<void> {
  for (let at = 0; at < fieldIds.length; at += PORTION) {
    const rows = fieldIds.slice(at, at + PORTION).map((field_id) => ({
      field_edit_log_id: ids.newId(),
      field_id,
      event_type: 'moved' as const,
      rev: null,
      user_id: by.userId,
      created_at: by.now,
    }));
    await tx.insertInto('field_history').values(rows).execute();
  }
}
