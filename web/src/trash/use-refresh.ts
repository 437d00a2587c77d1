import { useCallback } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useVault } from '../vault/use-vault.ts';

/**
 * Refetches all shown data after an operation that affects more than one list.
 * @param gone deleted groups, whose data is not refetched
 */
export function useRefresh(): (gone?: ReadonlySet<string>) => Promise<void> {
  const { mode } = useVault();
  const client = useQueryClient();
  return useCallback(
    (gone = new Set()) =>
      client.invalidateQueries({
        queryKey: [mode],
        // The third part of a query key about one group is its id.
        predicate: ({ queryKey: [, , about] }) => typeof about !== 'string' || !gone.has(about),
      }),
    [client, mode],
  );
}
