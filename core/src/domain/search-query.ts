/**
 * What a person types into the search box, as terms that must all hold (decision H8). Words and "phrases" are looked for everywhere; `title:`,
 * `login:`, `group:` look in one place, `type:` asks for a kind of field, and a minus in front turns a term round.
 */
import { type FieldType, FIELD_TYPES } from './field-kinds.ts';
import { foldText } from './fold-text.ts';

export const SEARCH_PLACES = ['title', 'login', 'group'] as const;
export type SearchPlace = (typeof SEARCH_PLACES)[number];

export type SearchTerm = { readonly isExcluded: boolean } & (
  | { readonly kind: 'text'; readonly text: string; readonly place: SearchPlace | null }
  | { readonly kind: 'type'; readonly type: FieldType }
);

/** One term: a minus, a place, then a phrase in quotes (the last one may be open) or all up to the next blank. */
const TERM = /(?<minus>-)?(?:(?<place>[a-z]+):)?(?:"(?<phrase>[^"]*)(?:"|$)|(?<word>[^\s"]\S*))|(?<rest>\S+)/giu;

/**
 * Texts come folded (`foldText`). Whatever is no operator is taken as it stands: `http://x`, a lone minus, `type:` of an unknown kind.
 * `parseSearch('login:root -"old server"')` → root in logins, and nowhere 'old server'.
 */
export function parseSearch(query: string): readonly SearchTerm[] {
  const terms: SearchTerm[] = [];
  for (const { 0: whole, groups = {} } of query.matchAll(TERM)) terms.push(...termOf(whole, groups));
  // Folding may leave nothing of a lone accent.
  return terms.filter((term) => term.kind === 'type' || term.text !== '');
}

function termOf(whole: string, parts: Readonly<Record<string, string | undefined>>): readonly SearchTerm[] {
  const isExcluded = parts['minus'] !== undefined;
  const name = parts['place']?.toLowerCase();
  const text = parts['phrase'] ?? parts['word'];
  if (text === undefined || text.trim() === '') return whole.endsWith('""') ? [] : literal(whole);
  if (name === undefined) return [{ kind: 'text', text: foldText(text), place: null, isExcluded }];
  const place = SEARCH_PLACES.find((one) => one === name);
  if (place !== undefined) return [{ kind: 'text', text: foldText(text), place, isExcluded }];
  const type = FIELD_TYPES.find((one) => name === 'type' && one.toLowerCase() === text.toLowerCase());
  return type === undefined ? literal(whole) : [{ kind: 'type', type, isExcluded }];
}

/** No operator after all. */
const literal = (whole: string): readonly SearchTerm[] => {
  const text = foldText(whole).trim();
  return text === '' ? [] : [{ kind: 'text', text, place: null, isExcluded: false }];
};

/** What is looked for, as one text: titles that begin with it or contain it come first, and it is what a page of results marks. */
export function searchedTexts(terms: readonly SearchTerm[]): readonly string[] {
  return terms.flatMap((term) => (term.kind === 'text' && !term.isExcluded ? [term.text] : []));
}
