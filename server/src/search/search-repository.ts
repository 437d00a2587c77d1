import { sql } from 'kysely';
import type { SearchTerm } from '@passwordbroker/core/domain/search-text';
import type { Database } from '../db/database.ts';
import { ENTRY_COLUMNS } from '../entries/entry-repository.ts';
import { prepared, preparedShapes } from '../db/prepared.ts';
import type { EntryRow } from '../entries/entry-repository.ts';
import {
  type Condition,
  conditionsOf,
  likeBeginning,
  likeContaining,
  type SearchStart,
} from '../db/text-search/search-index.ts';

const FEW_GROUPS = 100;
const FEW_ENTRIES = 3000;

export interface SearchRequest {
  readonly userId: string;
  /** Folded text that ranks titles. */
  readonly text: string;
  readonly terms: readonly SearchTerm[];
  /** Beginning of the day in UTC. */
  readonly today: number;
  readonly offset: number;
  readonly limit: number;
}

export type FoundRow = EntryRow & { readonly group_name: string };

/** Searches of the same shape share a statement. */
interface Shape {
  readonly name: string;
  readonly start: SearchStart;
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
export async function searchEntries(db: Database, { userId, text, terms, today, offset, limit }: SearchRequest) {
  const conditions = conditionsOf(db.dialect, terms, today);
  const start = (await seesFew(db, userId)) ? 'groups' : 'words';
  const name = [start, ...conditions.map((condition) => condition.name)].join(', ');
  const values = Object.fromEntries(conditions.map(({ value }, at) => [`value${at}` as const, value]));
  const texts = { beginning: likeBeginning(text), containing: likeContaining(text) };
  return PAGE(db.read, { name, start, conditions }, { userId, ...texts, offset, limit, ...values });
}

/** Those outside the trash whose groups the person is a member of, in no order. */
export async function entriesById({ read }: Pick<Database, 'read'>, userId: string, ids: readonly string[]) {
  return read
    .selectFrom('entries')
    .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'entries.entry_group_id')
    .innerJoin('group_members', (join) =>
      join
        .onRef('group_members.entry_group_id', '=', 'entries.entry_group_id')
        .on('group_members.user_id', '=', userId),
    )
    .select(ENTRY_COLUMNS)
    .select('entry_groups.name as group_name')
    .where('entries.entry_id', 'in', ids)
    .where('entries.trashed_by', 'is', null)
    .where('entry_groups.trashed_by', 'is', null)
    .execute();
}

/** Whether visiting all their entries is fast. PostgreSQL decides by itself. */
export async function seesFew({ dialect, read }: Database, userId: string): Promise<boolean> {
  if (dialect !== 'sqlite') return false;
  const count = async (counted: typeof GROUPS) => (await counted.first(read, { userId }))?.n ?? 0;
  return (await count(GROUPS)) <= FEW_GROUPS && (await count(ENTRIES)) <= FEW_ENTRIES;
}

export interface OfPerson {
  readonly userId: string;
}

/** Stops counting above the limit. */
const GROUPS = prepared((db, { userId }: OfPerson) =>
  db
    .selectFrom((few) =>
      few
        .selectFrom('group_members')
        .select('entry_group_id')
        .where('user_id', '=', userId)
        .limit(FEW_GROUPS + 1)
        .as('few'),
    )
    .select((eb) => eb.fn.countAll<number>().as('n')),
);

const ENTRIES = prepared((db, { userId }: OfPerson) =>
  db
    .selectFrom((few) =>
      few
        .selectFrom('group_members')
        .innerJoin('entry_search', 'entry_search.entry_group_id', 'group_members.entry_group_id')
        .select('entry_search.id')
        .where('user_id', '=', userId)
        .limit(FEW_ENTRIES + 1)
        .as('few'),
    )
    .select((eb) => eb.fn.countAll<number>().as('n')),
);

const PAGE = preparedShapes((db, given: Given, { start, conditions }: Shape) =>
  db
    .with(
      (cte) => cte('found').materialized(),
      (found) =>
        found
          .selectFrom('entry_search')
          .select(['entry_id', 'updated_at', placeOf(given)])
          .where((eb) => eb.and(conditions.map(({ holds }, at) => holds(given[`value${at}`] ?? '', start))))
          .where(start === 'words' ? isOfAGroup(given) : isOfOneOfTheGroups(given))
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
    .select(ENTRY_COLUMNS)
    .select(['entry_groups.name as group_name', 'page.total'])
    .orderBy('page.place')
    .orderBy('entries.updated_at', 'desc')
    .orderBy('entries.entry_id'),
);

const placeOf = ({ beginning, containing }: Given) =>
  sql<number>`case
  when title_folded like ${beginning} escape '\\' then 0
  when title_folded like ${containing} escape '\\' then 1
  else 2 end`.as('place');

export const isOfAGroup = ({ userId }: OfPerson) => sql<boolean>`exists (select 1 from group_members
  where group_members.entry_group_id = entry_search.entry_group_id and group_members.user_id = ${userId})`;

export const isOfOneOfTheGroups = ({ userId }: OfPerson) =>
  sql<boolean>`entry_search.entry_group_id in (select entry_group_id from group_members where user_id = ${userId})`;
