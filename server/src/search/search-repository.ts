import { sql } from 'kysely';
import type { SearchTerm } from '@passwordbroker/core/domain/search-text';
import type { Database } from '../db/database.ts';
import { prepared, preparedShapes } from '../db/prepared.ts';
import { type Condition, conditionsOf, likeBeginning, likeContaining } from '../db/text-search/search-index.ts';

const FEW_GROUPS = 100;

export interface SearchRequest {
  readonly userId: string;
  /** Folded text that ranks titles. */
  readonly text: string;
  readonly terms: readonly SearchTerm[];
  readonly offset: number;
  readonly limit: number;
}

/** Searches of the same shape share a statement. */
interface Shape {
  readonly name: string;
  /** Starts from the words and checks each match's group; otherwise starts from the few groups. */
  readonly isWide: boolean;
  readonly conditions: readonly Condition[];
}

interface Given {
  readonly userId: string;
  readonly beginning: string;
  readonly containing: string;
  readonly offset: number;
  readonly limit: number;
  readonly [value: `value${number}`]: string;
}

/**
 * Entries that contain every word (docs/spec/decisions.md H8): titles that begin with the text first, then
 * titles that contain it, then by last change. Reads the index alone, except for the page.
 */
export async function searchEntries(db: Database, { userId, text, terms, offset, limit }: SearchRequest) {
  const conditions = conditionsOf(db.dialect, terms);
  const isWide = await seesMuch(db, userId);
  const name = [isWide ? 'wide' : 'own', ...conditions.map((condition) => condition.name)].join(', ');
  const values = Object.fromEntries(conditions.map(({ value }, at) => [`value${at}` as const, value]));
  const texts = { beginning: likeBeginning(text), containing: likeContaining(text) };
  return PAGE(db.read, { name, isWide, conditions }, { userId, ...texts, offset, limit, ...values });
}

/** PostgreSQL plans this by itself. */
async function seesMuch({ dialect, read }: Database, userId: string): Promise<boolean> {
  if (dialect !== 'sqlite') return true;
  const { n = 0 } = (await MEMBERSHIPS.first(read, { userId })) ?? {};
  return n > FEW_GROUPS;
}

/** Stops counting at the limit. */
const MEMBERSHIPS = prepared((db, given: { readonly userId: string }) =>
  db
    .selectFrom((few) =>
      few
        .selectFrom('group_members')
        .select('entry_group_id')
        .where('user_id', '=', given.userId)
        .limit(FEW_GROUPS + 1)
        .as('few'),
    )
    .select((eb) => eb.fn.countAll<number>().as('n')),
);

const PAGE = preparedShapes((db, given: Given, { isWide, conditions }: Shape) =>
  db
    .with(
      (cte) => cte('found').materialized(),
      (found) =>
        found
          .selectFrom('entry_search')
          .select(['entry_id', 'updated_at', placeOf(given)])
          .where((eb) => eb.and(conditions.map(({ holds }, at) => holds(given[`value${at}`] ?? ''))))
          .where(isWide ? isOfAGroup(given) : isOfOneOfTheGroups(given))
          // Few groups are in the trash, and an index lists them.
          .where('entry_search.entry_group_id', 'not in', (eb) =>
            eb.selectFrom('entry_groups').select('entry_group_id').where('trashed_by', 'is not', null),
          ),
    )
    .with('page', (page) =>
      page
        .selectFrom('found')
        .select(['entry_id', 'place'])
        .select((eb) => eb.selectFrom('found').select(eb.fn.countAll<number>().as('n')).as('total'))
        .orderBy('place')
        .orderBy('updated_at', 'desc')
        .orderBy('entry_id')
        .limit(given.limit)
        .offset(given.offset),
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
    .orderBy('entries.entry_id'),
);

const placeOf = ({ beginning, containing }: Given) =>
  sql<number>`case
  when title_folded like ${beginning} escape '\\' then 0
  when title_folded like ${containing} escape '\\' then 1
  else 2 end`.as('place');

const isOfAGroup = ({ userId }: Given) => sql<boolean>`exists (select 1 from group_members
  where group_members.entry_group_id = entry_search.entry_group_id and group_members.user_id = ${userId})`;

const isOfOneOfTheGroups = ({ userId }: Given) =>
  sql<boolean>`entry_search.entry_group_id in (select entry_group_id from group_members where user_id = ${userId})`;
