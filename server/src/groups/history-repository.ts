import type { Database } from '../db/database.ts';

/** Newest first, older than `before`. Chooses ids through indexes before joining. */
export async function listGroupHistory(db: Database, groupId: string, limit: number, before: string | undefined) {
  return db.read
    .with(
      (cte) => cte('chosen').materialized(),
      (chosen) => {
        // Cross joins fix the order: entries, fields, history.
        const rows = chosen
          .selectFrom('entries')
          .crossJoin('fields')
          .crossJoin('field_history')
          .select('field_history.field_edit_log_id')
          .where('entries.entry_group_id', '=', groupId)
          .where('entries.trashed_by', 'is', null)
          .whereRef('fields.entry_id', '=', 'entries.entry_id')
          .where('fields.trashed_by', 'is', null)
          .whereRef('field_history.field_id', '=', 'fields.field_id')
          .orderBy('field_history.field_edit_log_id', 'desc')
          .limit(limit);
        return before === undefined ? rows : rows.where('field_history.field_edit_log_id', '<', before);
      },
    )
    .selectFrom('chosen')
    .innerJoin('field_history', 'field_history.field_edit_log_id', 'chosen.field_edit_log_id')
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
      'fields.title as field_title',
      'fields.type',
      'entries.entry_id',
      'entries.title as entry_title',
    ])
    .orderBy('field_history.field_edit_log_id', 'desc')
    .execute();
}
