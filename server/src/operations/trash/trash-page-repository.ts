import { type RawBuilder, sql } from 'kysely';
import type { Database, Transact } from '../../db/database.ts';

export interface TrashRequest {
  readonly userId: string;
  readonly now: number;
  /** One group, with `withGroups` also its subgroups. Absent: everything that the person may restore. */
  readonly within?: { readonly groupId: string; readonly withGroups: boolean };
  readonly offset: number;
  readonly limit: number;
}

/** Newest first; expired deletions are left out. */
export async function listTrashActs(reader: Database['read'] | Transact, request: TrashRequest) {
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

export type TrashAct = Awaited<ReturnType<typeof listTrashActs>>[number];

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
