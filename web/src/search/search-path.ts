import { LIMITS } from '@passwordbroker/core/domain/limits';

export interface SearchPath {
  readonly query: string;
  readonly page: number;
  readonly perPage: number;
}

export const PER_PAGE_CHOICES = [20, 50, 100] as const;

/**
 * `/entrySearch/{query}?page=&perPage=` without defaults (docs/spec/product.md §2, §5); null for blank text.
 */
export function searchAddress({
  query,
  page = 1,
  perPage = LIMITS.pageDefault,
}: Partial<SearchPath> & { query: string }) {
  const words = query.trim();
  if (words === '') return null;
  const params = new URLSearchParams();
  if (page !== 1) params.set('page', String(page));
  if (perPage !== LIMITS.pageDefault) params.set('perPage', String(perPage));
  const tail = params.toString();
  return `/entrySearch/${encodeURIComponent(words)}${tail === '' ? '' : `?${tail}`}`;
}

/** Reads the route; an invalid number or one below 1 counts as absent. */
export function readSearchPath(query: string | undefined, params: URLSearchParams): SearchPath {
  return {
    query: (query ?? '').trim(),
    page: count(params.get('page')) ?? 1,
    perPage: Math.min(count(params.get('perPage')) ?? LIMITS.pageDefault, LIMITS.pageMax),
  };
}

function count(text: string | null): number | null {
  if (text === null || !/^\d{1,9}$/.test(text)) return null;
  const value = Number(text);
  return value >= 1 ? value : null;
}
