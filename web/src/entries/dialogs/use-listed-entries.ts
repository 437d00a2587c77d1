/** The lists of entries that are already loaded, after something was written. */
import { useMemo } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { Entry } from '@passwordbroker/core/contract/entities';
import { useVault } from '../../vault/use-vault.ts';

export interface ListedEntries {
  /** Asks for the lists of these groups again and waits for those on show; searches and histories are asked for when they are next shown. */
  reload(...groupIds: readonly string[]): Promise<void>;
  /** Takes entries out of a list at once: what is gone is not shown while the list is asked for. */
  drop(groupId: string, entryIds: readonly string[]): void;
}

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
