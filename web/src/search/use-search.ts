import { useQuery } from '@tanstack/react-query';
import type { SearchRow } from '@passwordbroker/core/contract/entities';
import { loadingOf, type Loading } from '../lib/loading.ts';
import { useVault } from '../vault/use-vault.ts';
import type { SearchPath } from './search-path.ts';

interface FoundPage {
  readonly data: readonly SearchRow[];
  readonly current_page: number;
  readonly last_page: number;
  readonly per_page: number;
  readonly total: number;
}

interface Search {
  readonly state: Loading | 'await';
  /** The results. While another page of the same query loads, the last page. */
  readonly page: FoundPage | null;
  /** Whether another page is loading. */
  readonly isTurning: boolean;
  readonly problem: Error | null;
  readonly retry: () => void;
}

/**
 * Entry search (docs/spec/product.md §4). A change of query, page or page size aborts the running request.
 */
export function useSearch(path: SearchPath): Search {
  const vault = useVault();
  const query = useQuery({
    queryKey: [vault.mode, 'search', path.query, path.page, path.perPage],
    queryFn: ({ signal }) => vault.read.search(path, signal),
    enabled: path.query !== '',
    staleTime: 30_000,
    placeholderData: (last, lastQuery) => (lastQuery?.queryKey[2] === path.query ? last : undefined),
    networkMode: 'always',
    retry: false,
  });
  return {
    state: path.query === '' ? 'await' : loadingOf(query),
    page: query.data ?? null,
    isTurning: query.isPlaceholderData,
    problem: query.isFetching ? null : query.error,
    retry: () => void query.refetch(),
  };
}
