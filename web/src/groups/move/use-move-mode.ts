/** Move mode of the side panel (docs/spec/product.md §4): dragging, the dialog that does the same by keyboard, a move under way. */
import { useState, type KeyboardEvent, type PointerEvent } from 'react';
import { flushSync } from 'react-dom';
import { tellFailure } from '../../activity-log/tell.ts';
import { reasonOf } from '../../lib/reason.ts';
import { GROUP_TEXTS as TEXTS } from '../../texts/groups.ts';
import type { VaultWrite } from '../../vault/vault.ts';
import { dragGroup } from './drag-group.ts';
import { GRIP, PLACE, groupAt, mayBeMoved, rowOf } from './drop-places.ts';
import type { DropPlace } from './group-drag.ts';
import type { GroupNode, GroupTree } from '../tree/group-tree.ts';
import { useGroupActs } from '../dialogs/use-group-acts.ts';

interface Panel {
  readonly isOn: boolean;
  readonly onLeave: () => void;
  readonly tree: GroupTree;
  readonly write: VaultWrite;
  readonly onSelect: (id: string) => void;
}

export function useMoveMode({ isOn, onLeave, tree, write, onSelect }: Panel) {
  const [isMoving, setMoving] = useState(false);
  /** Whose place is being asked for. */
  const [asked, setAsked] = useState<GroupNode | null>(null);
  const acts = useGroupActs(write);

  const drop = async (group: GroupNode, { groupId }: DropPlace) => {
    const target = groupId === null ? null : tree.byId.get(groupId);
    if (target === undefined) return;
    setMoving(true);
    try {
      await acts.move(group, target);
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

    /** In the capture phase: the tree itself would select at the press. Fingers drag by the grip; elsewhere they scroll. */
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
        onDrop: (place) => void drop(group, place),
        onClick: () => onSelect(group.id),
      });
    },

    /** M asks for the place of the group in focus, Escape leaves the mode. */
    pressKey: (event: KeyboardEvent) => {
      const { target, currentTarget, key } = event;
      // Dialogs of the panel lie elsewhere in the page.
      if (!isOn || !(target instanceof Element) || !currentTarget.contains(target)) return;
      if (key === 'Escape') onLeave();
      else if (key.toLowerCase() === 'm' && !event.ctrlKey && !event.metaKey && !event.altKey && !isMoving) {
        const row = target.closest('[role=row]');
        const group = row === null ? undefined : groupOf(row.querySelector(`[${PLACE}]`) ?? row);
        if (!mayBeMoved(group)) return;
        setAsked(group);
      } else return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}

/** The browser gives the focus back while React redraws and hears nothing: the tree would not know that the keys are its own again. */
function focusRow(groupId: string) {
  const row = rowOf(groupId);
  row?.blur();
  row?.focus();
}
