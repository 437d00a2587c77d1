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
  const rows = found.map(rowOf);
  await addFields(db, rows);
  return pageOf(rows, total, page, perPage);
}

/** An empty page has no row with the total. */
async function totalOf(db: Database, request: SearchRequest): Promise<number> {
  const [first] = await searchEntries(db, { ...request, offset: 0, limit: 1 });
  return first?.total ?? 0;
}

function pageOf(data: SearchRow[], total: number, page: number, perPage: number) {
  return { data, current_page: page, last_page: Math.max(1, Math.ceil(total / perPage)), per_page: perPage, total };
}

/** Copying members keeps one hidden class for all rows. */
function rowOf(found: Awaited<ReturnType<typeof searchEntries>>[number]): SearchRow {
  const { entry_id, entry_group_id, title, created_at, updated_at } = asEntry(found);
  return {
    entry_id,
    entry_group_id,
    title,
    created_at,
    updated_at,
    entry_group: { entry_group_id, name: found.group_name },
    passwords: [],
    links: [],
    notes: [],
    files: [],
    TOTPs: [],
  };
}

async function addFields(db: Database, rows: readonly SearchRow[]): Promise<void> {
  const byEntry = new Map(rows.map((row) => [row.entry_id, row]));
  const fields = await listFields(
    db,
    rows.map(({ entry_id }) => entry_id),
  );
  for (const field of fields) {
    const row = byEntry.get(field.entry_id);
    if (row !== undefined) addTo(row, asField(field));
  }
  for (const { passwords, links, notes, files, TOTPs } of rows) {
    for (const list of [passwords, links, notes, files, TOTPs]) if (list.length > 1) list.sort(byKindAndTitle);
  }
}

function addTo(row: SearchRow, field: Field): void {
  switch (field.type) {
    case 'password':
      return void row.passwords.push(field);
    case 'link':
      return void row.links.push(field);
    case 'note':
      return void row.notes.push(field);
    case 'file':
      return void row.files.push(field);
    case 'TOTP':
      return void row.TOTPs.push(field);
  }
}
