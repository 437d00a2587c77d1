/** What an export contains, written down when it starts. */
import { sql } from 'kysely';
import type { FieldType } from '@passwordbroker/core/domain/fields/field-kinds';
import type { Role } from '@passwordbroker/core/domain/policy';
import type { Transact } from '../db/database.ts';
import { portions } from '../db/portions.ts';

export interface ScopeGroup {
  readonly entry_group_id: string;
  readonly name: string;
  readonly materialized_path: string;
  readonly role: Role;
}

/** Those outside the trash that the person is a member of. */
export async function listScopeGroups(tx: Transact, userId: string, ids: readonly string[]): Promise<ScopeGroup[]> {
  const found: ScopeGroup[] = [];
  for (const some of portions(ids))
    found.push(...(await ownGroups(tx, userId).where('g.entry_group_id', 'in', some).execute()));
  return found;
}

/** All groups of the person, as `listScopeGroups`. */
export async function listOwnGroups(tx: Transact, userId: string): Promise<ScopeGroup[]> {
  return ownGroups(tx, userId).execute();
}

const ownGroups = (tx: Transact, userId: string) =>
  tx
    .selectFrom('entry_groups as g')
    .innerJoin('group_members', 'group_members.entry_group_id', 'g.entry_group_id')
    .select(['g.entry_group_id', 'g.name', 'g.materialized_path', 'group_members.role'])
    .where('group_members.user_id', '=', userId)
    .where('g.trashed_by', 'is', null);

/** Ids of their groups, of those outside the trash. */
export async function listGroupsOfEntries(tx: Transact, entryIds: readonly string[]) {
  const found: { readonly entry_id: string; readonly entry_group_id: string }[] = [];
  for (const some of portions(entryIds)) {
    const rows = tx.selectFrom('entries').select(['entry_id', 'entry_group_id']).where('entry_id', 'in', some);
    found.push(...(await rows.where('trashed_by', 'is', null).execute()));
  }
  return found;
}

/** Whole groups, or single entries of groups. */
export type ExportedPart =
  | { readonly groupIds: readonly string[] }
  | { readonly entries: readonly { readonly entry_id: string; readonly entry_group_id: string }[] };

const entriesOf = (tx: Transact, of: ExportedPart) => {
  const living = tx.selectFrom('entries').where('entries.trashed_by', 'is', null);
  return 'groupIds' in of
    ? living.where('entries.entry_group_id', 'in', of.groupIds)
    : living.where(
        'entries.entry_id',
        'in',
        of.entries.map(({ entry_id }) => entry_id),
      );
};

export async function countEntries(tx: Transact, of: ExportedPart): Promise<number> {
  const { count } = await entriesOf(tx, of)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

interface Counted {
  readonly type: FieldType;
  readonly fields: number;
  readonly revisions: number;
  readonly file_bytes: number;
}

/** By field type. @param withFormer whether `file_bytes` has former files */
export async function countFields(tx: Transact, of: ExportedPart, withFormer: boolean): Promise<Counted[]> {
  const revisions = entriesOf(tx, of)
    .innerJoin('fields', 'fields.entry_id', 'entries.entry_id')
    .innerJoin('field_revisions', 'field_revisions.field_id', 'fields.field_id')
    .where('fields.trashed_by', 'is', null);
  const rows = await revisions
    .select((eb) => [
      'fields.type',
      eb.fn.countAll<number>().as('revisions'),
      eb.fn.count<number>('fields.field_id').distinct().as('fields'),
    ])
    .groupBy('fields.type')
    .execute();
  let files = revisions.where('fields.type', '=', 'file');
  if (!withFormer) files = files.whereRef('field_revisions.rev', '=', 'fields.rev');
  const { bytes } = await files
    .select((eb) => eb.fn.sum<number | null>('field_revisions.body_size').as('bytes'))
    .executeTakeFirstOrThrow();
  return rows.map(({ type, fields, revisions: count }) => ({
    type,
    fields: Number(fields),
    revisions: Number(count),
    file_bytes: type === 'file' ? Number(bytes ?? 0) : 0,
  }));
}

interface Listed {
  readonly exportId: string;
  /** Positions before the first of these. */
  readonly before: number;
  readonly history: boolean;
  readonly files: boolean;
}

/** Adds the rows of groups, entries and values, in this order. Returns how many. */
export async function insertExportValues(tx: Transact, of: ExportedPart, listed: Listed): Promise<number> {
  const none = sql<string>`''`;
  const noRev = sql<number>`0`;
  const groupIds = 'groupIds' in of ? of.groupIds : [...new Set(of.entries.map((entry) => entry.entry_group_id))];
  const groups = tx
    .selectFrom('entry_groups')
    .select(['entry_group_id', none.as('entry_id'), none.as('field_id'), noRev.as('rev')])
    .where('entry_group_id', 'in', groupIds);
  const entries = entriesOf(tx, of).select([
    'entries.entry_group_id',
    'entries.entry_id',
    none.as('field_id'),
    noRev.as('rev'),
  ]);
  let values = entriesOf(tx, of)
    .innerJoin('fields', 'fields.entry_id', 'entries.entry_id')
    .innerJoin('field_revisions', 'field_revisions.field_id', 'fields.field_id')
    .select(['entries.entry_group_id', 'entries.entry_id', 'fields.field_id', 'field_revisions.rev'])
    .where('fields.trashed_by', 'is', null);
  if (!listed.history) values = values.whereRef('field_revisions.rev', '=', 'fields.rev');
  if (!listed.files) values = values.where('fields.type', '!=', 'file');
  const rows = groups.unionAll(entries).unionAll(values).as('every');
  const order = sql`entry_group_id, entry_id, field_id, rev`;
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('export_values')
    .columns(['export_id', 'position', 'entry_group_id', 'entry_id', 'field_id', 'rev'])
    .expression(
      tx
        .selectFrom(rows)
        .select([
          sql<string>`cast(${listed.exportId} as text)`.as('export_id'),
          sql<number>`cast(${listed.before} as bigint) + row_number() over (order by ${order})`.as('position'),
          'every.entry_group_id',
          'every.entry_id',
          'every.field_id',
          'every.rev',
        ]),
    )
    .executeTakeFirstOrThrow();
  return Number(numInsertedOrUpdatedRows);
}
