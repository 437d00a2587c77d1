/** Pages of an export, judged anew: names and values that the person may not export any more are left out. */
import type { Role } from '@passwordbroker/core/domain/policy';
import type { Transact } from '../db/database.ts';
import { portions } from '../db/portions.ts';
import type { Tables } from '../db/schema/tables.ts';
import { ENTRY_COLUMNS } from '../entries/entry-repository.ts';

export async function countValues(tx: Transact, exportId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('export_values')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('export_id', '=', exportId)
    .where('field_id', '!=', '')
    .executeTakeFirstOrThrow();
  return Number(count);
}

interface Page {
  readonly exportId: string;
  readonly after: number;
  readonly limit: number;
}

/** Rows of groups and entries. */
export async function listOutline(tx: Transact, page: Page) {
  return pageOf(tx, page).select(['position', 'entry_group_id', 'entry_id']).where('field_id', '=', '').execute();
}

const pageOf = (tx: Transact, { exportId, after, limit }: Page) =>
  tx
    .selectFrom('export_values')
    .where('export_values.export_id', '=', exportId)
    .where('export_values.position', '>', after)
    .orderBy('export_values.position')
    .limit(limit);

interface Mine {
  readonly userId: string;
  readonly roles: readonly Role[];
}

/** Those in which the person has one of the roles, outside the trash. */
export async function listExportedGroups(tx: Transact, ids: readonly string[], { userId, roles }: Mine) {
  const found = [];
  for (const some of portions(ids)) {
    found.push(
      ...(await tx
        .selectFrom('entry_groups as g')
        .innerJoin('group_members', 'group_members.entry_group_id', 'g.entry_group_id')
        .select(['g.entry_group_id', 'g.parent_entry_group_id', 'g.name', 'g.created_at', 'g.updated_at'])
        .where('g.entry_group_id', 'in', some)
        .where('g.trashed_by', 'is', null)
        .where('group_members.user_id', '=', userId)
        .where('group_members.role', 'in', roles)
        .execute()),
    );
  }
  return found;
}

/** As `listExportedGroups`. */
export async function listExportedEntries(tx: Transact, ids: readonly string[], { userId, roles }: Mine) {
  const found = [];
  for (const some of portions(ids)) {
    found.push(
      ...(await tx
        .selectFrom('entries')
        .innerJoin('entry_groups as g', 'g.entry_group_id', 'entries.entry_group_id')
        .innerJoin('group_members', 'group_members.entry_group_id', 'g.entry_group_id')
        .select(ENTRY_COLUMNS)
        .where('entries.entry_id', 'in', some)
        .where('entries.trashed_by', 'is', null)
        .where('g.trashed_by', 'is', null)
        .where('group_members.user_id', '=', userId)
        .where('group_members.role', 'in', roles)
        .execute()),
    );
  }
  return found;
}

/** Sealed bytes of the next values. */
export async function listNextSizes(tx: Transact, page: Page): Promise<number[]> {
  const rows = await pageOf(tx, page)
    .leftJoin('field_revisions', (join) =>
      join
        .onRef('field_revisions.field_id', '=', 'export_values.field_id')
        .onRef('field_revisions.rev', '=', 'export_values.rev'),
    )
    .select(({ fn }) => fn<number | null>('length', ['field_revisions.value']).as('size'))
    .where('export_values.field_id', '!=', '')
    .execute();
  return rows.map(({ size }) => size ?? 0);
}

/** The next values; `role` is null where the value is no longer at its place, in the trash, or not the person's. */
export async function listNextValues(tx: Transact, page: Page, { userId, roles }: Mine) {
  return pageOf(tx, page)
    .leftJoin('fields', (join) =>
      join
        .onRef('fields.field_id', '=', 'export_values.field_id')
        .onRef('fields.entry_id', '=', 'export_values.entry_id')
        .on('fields.trashed_by', 'is', null),
    )
    .leftJoin('entries', (join) =>
      join
        .onRef('entries.entry_id', '=', 'fields.entry_id')
        .onRef('entries.entry_group_id', '=', 'export_values.entry_group_id')
        .on('entries.trashed_by', 'is', null),
    )
    .leftJoin('entry_groups as g', (join) =>
      join.onRef('g.entry_group_id', '=', 'entries.entry_group_id').on('g.trashed_by', 'is', null),
    )
    .leftJoin('group_members', (join) =>
      join
        .onRef('group_members.entry_group_id', '=', 'g.entry_group_id')
        .on('group_members.user_id', '=', userId)
        .on('group_members.role', 'in', roles),
    )
    .leftJoin('field_revisions', (join) =>
      join
        .onRef('field_revisions.field_id', '=', 'fields.field_id')
        .onRef('field_revisions.rev', '=', 'export_values.rev'),
    )
    .select(['export_values.position', 'export_values.released_at', 'group_members.role'])
    .select(['export_values.entry_group_id', 'export_values.entry_id', 'export_values.field_id', 'export_values.rev'])
    .select(['fields.type', 'fields.rev as present_rev'])
    .select(['field_revisions.gk_version', 'field_revisions.cek_wrapped', 'field_revisions.value'])
    .select(['field_revisions.body_size', 'field_revisions.site', 'field_revisions.created_at'])
    .where('export_values.field_id', '!=', '')
    .execute();
}

export async function markReleased(
  tx: Transact,
  exportId: string,
  positions: readonly number[],
  now: number,
): Promise<void> {
  for (const some of portions(positions)) {
    await tx
      .updateTable('export_values')
      .set({ released_at: now })
      .where('export_id', '=', exportId)
      .where('position', 'in', some)
      .execute();
  }
}

/** Rows of values that an export released. */
export async function insertHistoryRows(tx: Transact, rows: readonly Tables['field_history'][]): Promise<void> {
  for (const some of portions(rows)) await tx.insertInto('field_history').values(some).execute();
}
