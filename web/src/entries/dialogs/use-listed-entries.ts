import { useMemo } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { Entry } from '@passwordbroker/core/contract/entities';
import { useVault } from '../../vault/use-vault.ts';

export interface ListedEntries {
  /** Refetches the lists of these groups and waits for them. Invalidates searches and trash. */
  reload(...groupIds: readonly string[]): Promise<void>;
  /** Removes entries from a cached list at once. */
  drop(groupId: string, entryIds: readonly string[]): void;
}

/** Updates cached lists of entries after a write. */
export function useListedEntries(): ListedEntries {
  const { mode } = useVault();
  const client = useQueryClient();
  return useMemo(
    () => ({
      async reload(...groupIds) {
        void client.invalidateQueries({ queryKey: [mode, 'search'] });
        void client.invalidateQueries({ queryKey: [mode, 'trash'] });
        await Promise.all(
          groupIds.map((groupId) => client.invalidateQueries({ queryKey: [mode, 'entries', groupId] })),
        );
      },
      drop(groupId, entryIds) {
        const gone = new Set(entryIds);
        client.setQueryData<readonly Entry[]>([mode, 'entries', groupId], (before) =>
          before?.filter((entry) => !gone.has(entry.entry_id)),
        );
        for (const entryId of entryIds) client.removeQueries({ queryKey: [mode, 'fields', entryId] });
      },
    }),
    [client, mode],
  );
}
