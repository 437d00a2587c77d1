/** Finding entries: every word somewhere in an entry's texts or in its group's name, access applied, the trash left out (decision H8). */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { columnContains, likeBeginning, likeContaining, rowsContaining } from '../db/search-index.ts';

export interface SearchRequest {
  readonly userId: string;
  /** What was typed, folded. */
  readonly text: string;
  /** Its words, folded, none empty. */
  readonly words: readonly string[];
  readonly offset: number;
  readonly limit: number;
}

/** The entries that the person may read and that match. */
function matching(db: Database, { userId, words }: SearchRequest) {
  let query = db.read
    .selectFrom('entry_search')
    .innerJoin('entries', 'entries.entry_id', 'entry_search.entry_id')
    .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'entries.entry_group_id')
    .innerJoin('group_members', 'group_members.entry_group_id', 'entries.entry_group_id')
    .where('group_members.user_id', '=', userId)
    .where('entries.trashed_by', 'is', null)
    .where('entry_groups.trashed_by', 'is', null);
  for (const word of words) {
    query = query.where((eb) =>
      eb.or([
        eb('entry_search.id', 'in', rowsContaining(word)),
        eb(
          'entries.entry_group_id',
          'in',
          eb
            .selectFrom('entry_groups as named')
            .select('named.entry_group_id')
            .where(columnContains('named.name_folded', word)),
        ),
      ]),
    );
  }
  return query;
}

/** One page, entries whose title begins with the text first, then those whose title contains it, then the rest; newest change first. */
export async function searchEntries(db: Database, request: SearchRequest) {
  const { text, offset, limit } = request;
  const rank = sql<number>`case
    when entry_search.title_folded like ${likeBeginning(text)} escape '\\' then 0
    when entry_search.title_folded like ${likeContaining(text)} escape '\\' then 1
    else 2 end`;
  return matching(db, request)
    .select([
      'entries.entry_id',
      'entries.entry_group_id',
      'entries.title',
      'entries.created_at',
      'entries.updated_at',
      'entry_groups.name as group_name',
    ])
    .orderBy(rank)
    .orderBy('entries.updated_at', 'desc')
    .orderBy('entries.entry_id')
    .limit(limit)
    .offset(offset)
    .execute();
}

export async function countEntries(db: Database, request: SearchRequest): Promise<number> {
  const row = await matching(db, request)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirst();
  return Number(row?.total ?? 0);
}
