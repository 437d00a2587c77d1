import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { GroupHistory } from '@passwordbroker/core/contract/entities';
import { loadingOf, type Loading } from '../lib/loading.ts';
import { useVault } from '../vault/use-vault.ts';
import { type HistoryFilters, NO_FILTERS, requestOf } from './group-history-filters.tsx';

const HISTORY_PAGE = 50;

interface HistoryPage {
  readonly filters: HistoryFilters;
  /** Begins at the first page again. */
  readonly filter: (filters: HistoryFilters) => void;
  readonly state: Loading;
  readonly rows: readonly GroupHistory[];
  readonly problem: Error | null;
  /** Starts at 1. */
  readonly page: number;
  /** Another page is loading while the last one is shown. */
  readonly isTurning: boolean;
  /** null on the first page. */
  readonly newer: (() => void) | null;
  readonly older: (() => void) | null;
  readonly retry: () => void;
}

export function useGroupHistory(groupId: string): HistoryPage {
  const vault = useVault();
  const [filters, setFilters] = useState(NO_FILTERS);
  // The local copy cannot filter.
  const asked = vault.mode === 'online' ? requestOf(filters) : {};
  /** The last row of each page. The next page starts after it, so new rows do not shift pages. */
  const [behind, setBehind] = useState<readonly string[]>([]);
  const before = behind.at(-1);
  const query = useQuery({
    queryKey: [vault.mode, 'group history', groupId, asked, before ?? null],
    queryFn: ({ signal }) =>
      // One more row than shown tells whether there are older ones.
      vault.read.groupHistory(groupId, signal, {
        ...asked,
        limit: HISTORY_PAGE + 1,
        ...(before === undefined ? {} : { before }),
      }),
    placeholderData: keepPreviousData,
    networkMode: 'always',
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  const rows = query.data?.slice(0, HISTORY_PAGE) ?? [];
  const last = rows.at(-1)?.field_edit_log_id;
  const hasOlder = !query.isPlaceholderData && (query.data?.length ?? 0) > HISTORY_PAGE && last !== undefined;
  return {
    filters,
    filter(next) {
      setFilters(next);
      setBehind([]);
    },
    state: loadingOf(query),
    rows,
    problem: query.isFetching ? null : query.error,
    page: behind.length + 1,
    isTurning: query.isPlaceholderData && query.isFetching,
    newer: behind.length === 0 ? null : () => setBehind(behind.slice(0, -1)),
    older: hasOlder ? () => setBehind([...behind, last]) : null,
    retry: () => void query.refetch(),
  };
}
