import { useEffect } from 'react';
import * as notices from '@passwordbroker/core/contract/account/notices';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { http } from '../page/page.ts';
import { useSession } from '../session/use-session.ts';
import { useVault } from '../vault/use-vault.ts';

const COUNT = ['notices', 'count'] as const;
const LIST = ['notices', 'list'] as const;
const MINUTE = 60_000;

/**
 * Read when the person moves to a page or returns to the tab, at most once a minute. A timer would keep a
 * session alive that should end after inactivity.
 */
export function useUnread(): number {
  const { user } = useSession();
  const { mode } = useVault();
  const { pathname } = useLocation();
  const client = useQueryClient();
  const query = useQuery({
    queryKey: COUNT,
    queryFn: ({ signal }) => http.call(notices.count, { signal }),
    enabled: user !== null && mode === 'online',
    networkMode: 'always',
    retry: false,
    refetchOnWindowFocus: true,
    staleTime: MINUTE,
  });
  useEffect(() => void client.refetchQueries({ queryKey: COUNT, stale: true, type: 'active' }), [client, pathname]);
  return query.data?.unread ?? 0;
}

const PAGE = 30;

export function useNotices() {
  const query = useInfiniteQuery({
    queryKey: LIST,
    queryFn: ({ signal, pageParam }) =>
      http.call(notices.listAll, {
        query: { limit: PAGE, ...(pageParam === null ? {} : { before: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ data }) => (data.length === PAGE ? data.at(-1)?.notice_id : undefined),
    networkMode: 'always',
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  return { ...query, rows: query.data?.pages.flatMap(({ data }) => data) ?? [] };
}

/** Returns a function that marks notices as read, and shows the new count in the header. */
export function useMarkRead() {
  const client = useQueryClient();
  return async (body: { readonly up_to: string; readonly only?: boolean }): Promise<void> => {
    client.setQueryData(COUNT, await http.call(notices.markRead, { body }));
    await client.invalidateQueries({ queryKey: LIST });
  };
}
