/** What follows a finished import: the tree is reloaded, the new tree is opened, a toast offers to undo it. */
import { useCallback } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { activityLog } from '../activity-log/activity-log.ts';
import { IMPORT_TEXTS as TEXTS } from '../texts/import.ts';
import { toast } from '../ui/toast.ts';
import { useVault } from '../vault/use-vault.ts';
import type { Imported, VaultWrite } from '../vault/vault.ts';

/** What the side panel does for an import. */
export interface TreeAround {
  readonly reload: () => Promise<void>;
  readonly openGroup: (id: string) => void;
  /** Leaves a group's page when the group is not in the tree any more. */
  readonly leaveGone: () => void;
}

export function useAfterImport(
  write: VaultWrite,
  { reload, openGroup, leaveGone }: TreeAround,
): (imported: Imported) => void {
  const { mode } = useVault();
  const client = useQueryClient();
  return useCallback(
    (imported) => {
      const { name, counts, operation_id, entry_group_id } = imported;
      const refresh = () => Promise.all([reload(), client.invalidateQueries({ queryKey: [mode, 'search'] })]);
      const undo = async () => {
        try {
          await write.undo(operation_id);
          await refresh();
          leaveGone();
          activityLog.add(TEXTS.undone(name));
          toast(TEXTS.undone(name), { tone: 'success' });
        } catch (failure) {
          const text = TEXTS.undoFailed(failure instanceof Error ? failure.message : String(failure));
          activityLog.add(text, { isFailure: true });
          toast(text, { tone: 'danger' });
        }
      };
      activityLog.add(TEXTS.log(name));
      toast(TEXTS.toast(counts.entries, name), {
        tone: 'success',
        action: { label: TEXTS.undo, onPress: () => void undo() },
      });
      void refresh().then(() => openGroup(entry_group_id));
    },
    [mode, client, reload, openGroup, leaveGone, write],
  );
}
