/** Finding entries: every word somewhere in an entry's texts or in its group's name, access applied, the trash left out (decision H8). */
import { sql } from 'kysely';
import type { SearchTerm } from '@passwordbroker/core/domain/search-query';
import type { Database } from '../db/database.ts';
import { likeBeginning, likeContaining, matchesEvery } from '../db/search-index.ts';

const FEW_GROUPS = 100;

export interface SearchRequest {
  readonly userId: string;
  /** What titles are compared with for the order, folded. */
  readonly text: string;
  readonly terms: readonly SearchTerm[];
  readonly offset: number;
  readonly limit: number;
}

/**
 * One page with the number of all: entries whose title begins with the text first, then those whose title contains it, then the rest; newest change
 * first. All that is found is counted and put in order by rows of the index alone; only the page is looked up.
 */
export async function searchEntries(db: Database, request: SearchRequest) {
  const { userId, text, terms, offset, limit } = request;
  const rank = sql<number>`case
    when title_folded like ${likeBeginning(text)} escape '\\' then 0
    when title_folded like ${likeContaining(text)} escape '\\' then 1
    else 2 end`;
  // Who sees little is looked up by his groups; for who sees much the rows are read in their own order, without the groups' index.
  const isWide = (await countMemberships(db, userId)) > FEW_GROUPS;
  const groupId = isWide ? sql`entry_search.entry_group_id || ''` : sql.ref('entry_search.entry_group_id');
  return db.read
    .with(
      (cte) => cte('mine').materialized(),
      (mine) =>
        mine
          .selectFrom('group_members')
          .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'group_members.entry_group_id')
          .select('group_members.entry_group_id')
          .where('group_members.user_id', '=', userId)
          .where('entry_groups.trashed_by', 'is', null),
    )
    .with(
      (cte) => cte('found').materialized(),
      (found) =>
        found
          .selectFrom('entry_search')
          .select(['entry_id', 'updated_at', rank.as('place')])
          .where((eb) => eb.and(matchesEvery(db.dialect, terms)))
          .where(sql<string>`${groupId}`, 'in', sql<string>`(select entry_group_id from mine)`),
    )
    .with('page', (page) =>
      page
        .selectFrom('found')
        .select(['entry_id', 'place'])
        .select((eb) => eb.selectFrom('found').select(eb.fn.countAll<number>().as('n')).as('total'))
        .orderBy('place')
        .orderBy('updated_at', 'desc')
        .orderBy('entry_id')
        .limit(limit)
        .offset(offset),
    )
    .selectFrom('page')
    .innerJoin('entries', 'entries.entry_id', 'page.entry_id')
    .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'entries.entry_group_id')
    .select([
      'entries.entry_id',
      'entries.entry_group_id',
      'entries.title',
      'entries.created_at',
      'entries.updated_at',
      'entry_groups.name as group_name',
      'page.total',
    ])
    .orderBy('page.place')
    .orderBy('entries.updated_at', 'desc')
    .orderBy('entries.entry_id')
    .execute();
}

async function countMemberships(db: Database, userId: string): Promise<number> {
  const { n } = await db.read
    .selectFrom('group_members')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return n;
}
