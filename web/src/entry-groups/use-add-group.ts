/** Creates a group with its own key, then shows it: tree reloaded, everything above it open, selected. */
import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { activityLog } from '../activity-log/activity-log.ts';
import { EntryCancelled } from '../master-password/master-password.ts';
import { useMasterPassword } from '../master-password/use-master-password.ts';
import { ENTRY_GROUP_TEXTS as TEXTS } from '../texts/entry-groups.ts';
import { useVault } from '../vault/use-vault.ts';
import type { NewGroup } from '../vault/vault.ts';
import { expandedGroups } from './expanded-groups.ts';
import { useTreeReload } from './use-group-tree.ts';

/** @returns false when the person closed the master password prompt: nothing was created, the form stays */
export function useAddGroup(): (group: NewGroup) => Promise<boolean> {
  const { write } = useVault();
  const masterPassword = useMasterPassword();
  const reloadTree = useTreeReload();
  const navigate = useNavigate();
  return useCallback(
    async (group) => {
      if (write === null) return false;
      try {
        const label = TEXTS.pendingAction(group.name);
        const created = await masterPassword.use(() => write.createGroup(group), { label });
        activityLog.add(TEXTS.added(group.name));
        if (group.parentId !== null) expandedGroups.open([group.parentId]);
        await reloadTree();
        void navigate(`/entryGroup/${created.entryGroup.entry_group_id}`);
        return true;
      } catch (failure) {
        if (failure instanceof EntryCancelled) return false;
        throw failure;
      }
    },
    [write, masterPassword, reloadTree, navigate],
  );
}
