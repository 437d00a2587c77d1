import { type RawBuilder, sql } from 'kysely';
import type { Database, Transact } from '../../db/database.ts';
import type { TargetKind } from '@passwordbroker/core/contract/entities';
import type { Role } from '@passwordbroker/core/domain/policy';
import type { OperationRow } from '../journal.ts';

export interface TrashRequest {
  readonly userId: string;
  readonly now: number;
  /** One group, with `withGroups` also its subgroups. Absent: everything that the person may restore. */
  readonly within?: { readonly groupId: string; readonly withGroups: boolean };
  readonly offset: number;
  readonly limit: number;
}

/** Newest first; expired deletions are left out. */
export async function listTrashOperations(reader: Database['read'] | Transact, request: TrashRequest) {
  const { userId, now, within, offset, limit } = request;
  return reader
    .selectFrom('operations')
    .leftJoin('users', 'users.user_id', 'operations.user_id')
    .selectAll('operations')
    .select('users.name as user_name')
    .select((eb) => eb.fn.countAll<number>().over().as('total'))
    .where('operations.kind', '=', 'delete')
    .where('operations.undone_at', 'is', null)
    .where('operations.undo_until', '>', now)
    .where(mayRestore(userId, within))
    .orderBy('operations.operation_id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}

export type TrashRow = Awaited<ReturnType<typeof listTrashOperations>>[number];

/** Entries and fields need a moderator, groups an admin of every deleted group (docs/spec/api.md §3.10). */
function mayRestore(userId: string, within: TrashRequest['within']): RawBuilder<boolean> {
  const inGroup = within === undefined ? sql`` : sql`and e.entry_group_id = ${within.groupId}`;
  const below = within === undefined ? sql`` : sql`and g.parent_entry_group_id = ${within.groupId}`;
  const moderates = sql`m.entry_group_id = e.entry_group_id and m.user_id = ${userId} and m.role in ('admin', 'moderator')`;
  const entries = sql`operations.target_kind = 'entry' and exists (
    select 1 from entries e cross join group_members m
    where e.trashed_by = operations.operation_id ${inGroup} and ${moderates})`;
  const fields = sql`operations.target_kind = 'field' and exists (
    select 1 from fields f cross join entries e cross join group_members m
    where f.trashed_by = operations.operation_id and e.entry_id = f.entry_id ${inGroup} and ${moderates})`;
  const groups = sql`operations.target_kind = 'entry_group'
    and exists (select 1 from entry_groups g where g.trashed_by = operations.operation_id ${below})
    and not exists (
      select 1 from entry_groups g left join group_members m
        on m.entry_group_id = g.entry_group_id and m.user_id = ${userId} and m.role = 'admin'
      where g.trashed_by = operations.operation_id and m.id is null)`;
  return within?.withGroups === false
    ? sql<boolean>`((${entries}) or (${fields}))`
    : sql<boolean>`((${entries}) or (${fields}) or (${groups}))`;
}

export async function countInTrash(db: Database, operationIds: readonly string[]) {
  const countIn = (table: 'entry_groups' | 'entries' | 'fields') =>
    db.read
      .selectFrom(table)
      .select(['trashed_by', (eb) => eb.fn.countAll<number>().as('count')])
      .where('trashed_by', 'in', operationIds)
      .groupBy('trashed_by')
      .execute();
  const [groups, entries, fields] = await Promise.all([countIn('entry_groups'), countIn('entries'), countIn('fields')]);
  const of = (rows: typeof groups, id: string) => rows.find(({ trashed_by }) => trashed_by === id)?.count ?? 0;
  return new Map(
    operationIds.map((id) => [id, { entry_groups: of(groups, id), entries: of(entries, id), fields: of(fields, id) }]),
  );
}

/** Topmost items of deletions in the trash. */
export interface Top {
  readonly kind: TargetKind;
  readonly id: string;
  readonly title: string;
  readonly trashed_by: string | null;
  /** Entry of a field or the entry itself; null for groups. */
  readonly entry_id: string | null;
  /** The parent of a group. */
  readonly group_id: string | null;
  readonly group_name: string | null;
  readonly place_trashed_by: string | null;
  readonly role: Role | null;
}

export type TrashedOperation = Pick<OperationRow, 'operation_id' | 'target_kind' | 'target_id'>;
type Reader = Transact | Database['read'];

export async function listTops(
  reader: Reader,
  operations: readonly TrashedOperation[],
  userId: string,
): Promise<Top[]> {
  const found = await Promise.all(
    (['entry_group', 'entry', 'field'] as const).map((kind) => {
      const ids = operations.filter(({ target_kind }) => target_kind === kind).map(({ operation_id }) => operation_id);
      return ids.length === 0 ? Promise.resolve([]) : TOPS[kind](reader, ids, userId);
    }),
  );
  return found.flat();
}

const TOPS: Record<TargetKind, (reader: Reader, ids: readonly string[], userId: string) => Promise<Top[]>> = {
  entry_group: topGroups,
  entry: topEntries,
  field: topFields,
};

async function topGroups(reader: Reader, ids: readonly string[], userId: string): Promise<Top[]> {
  const rows = await reader
    .selectFrom('entry_groups as top')
    .leftJoin('entry_groups as place', 'place.entry_group_id', 'top.parent_entry_group_id')
    .leftJoin('group_members', (join) =>
      join.onRef('group_members.entry_group_id', '=', 'top.entry_group_id').on('group_members.user_id', '=', userId),
    )
    .select([
      'top.trashed_by',
      'top.entry_group_id as id',
      'top.name as title',
      'place.entry_group_id as group_id',
      'place.name as group_name',
      'place.trashed_by as place_trashed_by',
      'group_members.role',
    ])
    .where('top.trashed_by', 'in', ids)
    .whereRef('place.trashed_by', 'is distinct from', 'top.trashed_by')
    .execute();
  return rows.map((row) => ({ ...row, kind: 'entry_group', entry_id: null }));
}

async function topEntries(reader: Reader, ids: readonly string[], userId: string): Promise<Top[]> {
  const rows = await reader
    .selectFrom('entries as top')
    .innerJoin('entry_groups as place', 'place.entry_group_id', 'top.entry_group_id')
    .leftJoin('group_members', (join) =>
      join.onRef('group_members.entry_group_id', '=', 'top.entry_group_id').on('group_members.user_id', '=', userId),
    )
    .select([
      'top.trashed_by',
      'top.entry_id as id',
      'top.title',
      'top.entry_id',
      'place.entry_group_id as group_id',
      'place.name as group_name',
      'place.trashed_by as place_trashed_by',
      'group_members.role',
    ])
    .where('top.trashed_by', 'in', ids)
    .execute();
  return rows.map((row) => ({ ...row, kind: 'entry' }));
}

async function topFields(reader: Reader, ids: readonly string[], userId: string): Promise<Top[]> {
  const rows = await reader
    .selectFrom('fields as top')
    .innerJoin('entries', 'entries.entry_id', 'top.entry_id')
    .innerJoin('entry_groups as place', 'place.entry_group_id', 'entries.entry_group_id')
    .leftJoin('group_members', (join) =>
      join
        .onRef('group_members.entry_group_id', '=', 'entries.entry_group_id')
        .on('group_members.user_id', '=', userId),
    )
    .select((eb) => [
      'top.trashed_by',
      'top.field_id as id',
      'top.title',
      'top.entry_id',
      'place.entry_group_id as group_id',
      'place.name as group_name',
      eb.fn.coalesce('entries.trashed_by', 'place.trashed_by').as('place_trashed_by'),
      'group_members.role',
    ])
    .where('top.trashed_by', 'in', ids)
    .execute();
  return rows.map((row) => ({ ...row, kind: 'field' }));
}
