/**
 * Parses the text of the search box into terms that must all match (ADR 21). Words and "phrases"
 * match anywhere; `title:`, `login:` and `group:` match in one place; `type:`, `tag:` and `due:`
 * match a property; a leading minus excludes. Quotes make text literal.
 */
import { type FieldType, FIELD_TYPES } from './fields/field-kinds.ts';
import { foldText } from './fold-text.ts';

export const SEARCH_SCOPES = ['title', 'login', 'group'] as const;
export type SearchScope = (typeof SEARCH_SCOPES)[number];

const DUE = ['week', 'late'] as const;

export type SearchTerm = { readonly isExcluded: boolean } & (
  | { readonly kind: 'text'; readonly text: string; readonly scope: SearchScope | null }
  | { readonly kind: 'type'; readonly type: FieldType }
  | AbsentTerm
);

/** A tag or due date. No entry has one yet, so it matches no entry; with a minus it matches all. */
type AbsentTerm =
  { readonly kind: 'tag'; readonly tag: string } | { readonly kind: 'due'; readonly due: (typeof DUE)[number] };

/**
 * One term: a minus, an operator, then a phrase (the last quote may be missing) or text up to the
 * next blank.
 */
const TERM = /(?<minus>-)?(?:(?<operator>[a-z]+):)?(?:"(?<phrase>[^"]*)(?:"|$)|(?<word>[^\s"]\S*))|(?<rest>\S+)/giu;

/**
 * Texts come folded (`foldText`). A word that no operator knows is text, as it stands: `http://x`,
 * a lone minus, `type:` of an unknown kind. `parseSearch('login:root -"old server"')` → root in
 * logins, and nowhere 'old server'; `parseSearch('"-old"')` → '-old'.
 */
export function parseSearch(query: string): readonly SearchTerm[] {
  const terms: SearchTerm[] = [];
  for (const { 0: whole, groups = {} } of query.matchAll(TERM)) terms.push(...termOf(whole, groups));
  // Folding may leave nothing of a lone accent.
  return terms.filter((term) => term.kind !== 'text' || term.text !== '');
}

function termOf(whole: string, parts: Readonly<Record<string, string | undefined>>): readonly SearchTerm[] {
  const isExcluded = parts['minus'] !== undefined;
  const value = parts['phrase'] ?? parts['word'];
  if (value === undefined || value.trim() === '')
    return whole.endsWith('""') ? [] : [textTerm(whole.trim(), null, false)];
  const operator = parts['operator']?.toLowerCase();
  if (operator === undefined) return [textTerm(value, null, isExcluded)];
  const scope = SEARCH_SCOPES.find((one) => one === operator);
  if (scope !== undefined) return [textTerm(value, scope, isExcluded)];
  const property = propertyTerm(operator, value);
  if (property !== null) return [{ ...property, isExcluded }];
  return [textTerm(isExcluded ? whole.slice(1) : whole, null, isExcluded)];
}

/** Null if the operator does not know the value. */
function propertyTerm(operator: string, value: string) {
  const name = value.toLowerCase();
  if (operator === 'type') {
    const type = FIELD_TYPES.find((one) => one.toLowerCase() === name);
    return type === undefined ? null : ({ kind: 'type', type } as const);
  }
  if (operator === 'tag') {
    const tag = foldText(value).trim();
    return tag === '' ? null : ({ kind: 'tag', tag } as const);
  }
  const due = operator === 'due' ? DUE.find((one) => one === name) : undefined;
  return due === undefined ? null : ({ kind: 'due', due } as const);
}

const textTerm = (text: string, scope: SearchScope | null, isExcluded: boolean): SearchTerm => ({
  kind: 'text',
  text: foldText(text),
  scope,
  isExcluded,
});

/** Whether a term is about tags or due dates, which entries do not have yet. */
export const isAbsent = (term: SearchTerm): term is SearchTerm & AbsentTerm =>
  term.kind === 'tag' || term.kind === 'due';

/** The texts to find; the server ranks by them, and the page highlights them. */
export function searchedTexts(terms: readonly SearchTerm[]): readonly string[] {
  return terms.flatMap((term) => (term.kind === 'text' && !term.isExcluded ? [term.text] : []));
}
