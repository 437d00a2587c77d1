/** After an act that reaches beyond one list: everything on show is asked for again, the rest when it is next shown. */
import { useCallback } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useVault } from '../vault/use-vault.ts';

/** @param gone groups that are not there any more: what is still on show of them is not asked for */
export function useRefresh(): (gone?: ReadonlySet<string>) => Promise<void> {
  const { mode } = useVault();
  const client = useQueryClient();
  return useCallback(
    (gone = new Set()) =>
      client.invalidateQueries({
        queryKey: [mode],
        // The third part of a key that speaks of one group is its id.
        predicate: ({ queryKey: [, , about] }) => typeof about !== 'string' || !gone.has(about),
      }),
    [client, mode],
  );
}
