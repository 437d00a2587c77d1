import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { SeenBy } from '@passwordbroker/core/contract/entities';
import type { EntryPath } from '@passwordbroker/client/vault/vault';
import { useVault } from '../../vault/use-vault.ts';

const NONE: readonly SeenBy[] = [];

interface SeenByEntry {
  /** Of all fields of the entry, newest first; empty while loading and offline. */
  readonly rows: readonly SeenBy[];
  readonly isPending: boolean;
  readonly problem: Error | null;
  /** Call it after a reveal. */
  readonly reload: () => void;
}

/** One request for all fields of an open entry. @param isDue false: waits, for the fields to load first */
export function useSeenBy(path: EntryPath, isDue: boolean): SeenByEntry {
  const vault = useVault();
  const client = useQueryClient();
  const { entryId } = path;
  const { data, isPending, isFetching, error } = useQuery({
    queryKey: [vault.mode, 'seen by', entryId],
    queryFn: ({ signal }) => vault.read.seenBy(path, signal),
    enabled: isDue && vault.mode === 'online',
    networkMode: 'always',
    retry: false,
    staleTime: 0,
  });
  return {
    rows: data ?? NONE,
    isPending,
    problem: isFetching ? null : error,
    reload: useCallback(
      () => void client.invalidateQueries({ queryKey: [vault.mode, 'seen by', entryId] }),
      [client, vault.mode, entryId],
    ),
  };
}
