import { toFieldLists } from '@passwordbroker/core/domain/fields/field-kinds';
import type { Field, SearchRow } from '@passwordbroker/core/contract/entities';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { parseSearch, searchedTexts, type SearchTerm } from '@passwordbroker/core/domain/search-text';
import { similarWord } from '@passwordbroker/core/domain/similar-words';
import { dayAfter } from '@passwordbroker/core/domain/entry-marks';
import type { Database } from '../db/database.ts';
import { columnsOf } from '../db/text-search/search-index.ts';
import type { Deps } from '../http/context.ts';
import { asEntry } from '../entries/entry-repository.ts';
import { asField, byKindAndTitle } from '../fields/field-answers.ts';
import { listFields } from '../fields/field-repository.ts';
import { entriesById, type FoundRow, type SearchRequest, searchEntries } from './search-repository.ts';
import { type Forgiving, listFound, listMaybeSimilar, type MaybeSimilarRow } from './similar-repository.ts';

interface Query {
  readonly q?: string | undefined;
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
}

/** Longer queries find nothing. */
const MOST_TERMS = 64;

export async function search(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  userId: string,
  { q = '', page = 1, perPage = LIMITS.pageDefault }: Query,
) {
  const terms = parseSearch(q);
  if (terms.length === 0 || terms.length > MOST_TERMS) return pageOf([], 0, page, perPage);
  const text = searchedTexts(terms).join(' ');
  const today = dayAfter(clock.now(), 0);
  const request = { userId, text, terms, today, offset: (page - 1) * perPage, limit: perPage };
  const found = await searchEntries(db, request);
  const total = found[0]?.total ?? (page === 1 ? 0 : await totalOf(db, request));
  if (total > 0) return pageOf(await withFields(db, found), total, page, perPage);
  const similar = await searchSimilar(db, request);
  if (similar.total === 0) return pageOf([], 0, page, perPage);
  return { ...pageOf(await withFields(db, similar.rows), similar.total, page, perPage), similar: true as const };
}

/** Words of a search that may be misspelt; the others must be there. */
const MOST_FORGIVING = 4;
/** Characters that one search compares, and without a pause for other requests. */
const MOST_TEXT = 2_000_000;
const TEXT_WITHOUT_PAUSE = 64_000;

/** The second attempt with misspelt words, newest first (ADR 5). Finds nothing if no word is long enough. */
async function searchSimilar(db: Database, { userId, terms, today, offset, limit }: SearchRequest) {
  const different = [...new Map(terms.map((term) => [JSON.stringify(term), term])).values()];
  const forgiving = different.flatMap(forgivingOf).slice(0, MOST_FORGIVING);
  if (forgiving.length === 0) return { rows: [], total: 0 };
  const strict = different.filter((term) => !forgiving.some((one) => one.term === term));
  const found: SimilarRow[] = [];
  let [compared, paused] = [0, 0];
  for await (const rows of listMaybeSimilar(db, userId, { forgiving, strict, today })) {
    for (const row of rows) {
      if (compared >= MOST_TEXT) break;
      if (compared - paused >= TEXT_WITHOUT_PAUSE) {
        paused = compared;
        await new Promise(setImmediate);
      }
      for (const { term } of forgiving) for (const column of columnsOf(term)) compared += row[column].length;
      if (forgiving.every((one) => isSimilar(row, one)))
        found.push({ entry_id: row.entry_id, updated_at: row.updated_at });
    }
    if (compared >= MOST_TEXT) break;
  }
  found.sort((a, b) => b.updated_at - a.updated_at || (a.entry_id < b.entry_id ? -1 : 1));
  const ids = found.slice(offset, offset + limit).map(({ entry_id }) => entry_id);
  return { rows: await listFound(db, ids), total: found.length };
}

type SimilarRow = Pick<MaybeSimilarRow, 'entry_id' | 'updated_at'>;

const isSimilar = (row: MaybeSimilarRow, { term, word }: Forgiving): boolean =>
  columnsOf(term).some((column) => row[column].includes(term.text) || word.isIn(row[column]));

function forgivingOf(term: SearchTerm): readonly Forgiving[] {
  if (term.kind !== 'text' || term.isExcluded) return [];
  const word = similarWord(term.text);
  return word === null ? [] : [{ term, word }];
}

/** In the order of `ids`, without those that the person may not read. */
export async function readEntries(db: Database, userId: string, ids: readonly string[]): Promise<SearchRow[]> {
  const found = await withFields(db, await entriesById(db, userId, ids));
  const byId = new Map(found.map((entry) => [entry.entry_id, entry]));
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
}

/** An empty page has no row with the total. */
async function totalOf(db: Database, request: SearchRequest): Promise<number> {
  const [first] = await searchEntries(db, { ...request, offset: 0, limit: 1 });
  return first?.total ?? 0;
}

function pageOf(data: SearchRow[], total: number, page: number, perPage: number) {
  return { data, current_page: page, last_page: Math.max(1, Math.ceil(total / perPage)), per_page: perPage, total };
}

async function withFields(db: Database, found: readonly FoundRow[]): Promise<SearchRow[]> {
  const fieldsOf = new Map<string, Field[]>(found.map(({ entry_id }) => [entry_id, []]));
  for (const row of await listFields(db, [...fieldsOf.keys()])) fieldsOf.get(row.entry_id)?.push(asField(row));
  return found.map((row) => ({
    ...asEntry(row),
    entry_group: { entry_group_id: row.entry_group_id, name: row.group_name },
    ...toFieldLists((fieldsOf.get(row.entry_id) ?? []).sort(byKindAndTitle)),
  }));
}
