import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

interface Asked {
  readonly groupId: string;
  readonly entryId: string;
  /** Returns only the rows of this person. */
  readonly userId?: string;
  readonly limit: number;
}

/** The last reveal of each field outside the trash by each person, newest first. */
export async function listSeenBy({ read }: Database, { groupId, entryId, userId, limit }: Asked) {
  // The distinct pairs come from the index alone; only the last reveal of each pair reads a row.
  let pairs = read
    .selectFrom('fields')
    .crossJoin('field_history')
    .select(['field_history.field_id', 'field_history.user_id'])
    .distinct()
    .where('fields.entry_id', '=', entryId)
    .where('fields.trashed_by', 'is', null)
    .whereRef('field_history.field_id', '=', 'fields.field_id')
    .where('field_history.user_id', 'is not', null);
  if (userId !== undefined) pairs = pairs.where('field_history.user_id', '=', userId);
  const seen = read
    .selectFrom(pairs.as('pairs'))
    .select(['pairs.field_id', 'pairs.user_id'])
    .select((eb) =>
      eb
        .selectFrom('field_history')
        .select('field_history.created_at')
        .whereRef('field_history.field_id', '=', 'pairs.field_id')
        .whereRef('field_history.user_id', '=', 'pairs.user_id')
        .where('field_history.event_type', '=', 'decrypted')
        .orderBy('field_history.field_edit_log_id', 'desc')
        .limit(1)
        .as('last_at'),
    );
  return read
    .selectFrom(seen.as('seen'))
    .leftJoin('users', 'users.user_id', 'seen.user_id')
    .leftJoin('group_members', (join) =>
      join.onRef('group_members.user_id', '=', 'seen.user_id').on('group_members.entry_group_id', '=', groupId),
    )
    .select([
      'seen.field_id',
      'seen.user_id',
      'users.name as user_name',
      'users.kind as user_kind',
      'group_members.role',
    ])
    .select(sql<number>`seen.last_at`.as('last_at'))
    .where('seen.last_at', 'is not', null)
    .orderBy('seen.last_at', 'desc')
    .orderBy('seen.user_id')
    .limit(limit)
    .execute();
}
