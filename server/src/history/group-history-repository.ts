import type { HistoryEvent } from '@passwordbroker/core/contract/entities';
import type { Database } from '../db/database.ts';

interface HistoryFilter {
  readonly before?: string | undefined;
  readonly user_id?: string | undefined;
  readonly event_type?: HistoryEvent | undefined;
  /** Unix time in ms, inclusive. */
  readonly from?: number;
  /** Exclusive. */
  readonly to?: number;
  /** Adds the groups below this path where the person is a member. */
  readonly below?: { readonly path: string; readonly userId: string };
}

/** With more entries the history is read from its newest row, else from the entries. */
const FEW_ENTRIES = 1000;

/** Newest first, without the trash. Chooses ids through indexes before joining. */
export async function listGroupHistory({ read }: Database, groupId: string, limit: number, filter: HistoryFilter) {
  const { before, user_id, event_type, from, to } = filter;
  const isLarge = await hasMany(read, groupId, filter);
  return read
    .with(
      (cte) => cte('chosen').materialized(),
      () => {
        // Cross joins fix the order in which SQLite reads.
        let rows = (
          isLarge
            ? read.selectFrom('field_history').crossJoin('fields').crossJoin('entries')
            : read.selectFrom('entries').crossJoin('fields').crossJoin('field_history')
        )
          .select('field_history.field_edit_log_id')
          .where('entries.entry_group_id', 'in', inGroups(read, groupId, filter))
          .where('entries.trashed_by', 'is', null)
          .whereRef('fields.entry_id', '=', 'entries.entry_id')
          .where('fields.trashed_by', 'is', null)
          .whereRef('field_history.field_id', '=', 'fields.field_id')
          .orderBy('field_history.field_edit_log_id', 'desc')
          .limit(limit);
        if (before !== undefined) rows = rows.where('field_history.field_edit_log_id', '<', before);
        if (user_id !== undefined) rows = rows.where('field_history.user_id', '=', user_id);
        if (event_type !== undefined) rows = rows.where('field_history.event_type', '=', event_type);
        if (from !== undefined) rows = rows.where('field_history.created_at', '>=', from);
        if (to !== undefined) rows = rows.where('field_history.created_at', '<', to);
        return rows;
      },
    )
    .selectFrom('chosen')
    .crossJoin('field_history')
    .innerJoin('fields', 'fields.field_id', 'field_history.field_id')
    .innerJoin('entries', 'entries.entry_id', 'fields.entry_id')
    .leftJoin('field_revisions', (join) =>
      join
        .onRef('field_revisions.field_id', '=', 'field_history.field_id')
        .onRef('field_revisions.rev', '=', 'field_history.rev'),
    )
    .leftJoin('users', 'users.user_id', 'field_history.user_id')
    .selectAll('field_history')
    .select((eb) => [
      eb.fn.coalesce('field_revisions.title', 'fields.title').as('title'),
      eb.fn.coalesce('field_revisions.login', 'fields.login').as('login'),
      'users.name as user_name',
      'users.kind as user_kind',
      'fields.title as field_title',
      'fields.type',
      'entries.entry_id',
      'entries.entry_group_id',
      'entries.title as entry_title',
    ])
    .whereRef('field_history.field_edit_log_id', '=', 'chosen.field_edit_log_id')
    .orderBy('field_history.field_edit_log_id', 'desc')
    .execute();
}

export type GroupHistoryRow = Awaited<ReturnType<typeof listGroupHistory>>[number];

type Reader = Database['read'];

/** The group, or with `below` those at and below it that the person may read. */
function inGroups(read: Reader, groupId: string, { below }: HistoryFilter) {
  const group = read.selectFrom('entry_groups').select('entry_groups.entry_group_id');
  if (below === undefined) return group.where('entry_groups.entry_group_id', '=', groupId);
  return group
    .innerJoin('group_members', 'group_members.entry_group_id', 'entry_groups.entry_group_id')
    .where('group_members.user_id', '=', below.userId)
    .where('entry_groups.trashed_by', 'is', null)
    .where((eb) =>
      eb.or([
        eb('entry_groups.entry_group_id', '=', groupId),
        eb('entry_groups.materialized_path', 'like', `${below.path}.%`),
      ]),
    );
}

async function hasMany(read: Reader, groupId: string, filter: HistoryFilter): Promise<boolean> {
  const some = read
    .selectFrom('entries')
    .select('entries.entry_id')
    .where('entries.entry_group_id', 'in', inGroups(read, groupId, filter))
    .limit(FEW_ENTRIES + 1);
  const { count } = await read
    .selectFrom(some.as('some'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count) > FEW_ENTRIES;
}
