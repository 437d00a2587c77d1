/** The person's own second factors, read and changed. */
import type { Factors } from '@passwordbroker/core/contract/account/factors';
import * as calls from '@passwordbroker/core/contract/account/factors';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { http, session } from '../page/page.ts';

const KEY = ['account', 'factors'] as const;

export function useFactors() {
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => http.call(calls.get, { signal }),
    networkMode: 'always',
    retry: false,
    staleTime: 0,
  });
}

/**
 * Call it after a change: shows the given factors, or reads them, and updates what the change has ended or
 * demanded elsewhere.
 */
export function useChangedFactors(): (factors?: Factors) => Promise<void> {
  const client = useQueryClient();
  return async (factors) => {
    if (factors !== undefined) client.setQueryData(KEY, factors);
    await Promise.all([
      client.invalidateQueries({ queryKey: ['account'] }),
      // Without the server's answer the banner stays until the next visit.
      session.refresh().catch(() => undefined),
    ]);
  };
}
