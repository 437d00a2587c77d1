import { toFieldLists } from '@passwordbroker/core/domain/fields/field-kinds';
import type { Field, SearchRow } from '@passwordbroker/core/contract/entities';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { parseSearch, searchedTexts } from '@passwordbroker/core/domain/search-text';
import type { Database } from '../db/database.ts';
import { asEntry } from '../entries/entry-repository.ts';
import { asField, byKindAndTitle } from '../fields/field-answers.ts';
import { listFields } from '../fields/field-repository.ts';
import { type SearchRequest, searchEntries } from './search-repository.ts';

interface Query {
  readonly q?: string | undefined;
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
}

/** Longer queries find nothing. */
const MOST_TERMS = 64;

export async function search(db: Database, userId: string, { q = '', page = 1, perPage = LIMITS.pageDefault }: Query) {
  const terms = parseSearch(q);
  if (terms.length === 0 || terms.length > MOST_TERMS) return pageOf([], 0, page, perPage);
  const text = searchedTexts(terms).join(' ');
  const request = { userId, text, terms, offset: (page - 1) * perPage, limit: perPage };
  const found = await searchEntries(db, request);
  const total = found[0]?.total ?? (page === 1 ? 0 : await totalOf(db, request));
  return pageOf(await withFields(db, found), total, page, perPage);
}

/** An empty page has no row with the total. */
async function totalOf(db: Database, request: SearchRequest): Promise<number> {
  const [first] = await searchEntries(db, { ...request, offset: 0, limit: 1 });
  return first?.total ?? 0;
}

function pageOf(data: SearchRow[], total: number, page: number, perPage: number) {
  return { data, current_page: page, last_page: Math.max(1, Math.ceil(total / perPage)), per_page: perPage, total };
}

async function withFields(db: Database, found: Awaited<ReturnType<typeof searchEntries>>): Promise<SearchRow[]> {
  const fieldsOf = new Map<string, Field[]>(found.map(({ entry_id }) => [entry_id, []]));
  for (const row of await listFields(db, [...fieldsOf.keys()])) fieldsOf.get(row.entry_id)?.push(asField(row));
  return found.map((row) => ({
    ...asEntry(row),
    entry_group: { entry_group_id: row.entry_group_id, name: row.group_name },
    ...toFieldLists((fieldsOf.get(row.entry_id) ?? []).sort(byKindAndTitle)),
  }));
}
