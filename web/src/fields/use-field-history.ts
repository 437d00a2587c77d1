/** The history of one field, newest first, page after page: each continues behind the last row of the one before. */
import { useInfiniteQuery } from '@tanstack/react-query';
import type { FieldHistory } from '@passwordbroker/core/contract/entities';
import { useVault } from '../vault/use-vault.ts';
import type { FieldPath } from '../vault/vault.ts';

const PAGE = 50;

interface FieldHistoryPages {
  readonly isPending: boolean;
  readonly rows: readonly FieldHistory[];
  readonly problem: Error | null;
  readonly isTurning: boolean;
  /** null: there are no older rows. */
  readonly older: (() => void) | null;
  readonly reload: () => Promise<void>;
}

export function useFieldHistory(path: FieldPath): FieldHistoryPages {
  const vault = useVault();
  const query = useInfiniteQuery({
    queryKey: [vault.mode, 'field history', path.field.field_id],
    queryFn: ({ signal, pageParam }) =>
      // One more than is shown tells whether there are older ones.
      vault.read.history(path, signal, { limit: PAGE + 1, ...(pageParam === null ? {} : { before: pageParam }) }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last.length > PAGE ? last[PAGE - 1]?.field_edit_log_id : undefined),
    networkMode: 'always',
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  const { refetch } = query;
  return {
    isPending: query.isPending,
    rows: query.data?.pages.flatMap((page) => page.slice(0, PAGE)) ?? [],
    problem: query.isFetching ? null : query.error,
    isTurning: query.isFetchingNextPage,
    older: query.hasNextPage ? () => void query.fetchNextPage() : null,
    async reload() {
      await refetch();
    },
  };
}
