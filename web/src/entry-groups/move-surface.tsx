/** The tree with what move mode adds to it: the root zone, dragging, and the dialog that does the same by keyboard. */
import type { ReactNode } from 'react';
import type { VaultWrite } from '../vault/vault.ts';
import { DragGhost } from './drag-ghost.tsx';
import type { GroupTree } from './group-tree.ts';
import { MoveGroupDialog } from './move-group-dialog.tsx';
import { MoveModeBar } from './move-mode-bar.tsx';
import styles from './side-panel.module.css';
import { useMoveMode } from './use-move-mode.ts';

interface Props {
  readonly isOn: boolean;
  readonly onLeave: () => void;
  readonly tree: GroupTree;
  readonly write: VaultWrite;
  readonly onSelect: (id: string) => void;
  /** @param isMoving while a group is being moved */
  readonly children: (isMoving: boolean) => ReactNode;
}

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
