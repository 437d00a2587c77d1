import type { Selectable } from 'kysely';
import type { SearchTerm } from '@passwordbroker/core/domain/search-text';
import type { SimilarWord } from '@passwordbroker/core/domain/similar-words';
import type { Database } from '../db/database.ts';
import type { Tables } from '../db/schema/tables.ts';
import { conditionsOf, maybeSimilar, type TextTerm } from '../db/text-search/search-index.ts';
import { ENTRY_COLUMNS } from '../entries/entry-repository.ts';
import { type FoundRow, isOfAGroup, isOfOneOfTheGroups, type SearchRequest, seesFew } from './search-repository.ts';

/** A word of a search that may be misspelt. */
export interface Forgiving {
  readonly term: TextTerm;
  readonly word: SimilarWord;
}

export type MaybeSimilarRow = Selectable<Tables['entry_search']>;

interface MaybeSimilar extends Pick<SearchRequest, 'today'> {
  readonly forgiving: readonly Forgiving[];
  readonly strict: readonly SearchTerm[];
}

/** Rows that are read at a time, of up to 16 KiB of text each. */
const PORTION = 250;
const MOST_COMPARED = 5_000;

/** The newest rows that may have similar words, and have the other terms, in groups of the person: in portions, newest first. */
export async function* listMaybeSimilar(
  db: Database,
  userId: string,
  { forgiving, strict, today }: MaybeSimilar,
): AsyncGenerator<readonly MaybeSimilarRow[], void> {
  const start = (await seesFew(db, userId)) ? 'groups' : 'words';
  const query = db.read
    .selectFrom('entry_search')
    .selectAll()
    .where((eb) =>
      eb.and([
        ...forgiving.map(({ term, word }) => maybeSimilar(db.dialect, term, word, start)),
        ...conditionsOf(db.dialect, strict, today).map(({ holds, value }) => holds(value, start)),
      ]),
    )
    .where(start === 'words' ? isOfAGroup({ userId }) : isOfOneOfTheGroups({ userId }))
    .where('entry_search.entry_group_id', 'not in', (eb) =>
      eb.selectFrom('entry_groups').select('entry_group_id').where('trashed_by', 'is not', null),
    )
    .orderBy('id', 'desc')
    .limit(PORTION);
  let last: number | undefined;
  for (let count = 0; count < MOST_COMPARED; count += PORTION) {
    const rows = await (last === undefined ? query : query.where('id', '<', last)).execute();
    yield rows;
    last = rows.at(-1)?.id;
    if (rows.length < PORTION || last === undefined) return;
  }
}

/** In the order of the ids. */
export async function listFound({ read }: Database, ids: readonly string[]): Promise<readonly FoundRow[]> {
  if (ids.length === 0) return [];
  const rows = await read
    .selectFrom('entries')
    .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'entries.entry_group_id')
    .select(ENTRY_COLUMNS)
    .select('entry_groups.name as group_name')
    .where('entries.entry_id', 'in', ids)
    .execute();
  const byId = new Map(rows.map((row) => [row.entry_id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
