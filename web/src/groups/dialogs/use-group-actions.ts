import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import { tellDone, type TakingBack } from '../../activity-log/activity-log.ts';
import { GROUP_TEXTS as TEXTS } from '../../texts/groups/groups.ts';
import { useRefresh, shownGroup } from '../tree/use-group-tree.ts';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import { expandedGroups } from '../tree/expanded-groups.ts';
import { groupsBelow, type GroupNode, type GroupTree, type NamedGroup } from '../tree/group-tree.ts';

interface GroupActions {
  rename(group: NamedGroup, name: string): Promise<void>;
  /** Moves below another group, or to the root (null). No notice if the server silently refuses. */
  move(group: NamedGroup, target: NamedGroup | null): Promise<void>;
  /** Deletes with everything below; a page that shows any of it navigates to the parent. */
  remove(group: GroupNode, tree: GroupTree): Promise<void>;
}

/** Renames, moves and deletes groups, each with a notice that offers Undo. */
export function useGroupActions(write: VaultWrite): GroupActions {
  const refresh = useRefresh();
  const navigate = useNavigate();
  return useMemo(() => {
    const undoOf = (operationId: string | null, text: string): TakingBack | null =>
      operationId === null
        ? null
        : async () => {
            // After an error too: the data on the screen is outdated.
            await write.undo(operationId).finally(() => void refresh());
            return text;
          };
    return {
      async rename(group, name) {
        const { operationId } = await write.renameGroup(group.id, name);
        const undo = undoOf(operationId, TEXTS.renameUndone(group.title));
        tellDone(TEXTS.renamed(group.title, name), undo, TEXTS.updated(name));
        await refresh();
      },

      async move(group, target) {
        const { operationId, value } = await write.moveGroup(group.id, target?.id ?? null);
        if (!value.moved) return;
        const undo = undoOf(operationId, TEXTS.moveUndone(group.title));
        tellDone(TEXTS.moved(group.title, target?.title ?? null), undo, TEXTS.updated(group.title));
        if (target !== null) expandedGroups.open([target.id]);
        await refresh();
      },

      async remove(group, tree) {
        const { operation_id } = await write.removeGroup(group.id);
        const gone = groupsBelow(group);
        tellDone(TEXTS.removed(group.title), undoOf(operation_id, TEXTS.removeUndone(group.title)));
        const parent = group.parentId === null ? undefined : tree.byId.get(group.parentId);
        const next = parent === undefined || parent.role === 'guest' ? '/' : `/entryGroup/${parent.id}`;
        if (gone.has(shownGroup() ?? '')) await navigate(next);
        await refresh(gone);
      },
    };
  }, [write, refresh, navigate]);
}
