/** What a person has had before his eyes. This is the one place that says what counts as known. */
import { sql } from 'kysely';
import type { Database, Transact } from '../db/database.ts';
import type { Tables } from '../db/schema.ts';

/**
 * Every field of the group that the person revealed, or wrote himself, with the newest revision of it that he knows.
 * Downloaded copies of the whole vault will count here, too, as soon as there are any.
 */
export function knownSecrets(
  db: Database['read'] | Transact,
  { groupIds, userId }: { readonly groupIds: readonly string[]; readonly userId: string },
) {
  return (
    db
      .selectFrom('entries')
      // Cross joins keep the order as written: through indexes from the groups' entries to what this person did with their fields, and nowhere else.
      .crossJoin('fields')
      .crossJoin('field_history')
      .select([
        'entries.entry_group_id',
        'field_history.field_id',
        sql<number>`max(field_history.rev)`.as('rev'),
        sql<number>`max(field_history.created_at)`.as('opened_at'),
        sql<
          Tables['departure_secrets']['how']
        >`case max(case when field_history.event_type = 'decrypted' then 1 else 0 end)
        when 1 then 'revealed' else 'written' end`.as('how'),
      ])
      .whereRef('fields.entry_id', '=', 'entries.entry_id')
      .whereRef('field_history.field_id', '=', 'fields.field_id')
      .where('field_history.user_id', '=', userId)
      .where('field_history.event_type', 'in', ['decrypted', 'created', 'updated'])
      .where('field_history.rev', 'is not', null)
      .where('entries.entry_group_id', 'in', groupIds)
      .groupBy(['entries.entry_group_id', 'field_history.field_id'])
  );
}
