/** Searching an opened copy as the server searches (decision H8): every term somewhere in an entry's texts or in its group's name. */
import type { SearchRow } from '@passwordbroker/core/contract/entities';
import type { OfflineEntry } from '@passwordbroker/core/contract/offline';
import type { FieldType } from '@passwordbroker/core/domain/field-kinds';
import { foldText } from '@passwordbroker/core/domain/fold-text';
import {
  parseSearch,
  searchedTexts,
  type SearchPlace,
  type SearchTerm,
} from '@passwordbroker/core/domain/search-query';
import { fieldsOf, listedEntry, listedField, type CopiedData, type CopiedGroup } from './snapshot.ts';

/** What an entry is found by, folded. */
interface Searched {
  readonly entry: OfflineEntry;
  readonly group: CopiedGroup;
  readonly title: string;
  readonly names: string;
  readonly logins: string;
  readonly files: string;
  readonly groupName: string;
  readonly types: ReadonlySet<FieldType>;
}

interface SearchPage {
  readonly data: SearchRow[];
  readonly current_page: number;
  readonly last_page: number;
  readonly per_page: number;
  readonly total: number;
}

export interface SnapshotIndex {
  search(request: { readonly query: string; readonly page: number; readonly perPage: number }): SearchPage;
}

/** Nobody types more; longer queries find nothing, as on the server. */
const MOST_TERMS = 64;
/** Folding is dear where it does nothing: most texts are plain already. */
const PLAIN = /^[\x20-\x7e\n]*$/;
const fold = (text: string) => (PLAIN.test(text) ? text.toLowerCase() : foldText(text));

export function indexSnapshot(data: CopiedData): SnapshotIndex {
  const rows = data.groups.flatMap((group) => {
    const groupName = fold(group.name);
    return group.entries.map((entry) => searchedOf(entry, group, groupName));
  });
  return {
    search({ query, page, perPage }) {
      const terms = parseSearch(query);
      if (terms.length === 0 || terms.length > MOST_TERMS) return pageOf([], 0, page, perPage);
      const text = searchedTexts(terms).join(' ');
      const found = rows.filter((row) => terms.every((term) => holds(row, term)));
      const ranked = found.map((row) => ({ row, rank: rankOf(row, text) })).sort(byRankAndChange);
      const shown = ranked.slice((page - 1) * perPage, page * perPage).map(({ row }) => searchRowOf(row));
      return pageOf(shown, found.length, page, perPage);
    },
  };
}

function searchedOf(entry: OfflineEntry, group: CopiedGroup, groupName: string): Searched {
  const { passwords, files } = entry;
  const fields = fieldsOf(entry);
  const lines = (texts: readonly string[]) => fold(texts.filter((text) => text !== '').join('\n'));
  return {
    entry,
    group,
    title: fold(entry.title),
    names: lines(fields.map(({ title }) => title)),
    logins: lines(passwords.map(({ login }) => login)),
    files: lines(files.map(({ file_name }) => file_name)),
    groupName,
    types: new Set(fields.map(({ type }) => type)),
  };
}

const EVERYWHERE = ['title', 'names', 'logins', 'files', 'groupName'] as const;
type Searchable = (typeof EVERYWHERE)[number];

const PLACES: Readonly<Record<SearchPlace, readonly Searchable[]>> = {
  title: ['title', 'names'],
  login: ['logins'],
  group: ['groupName'],
};

function holds(row: Searched, term: SearchTerm): boolean {
  const places = term.kind === 'type' || term.place === null ? EVERYWHERE : PLACES[term.place];
  const isThere =
    term.kind === 'type' ? row.types.has(term.type) : places.some((place) => row[place].includes(term.text));
  return isThere !== term.isExcluded;
}

/** Titles that begin with the text first, then those that contain it. */
function rankOf({ title }: Searched, text: string): number {
  if (title.startsWith(text)) return 0;
  return title.includes(text) ? 1 : 2;
}

interface Ranked {
  readonly row: Searched;
  readonly rank: number;
}

/** In each rank the newest change first. Times are ISO texts of one length, so they compare as texts. */
function byRankAndChange(a: Ranked, b: Ranked): number {
  const [one, other] = [a.row.entry, b.row.entry];
  if (a.rank !== b.rank) return a.rank - b.rank;
  if (one.updated_at !== other.updated_at) return one.updated_at < other.updated_at ? 1 : -1;
  return one.entry_id < other.entry_id ? -1 : 1;
}

function searchRowOf({ entry, group }: Searched): SearchRow {
  const { entry_group_id, name } = group;
  return {
    ...listedEntry(entry),
    entry_group: { entry_group_id, name },
    passwords: entry.passwords.map(listedField),
    links: entry.links.map(listedField),
    notes: entry.notes.map(listedField),
    files: entry.files.map(listedField),
    TOTPs: entry.TOTPs.map(listedField),
  };
}

function pageOf(data: SearchRow[], total: number, page: number, perPage: number): SearchPage {
  return { data, current_page: page, last_page: Math.max(1, Math.ceil(total / perPage)), per_page: perPage, total };
}
