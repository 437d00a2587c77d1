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
  const { offset, limit } = request;
  // Who sees little is looked up by his groups. For who sees much the words decide, and only groups in which they are found are looked at.
  const isWide = (await countMemberships(db, request.userId)) > FEW_GROUPS;
  return (isWide ? foundByWords(db, request) : foundInOwn(db, request))
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

const rankBy = (text: string) => sql<number>`case
  when title_folded like ${likeBeginning(text)} escape '\\' then 0
  when title_folded like ${likeContaining(text)} escape '\\' then 1
  else 2 end`;

/** What has the words among the entries of the person's groups. */
function foundInOwn(db: Database, { userId, text, terms }: SearchRequest) {
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
          .select(['entry_id', 'updated_at', rankBy(text).as('place')])
          .where((eb) => eb.and(matchesEvery(db.dialect, terms)))
          .where('entry_search.entry_group_id', 'in', sql<string>`(select entry_group_id from mine)`),
    );
}

/** What has the words, as far as it is in groups of the person. */
function foundByWords(db: Database, { userId, text, terms }: SearchRequest) {
  return db.read
    .with(
      (cte) => cte('everywhere').materialized(),
      (everywhere) =>
        everywhere
          .selectFrom('entry_search')
          .select(['entry_id', 'entry_group_id', 'updated_at', rankBy(text).as('place')])
          .where((eb) => eb.and(matchesEvery(db.dialect, terms))),
    )
    .with(
      (cte) => cte('places').materialized(),
      (places) => places.selectFrom('everywhere').select('entry_group_id').distinct(),
    )
    .with(
      (cte) => cte('mine').materialized(),
      (mine) =>
        mine
          .selectFrom('places')
          .select('places.entry_group_id')
          .where((eb) =>
            eb.exists(
              eb
                .selectFrom('group_members')
                .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'group_members.entry_group_id')
                .select('group_members.id')
                .whereRef('group_members.entry_group_id', '=', 'places.entry_group_id')
                .where('group_members.user_id', '=', userId)
                .where('entry_groups.trashed_by', 'is', null),
            ),
          ),
    )
    .with(
      (cte) => cte('found').materialized(),
      (found) =>
        found
          .selectFrom('everywhere')
          .select(['entry_id', 'updated_at', 'place'])
          .where('entry_group_id', 'in', sql<string>`(select entry_group_id from mine)`),
    );
}

async function countMemberships(db: Database, userId: string): Promise<number> {
  const { n } = await db.read
    .selectFrom('group_members')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return n;
}
