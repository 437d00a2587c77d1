import { type FieldType, FIELD_TYPES } from './fields/field-kinds.ts';
import { isAscii } from '../crypto/bytes.ts';

/**
 * Removes case and accents (docs/spec/decisions.md H8). Three folds make 'ẞ', 'ß' and 'ss', 'ﬁ' and 'fi', 'ς'
 * and 'σ' equal.
 */
export const foldText = (text: string): string =>
  isAscii(text)
    ? text.toLowerCase()
    : text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');

const SEARCH_SCOPES = ['title', 'login', 'group'] as const;
export type SearchScope = (typeof SEARCH_SCOPES)[number];

const DUE = ['week', 'late'] as const;

export type SearchTerm = { readonly isExcluded: boolean } & (
  | { readonly kind: 'text'; readonly text: string; readonly scope: SearchScope | null }
  | { readonly kind: 'type'; readonly type: FieldType }
  | { readonly kind: 'tag'; readonly tag: string }
  | { readonly kind: 'due'; readonly due: (typeof DUE)[number] }
);

const TERM = /(?<minus>-)?(?:(?<operator>[a-z]+):)?(?:"(?<phrase>[^"]*)(?:"|$)|(?<word>[^\s"]\S*))|(?<rest>\S+)/giu;

/**
 * Parses the search box into folded terms that must all match (ADR 21). Unknown operators are text.
 * `parseSearch('login:root -"old server"')` → root in logins, 'old server' nowhere.
 */
export function parseSearch(query: string): readonly SearchTerm[] {
  const terms: SearchTerm[] = [];
  for (const { 0: whole, groups = {} } of query.matchAll(TERM)) terms.push(...termOf(whole, groups));
  // Folding may remove a lone accent.
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

/** Null for an unknown value. */
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

/** To rank by and to highlight. */
export function searchedTexts(terms: readonly SearchTerm[]): readonly string[] {
  return terms.flatMap((term) => (term.kind === 'text' && !term.isExcluded ? [term.text] : []));
}
