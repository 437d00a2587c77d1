/** Topmost items of deletions in the trash. */
import type { TargetKind } from '@passwordbroker/core/contract/entities';
import type { Role } from '@passwordbroker/core/domain/policy';
import type { Database, Transact } from '../../db/database.ts';
import type { OperationRow } from '../operation.ts';

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

type Act = Pick<OperationRow, 'operation_id' | 'target_kind'>;
type Reader = Transact | Database['read'];

export async function listTops(reader: Reader, acts: readonly Act[], userId: string): Promise<Top[]> {
  const found = await Promise.all(
    (['entry_group', 'entry', 'field'] as const).map((kind) => {
      const ids = acts.filter(({ target_kind }) => target_kind === kind).map(({ operation_id }) => operation_id);
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
