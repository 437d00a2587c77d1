/** A page of what was searched for, each entry with its fields by kind and no value (`api.md` §3.10). */
import type { Field, SearchRow } from '@passwordbroker/core/contract/entities';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { parseSearch, searchedTexts } from '@passwordbroker/core/domain/search-query';
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

/** Nobody types more; longer queries find nothing, as if no entry had all of it. */
const MOST_TERMS = 64;

export async function search(db: Database, userId: string, { q = '', page = 1, perPage = LIMITS.pageDefault }: Query) {
  const terms = parseSearch(q);
  if (terms.length === 0 || terms.length > MOST_TERMS) return pageOf([], 0, page, perPage);
  const text = searchedTexts(terms).join(' ');
  const request = { userId, text, terms, offset: (page - 1) * perPage, limit: perPage };
  const found = await searchEntries(db, request);
  const total = found[0]?.total ?? (page === 1 ? 0 : await totalOf(db, request));
  const fields = await fieldsByEntry(
    db,
    found.map((row) => row.entry_id),
  );
  const rows = found.map((row) => rowOf(row, fields.get(row.entry_id) ?? []));
  return pageOf(rows, total, page, perPage);
}

/** A page behind the last one has no row that could tell the number. */
async function totalOf(db: Database, request: SearchRequest): Promise<number> {
  const [first] = await searchEntries(db, { ...request, offset: 0, limit: 1 });
  return first?.total ?? 0;
}

function pageOf(data: SearchRow[], total: number, page: number, perPage: number) {
  return { data, current_page: page, last_page: Math.max(1, Math.ceil(total / perPage)), per_page: perPage, total };
}

async function fieldsByEntry(db: Database, entryIds: readonly string[]): Promise<Map<string, Field[]>> {
  const byEntry = new Map<string, Field[]>(entryIds.map((id) => [id, []]));
  for (const row of await listFields(db, entryIds)) byEntry.get(row.entry_id)?.push(asField(row));
  for (const fields of byEntry.values()) fields.sort(byKindAndTitle);
  return byEntry;
}

/** Member by member: rows that are put together of copies would each have a shape of their own. */
function rowOf(found: Awaited<ReturnType<typeof searchEntries>>[number], fields: readonly Field[]): SearchRow {
  const { entry_id, entry_group_id, title, created_at, updated_at } = asEntry(found);
  const of = <Type extends Field['type']>(type: Type) =>
    fields.filter((field): field is Extract<Field, { type: Type }> => field.type === type);
  return {
    entry_id,
    entry_group_id,
    title,
    created_at,
    updated_at,
    entry_group: { entry_group_id, name: found.group_name },
    passwords: of('password'),
    links: of('link'),
    notes: of('note'),
    files: of('file'),
    TOTPs: of('TOTP'),
  };
}
