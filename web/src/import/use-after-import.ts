/** What follows a finished import: the tree is reloaded, the new tree is opened, a toast offers to undo it. */
import { useMemo } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { activityLog } from '../activity-log/activity-log.ts';
import { tellDone, type TakingBack } from '../activity-log/tell.ts';
import { IMPORT_TEXTS as TEXTS } from '../texts/import.ts';
import { useVault } from '../vault/use-vault.ts';
import type { Imported, VaultWrite } from '../vault/vault.ts';

/** What the side panel does for an import. */
export interface TreeAround {
  readonly reload: () => Promise<void>;
  /** Opens a tree of its own: its page, and in the panel what lies in it. */
  readonly openTree: (id: string) => void;
  /** Leaves a group's page when the group is not in the tree any more. */
  readonly leaveGone: () => void;
}

export interface AfterImport {
  readonly show: (imported: Imported) => void;
  /** Once the summary is closed: a modal dialog lies over the notices, and five seconds are short. */
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
