import { type ReactNode, useLayoutEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { Move } from 'lucide-react';
import { createPortal, flushSync } from 'react-dom';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import { GROUP_TEXTS as TEXTS } from '../../texts/groups/groups.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import type { GroupTree, GroupNode } from '../tree/group-tree.ts';
import styles from '../tree/side-panel.module.css';
import { FolderIcon } from '../tree/group-tree-view.tsx';
import { MoveGroupDialog } from './move-group-dialog.tsx';
import {
  DROP_TARGET,
  groupDrag,
  type Point,
  useDragged,
  useDragPart,
  dragGroup,
  GRIP,
  groupAt,
  mayBeMoved,
  rowOf,
  type DropTarget,
} from './group-drag.ts';
import moveModeStyles from './move-mode.module.css';
import { tellFailure } from '../../activity-log/activity-log.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { useGroupActions } from '../dialogs/use-group-actions.ts';

interface Props {
  readonly isOn: boolean;
  readonly onLeave: () => void;
  readonly tree: GroupTree;
  readonly write: VaultWrite;
  readonly onSelect: (id: string) => void;
  readonly children: (isMoving: boolean) => ReactNode;
}

/** The tree in move mode: root zone, dragging, and the dialog for the keyboard. */
export function MoveSurface({ isOn, onLeave, tree, write, onSelect, children }: Props) {
  const mode = useMoveMode({ isOn, onLeave, tree, write, onSelect });
  return (
    <div
      className={styles['surface']}
      role="presentation"
      onPointerDownCapture={mode.press}
      onKeyDownCapture={mode.pressKey}
    >
      {isOn && <MoveModeBar onDone={onLeave} />}
      {children(mode.isMoving)}
      {isOn && <DragGhost tree={tree} />}
      {mode.asked !== null && (
        <MoveGroupDialog group={mode.asked} tree={tree} write={write} onClose={mode.closeDialog} />
      )}
    </div>
  );
}

const ROOT_TARGET = { groupId: null };

/** Explains and ends move mode, and is the drop zone of the root (docs/spec/product.md §2). */
function MoveModeBar({ onDone }: { readonly onDone: () => void }) {
  const part = useDragPart(ROOT_TARGET);
  return (
    <>
      <div className={moveModeStyles['note']}>
        <Move size={14} aria-hidden="true" />
        <span>{TEXTS.moveHint}</span>
        <Button size="sm" variant="ghost" onPress={onDone}>
          {TEXTS.moveDone}
        </Button>
      </div>
      <div className={moveModeStyles['zone']} data-part={part} {...{ [DROP_TARGET]: '' }}>
        {TEXTS.dropZone}
      </div>
    </>
  );
}

/** The title of the dragged group beside the pointer. Moves without React, so that nothing renders. */
function DragGhost({ tree }: { readonly tree: GroupTree }) {
  const id = useDragged();
  const group = id === null ? undefined : tree.byId.get(id);
  return group === undefined ? null : <Ghost title={group.title} isLeaf={group.children.length === 0} />;
}

function Ghost({ title, isLeaf }: { readonly title: string; readonly isLeaf: boolean }) {
  const ghost = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const moveTo = ({ x, y }: Point) => {
      ghost.current?.style.setProperty('--ghost-x', `${x}px`);
      ghost.current?.style.setProperty('--ghost-y', `${y}px`);
    };
    const follow = ({ clientX: x, clientY: y }: globalThis.PointerEvent) => moveTo({ x, y });
    moveTo(groupDrag.view()?.from ?? { x: 0, y: 0 });
    addEventListener('pointermove', follow);
    return () => removeEventListener('pointermove', follow);
  }, []);
  return createPortal(
    <div ref={ghost} className={moveModeStyles['ghost']} aria-hidden="true">
      <FolderIcon kind={isLeaf ? 'leaf' : 'closed'} />
      <span>{title}</span>
    </div>,
    document.body,
  );
}

interface Panel {
  readonly isOn: boolean;
  readonly onLeave: () => void;
  readonly tree: GroupTree;
  readonly write: VaultWrite;
  readonly onSelect: (id: string) => void;
}

/** Move mode of the side panel (docs/spec/product.md §4): dragging, and the dialog for the keyboard. */
function useMoveMode({ isOn, onLeave, tree, write, onSelect }: Panel) {
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
