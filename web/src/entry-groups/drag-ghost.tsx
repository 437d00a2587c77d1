/** The group under way, beside the pointer. Its place is set past React: a frame of the drag draws nothing else. */
import { useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { FolderIcon } from './folder-icon.tsx';
import { groupDrag, useDragged, type Point } from './group-drag.ts';
import type { GroupTree } from './group-tree.ts';
import styles from './move-mode.module.css';

export function DragGhost({ tree }: { readonly tree: GroupTree }) {
  const id = useDragged();
  const group = id === null ? undefined : tree.byId.get(id);
  return group === undefined ? null : <Ghost title={group.title} isLeaf={group.children.length === 0} />;
}

function Ghost({ title, isLeaf }: { readonly title: string; readonly isLeaf: boolean }) {
  const ghost = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const place = ({ x, y }: Point) => {
      ghost.current?.style.setProperty('--ghost-x', `${x}px`);
      ghost.current?.style.setProperty('--ghost-y', `${y}px`);
    };
    const follow = ({ clientX: x, clientY: y }: PointerEvent) => place({ x, y });
    place(groupDrag.view()?.from ?? { x: 0, y: 0 });
    addEventListener('pointermove', follow);
    return () => removeEventListener('pointermove', follow);
  }, []);
  return createPortal(
    <div ref={ghost} className={styles['ghost']} aria-hidden="true">
      <FolderIcon kind={isLeaf ? 'leaf' : 'closed'} />
      <span>{title}</span>
    </div>,
    document.body,
  );
}
