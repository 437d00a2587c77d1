import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { Move } from 'lucide-react';
import { createPortal } from 'react-dom';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import { GROUP_TEXTS as TEXTS } from '../../texts/groups/groups.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import type { GroupTree } from '../tree/group-tree.ts';
import styles from '../tree/side-panel.module.css';
import { FolderIcon } from '../tree/folder-icon.tsx';
import { MoveGroupDialog } from './move-group-dialog.tsx';
import { useMoveMode } from './use-move-mode.ts';
import { DROP_TARGET } from './drop-targets.ts';
import { groupDrag, type Point, useDragged, useDragPart } from './group-drag.ts';
import moveModeStyles from './move-mode.module.css';

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
    const follow = ({ clientX: x, clientY: y }: PointerEvent) => moveTo({ x, y });
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
