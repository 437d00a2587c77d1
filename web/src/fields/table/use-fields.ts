import { useCallback } from 'react';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Field } from '@passwordbroker/core/contract/entities';
import { loadingOf, type Loading } from '../../lib/loading.ts';
import { useVault } from '../../vault/use-vault.ts';
import type { EntryPath, Vault } from '@passwordbroker/client/vault/vault';

function fieldsQuery(vault: Vault, path: EntryPath) {
  return queryOptions({
    queryKey: [vault.mode, 'fields', path.entryId],
    queryFn: ({ signal }) => vault.read.fields(path, signal),
    networkMode: 'always',
    retry: false,
    staleTime: 15_000,
  });
}

interface FieldsState {
  readonly state: Loading;
  readonly fields: readonly Field[];
  readonly problem: Error | null;
  readonly reload: () => void;
}

/** The fields of one entry: titles and parameters, no values. */
export function useFields(path: EntryPath): FieldsState {
  const query = useQuery(fieldsQuery(useVault(), path));
  const { refetch } = query;
  return {
    state: loadingOf(query),
    fields: query.data ?? [],
    problem: query.isFetching ? null : query.error,
    reload: useCallback(() => void refetch(), [refetch]),
  };
}

/** Refetches after a write and waits for it. */
export function useFieldsReload(path: EntryPath): () => Promise<void> {
  const vault = useVault();
  const client = useQueryClient();
  const { entryId, entryGroupId } = path;
  return useCallback(async () => {
    await Promise.all([
      client.refetchQueries({ queryKey: [vault.mode, 'fields', entryId] }, { throwOnError: false }),
      client.invalidateQueries({ queryKey: [vault.mode, 'entries', entryGroupId] }),
    ]);
  }, [client, vault, entryId, entryGroupId]);
}
