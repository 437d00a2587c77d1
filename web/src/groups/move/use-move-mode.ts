import { useState, type KeyboardEvent, type PointerEvent } from 'react';
import { flushSync } from 'react-dom';
import { tellFailure } from '../../activity-log/activity-log.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { GROUP_TEXTS as TEXTS } from '../../texts/groups/groups.ts';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import { dragGroup } from './drag-group.ts';
import { GRIP, DROP_TARGET, groupAt, mayBeMoved, rowOf } from './drop-targets.ts';
import type { DropTarget } from './group-drag.ts';
import type { GroupNode, GroupTree } from '../tree/group-tree.ts';
import { useGroupActions } from '../dialogs/use-group-actions.ts';

interface Panel {
  readonly isOn: boolean;
  readonly onLeave: () => void;
  readonly tree: GroupTree;
  readonly write: VaultWrite;
  readonly onSelect: (id: string) => void;
}

/** Move mode of the side panel (docs/spec/product.md §4): dragging, and the dialog for the keyboard. */
export function useMoveMode({ isOn, onLeave, tree, write, onSelect }: Panel) {
  const [isMoving, setMoving] = useState(false);
  /** The group that the move dialog is open for. */
  const [asked, setAsked] = useState<GroupNode | null>(null);
  const actions = useGroupActions(write);

  const drop = async (group: GroupNode, { groupId }: DropTarget) => {
    const target = groupId === null ? null : tree.byId.get(groupId);
    if (target === undefined) return;
    setMoving(true);
    try {
      await actions.move(group, target);
    } catch (failure) {
      tellFailure(TEXTS.moveFailed(reasonOf(failure)));
    } finally {
      setMoving(false);
    }
  };
  const groupOf = (element: EventTarget) => tree.byId.get(element instanceof Element ? (groupAt(element) ?? '') : '');

  return {
    isMoving,
    asked,
    closeDialog: () => {
      flushSync(() => setAsked(null));
      focusRow(asked?.id ?? '');
    },

    /** In the capture phase, because the tree selects on press. Touch drags only by the handle. */
    press: (event: PointerEvent<HTMLElement>) => {
      const { target, currentTarget: surface, button, pointerType, nativeEvent } = event;
      const group = groupOf(target);
      if (!isOn || isMoving || button !== 0) return;
      if (!(target instanceof Element) || !mayBeMoved(group) || target.closest('button') !== null) return;
      if (pointerType === 'touch' && target.closest(`[${GRIP}]`) === null) return;
      event.stopPropagation();
      dragGroup(nativeEvent, {
        group,
        tree,
        surface,
        onDrop: (target) => void drop(group, target),
        onClick: () => onSelect(group.id),
      });
    },

    /** M opens the move dialog of the focused group; Escape leaves move mode. */
    pressKey: (event: KeyboardEvent) => {
      const { target, currentTarget, key } = event;
      // Ignores keys in dialogs, which React bubbles through here.
      if (!isOn || !(target instanceof Element) || !currentTarget.contains(target)) return;
      if (key === 'Escape') onLeave();
      else if (key.toLowerCase() === 'm' && !event.ctrlKey && !event.metaKey && !event.altKey && !isMoving) {
        const row = target.closest('[role=row]');
        const group = row === null ? undefined : groupOf(row.querySelector(`[${DROP_TARGET}]`) ?? row);
        if (!mayBeMoved(group)) return;
        setAsked(group);
      } else return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}

/** Blur first: React Aria misses the focus event while React renders, and would ignore the keys. */
function focusRow(groupId: string) {
  const row = rowOf(groupId);
  row?.blur();
  row?.focus();
}
