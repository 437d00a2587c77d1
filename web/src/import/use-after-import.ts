/** After an import: reloads the tree, opens the new tree, offers Undo in a toast. */
import { useMemo } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { activityLog } from '../activity-log/activity-log.ts';
import { tellDone, type TakingBack } from '../activity-log/tell.ts';
import { IMPORT_TEXTS as TEXTS } from '../texts/entries/import.ts';
import { useVault } from '../vault/use-vault.ts';
import type { Imported, VaultWrite } from '@passwordbroker/client/vault/vault';

/** Operations of the side panel. */
export interface TreeAround {
  readonly reload: () => Promise<void>;
  readonly openTree: (id: string) => void;
  /** Leaves the page of a group that is no longer in the tree. */
  readonly leaveGone: () => void;
}

export interface AfterImport {
  readonly show: (imported: Imported) => void;
  /** Call it after the summary is closed, because a modal dialog covers the toast. */
  readonly offerUndo: (imported: Imported) => void;
}

export function useAfterImport(write: VaultWrite, { reload, openTree, leaveGone }: TreeAround): AfterImport {
  const { mode } = useVault();
  const client = useQueryClient();
  return useMemo(() => {
    const refresh = () => Promise.all([reload(), client.invalidateQueries({ queryKey: [mode, 'search'] })]);
    const undoOf =
      ({ operation_id, name }: Imported): TakingBack =>
      async () => {
        await write.undo(operation_id);
        await refresh();
        leaveGone();
        return TEXTS.undone(name);
      };
    return {
      show({ name, entry_group_id }) {
        activityLog.add(TEXTS.log(name));
        void refresh().then(() => openTree(entry_group_id));
      },
      offerUndo(imported) {
        tellDone(TEXTS.toast(imported.counts.entries, imported.name), undoOf(imported), null);
      },
    };
  }, [mode, client, reload, openTree, leaveGone, write]);
}
