import { toFieldLists } from '@passwordbroker/core/domain/fields/field-kinds';
/** Searches an opened copy as the server does (docs/spec/decisions.md H8). */
import type { SearchRow } from '@passwordbroker/core/contract/entities';
import { dueStateOf, tagKey } from '@passwordbroker/core/domain/entry-marks';
import type { FieldType } from '@passwordbroker/core/domain/fields/field-kinds';
import {
  foldText,
  parseSearch,
  searchedTexts,
  type SearchScope,
  type SearchTerm,
} from '@passwordbroker/core/domain/search-text';
import { similarWord, type SimilarWord } from '@passwordbroker/core/domain/similar-words';
import { nextTurn } from '../../transport/waiting.ts';
import {
  loginOf,
  marksOf,
  timeOf,
  typeOf,
  type FieldRow,
  type PackedCopy,
  type PackedEntry,
  type PackedGroup,
} from './packed-copy.ts';
import { fieldsOf, listedEntry, listedField } from './snapshot.ts';

interface Searched {
  readonly entry: PackedEntry;
  readonly group: PackedGroup;
  readonly title: string;
  readonly names: string;
  readonly logins: string;
  readonly groupName: string;
  readonly everything: string;
  readonly types: ReadonlySet<FieldType>;
  readonly tags: readonly string[];
}

/** As `FoundPage` of the vault. */
interface SearchPage {
  readonly similar?: true;
  readonly data: SearchRow[];
  readonly current_page: number;
  readonly last_page: number;
  readonly per_page: number;
  readonly total: number;
}

export interface SnapshotIndex {
  search(request: { readonly query: string; readonly page: number; readonly perPage: number }): SearchPage;
  /** In the order of `entryIds`, without those that the copy lacks. */
  byId(entryIds: readonly string[]): SearchRow[];
}

/** Longer queries find nothing, as on the server. */
const MOST_TERMS = 64;
/** Entries indexed before other reads get a turn. */
const PORTION = 1_000;
/** Occurs in no text, so no term matches across two texts. */
const BETWEEN = '\u0000';
/** Folding is slow and does nothing for plain ASCII. */
const PLAIN = /^[\x20-\x7e\n]*$/;
const fold = (text: string) => (PLAIN.test(text) ? text.toLowerCase() : foldText(text));

export async function indexSnapshot(data: PackedCopy): Promise<SnapshotIndex> {
  const rows: Searched[] = [];
  for (const group of data.groups) {
    const groupName = fold(group.name);
    for (const entry of group.entries) {
      if (rows.push(searchedOf(entry, group, groupName)) % PORTION === 0) await nextTurn();
    }
  }
  rows.sort(byChange);
  return {
    search({ query, page, perPage }) {
      const terms = parseSearch(query);
      if (terms.length === 0 || terms.length > MOST_TERMS) return pageOf([], 0, page, perPage);
      const [text, now] = [searchedTexts(terms).join(' '), Date.now()];
      const ranks: [Searched[], Searched[], Searched[]] = [[], [], []];
      for (const row of rows) if (terms.every((term) => holds(row, term, now))) ranks[rankOf(row, text)].push(row);
      const exact = ranks.flat();
      const found = exact.length === 0 ? similarRows(rows, terms, now) : exact;
      const shown = found.slice((page - 1) * perPage, page * perPage).map((row) => searchRowOf(row, data));
      const answer = pageOf(shown, found.length, page, perPage);
      return exact.length === 0 && found.length > 0 ? { ...answer, similar: true } : answer;
    },
    byId(entryIds) {
      const wanted = new Set(entryIds);
      const found = new Map(rows.flatMap((row) => (wanted.has(row.entry.entry_id) ? [[row.entry.entry_id, row]] : [])));
      return [...wanted].flatMap((entryId) => {
        const row = found.get(entryId);
        return row === undefined ? [] : [searchRowOf(row, data)];
      });
    },
  };
}

function searchedOf(entry: PackedEntry, group: PackedGroup, groupName: string): Searched {
  const [entryTitle, , , fields] = entry.row;
  const title = fold(entryTitle);
  const names = lines(fields.map(([, , name]) => name));
  const logins = lines(fields.map(loginOf));
  const files = lines(fields.map(fileNameOf));
  const everything = [title, names, logins, files, groupName].join(BETWEEN);
  const tags = marksOf(entry).tags.map(tagKey);
  return { entry, group, title, names, logins, groupName, everything, types: new Set(fields.map(typeOf)), tags };
}

const lines = (texts: readonly string[]) => fold(texts.filter((text) => text !== '').join('\n'));

const fileNameOf = ([, , , , , , , , , , , own]: FieldRow) => (own !== null && 'file_name' in own ? own.file_name : '');

const PLACES: Readonly<Record<SearchScope, readonly ('title' | 'names' | 'logins' | 'groupName')[]>> = {
  title: ['title', 'names'],
  login: ['logins'],
  group: ['groupName'],
};

function holds(row: Searched, term: SearchTerm, now: number): boolean {
  return isThere(row, term, now) !== term.isExcluded;
}

function isThere(row: Searched, term: SearchTerm, now: number): boolean {
  if (term.kind === 'type') return row.types.has(term.type);
  if (term.kind === 'tag') return row.tags.includes(term.tag);
  if (term.kind === 'due') return dueStateOf(marksOf(row.entry).due_at, now) === term.due;
  if (term.scope === null) return row.everything.includes(term.text);
  return PLACES[term.scope].some((place) => row[place].includes(term.text));
}

/** Rows with misspelt words; none if no word is long enough. */
function similarRows(rows: readonly Searched[], terms: readonly SearchTerm[], now: number): readonly Searched[] {
  const words = terms.map((term) => (term.kind === 'text' && !term.isExcluded ? similarWord(term.text) : null));
  if (words.every((word) => word === null)) return [];
  return rows.filter((row) =>
    terms.every((term, at) => holds(row, term, now) || isSimilar(row, term, words[at] ?? null)),
  );
}

function isSimilar(row: Searched, term: SearchTerm, word: SimilarWord | null): boolean {
  if (word === null || term.kind !== 'text') return false;
  return term.scope === null ? word.isIn(row.everything) : PLACES[term.scope].some((place) => word.isIn(row[place]));
}

function rankOf({ title }: Searched, text: string): 0 | 1 | 2 {
  if (title.startsWith(text)) return 0;
  return title.includes(text) ? 1 : 2;
}

function byChange({ entry: a }: Searched, { entry: b }: Searched): number {
  const [one, other] = [a.row[2], b.row[2]];
  const order =
    typeof one === 'number' && typeof other === 'number' ? other - one : compare(timeOf(other), timeOf(one));
  return order || compare(a.entry_id, b.entry_id);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function searchRowOf({ entry, group }: Searched, data: PackedCopy): SearchRow {
  const { entry_group_id, name } = group;
  return {
    ...listedEntry(entry, group),
    entry_group: { entry_group_id, name },
    ...toFieldLists(fieldsOf(entry, group, data).map(listedField)),
  };
}

function pageOf(data: SearchRow[], total: number, page: number, perPage: number): SearchPage {
  return { data, current_page: page, last_page: Math.max(1, Math.ceil(total / perPage)), per_page: perPage, total };
}
