/** Finding entries: every word somewhere in an entry's texts or in its group's name, access applied, the trash left out (decision H8). */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { likeBeginning, likeContaining, rowsMatching } from '../db/search-index.ts';

export interface SearchRequest {
  readonly userId: string;
  /** What was typed, folded. */
  readonly text: string;
  /** Its words, folded, none empty. */
  readonly words: readonly string[];
  readonly offset: number;
  readonly limit: number;
}

/**
 * One page with the number of all: entries whose title begins with the text first, then those whose title contains it, then the rest; newest change
 * first. The words choose the entries through the index before anything else is looked at.
 */
export async function searchEntries(db: Database, request: SearchRequest) {
  const { userId, text, words, offset, limit } = request;
  const rank = sql<number>`case
    when found.title_folded like ${likeBeginning(text)} escape '\\' then 0
    when found.title_folded like ${likeContaining(text)} escape '\\' then 1
    else 2 end`;
  const [first, ...others] = words.map((word) => rowsMatching(word));
  return (
    db.read
      .with(
        (cte) => cte('found').materialized(),
        (found) => {
          let query = found.selectFrom('entry_search').select(['entry_id', 'title_folded']);
          for (const rows of [first, ...others]) if (rows !== undefined) query = query.where('id', 'in', rows);
          return query;
        },
      )
      .selectFrom('found')
      // Cross joins keep the order as written: from what was found to what may be read, each step by a key.
      .crossJoin('entries')
      .crossJoin('entry_groups')
      .crossJoin('group_members')
      .whereRef('entries.entry_id', '=', 'found.entry_id')
      .whereRef('entry_groups.entry_group_id', '=', 'entries.entry_group_id')
      .whereRef('group_members.entry_group_id', '=', 'entries.entry_group_id')
      .where('group_members.user_id', '=', userId)
      .where('entries.trashed_by', 'is', null)
      .where('entry_groups.trashed_by', 'is', null)
      .select([
        'entries.entry_id',
        'entries.entry_group_id',
        'entries.title',
        'entries.created_at',
        'entries.updated_at',
        'entry_groups.name as group_name',
      ])
      .select((eb) => eb.fn.countAll<number>().over().as('total'))
      .orderBy(rank)
      .orderBy('entries.updated_at', 'desc')
      .orderBy('entries.entry_id')
      .limit(limit)
      .offset(offset)
      .execute()
  );
}
