import { type DragEvent, useState } from 'react';
import { can } from '@passwordbroker/core/domain/policy';
import type { GroupNode } from '../groups/tree/group-tree.ts';

export interface EntryDrag {
  readonly fromGroupId: string;
  readonly onDrop: (targetId: string) => void;
}

/** The entries being dragged from the table; null if there are none. The tree has no other connection to the table. */
let drag: EntryDrag | null = null;

/** Handlers of the row that is dragged. @param start null where entries cannot be moved */
export function draggable(start: (() => EntryDrag) | null) {
  if (start === null) return {};
  return {
    draggable: true,
    onDragStart: (event: DragEvent) => {
      event.dataTransfer.effectAllowed = 'move';
      drag = start();
    },
    onDragEnd: () => (drag = null),
  };
}

/** Handlers of a group in the tree, and whether dragged entries are over it and may be dropped. */
export function useEntryDrop(group: GroupNode) {
  const [isOver, setOver] = useState(false);
  const may = () => drag !== null && drag.fromGroupId !== group.id && can(group.role, 'entry.write');
  const over = (event: DragEvent) => {
    if (!may()) return;
    event.preventDefault();
    setOver(true);
  };
  return {
    isOver,
    handlers: {
      onDragOver: over,
      onDragLeave: () => setOver(false),
      onDrop: (event: DragEvent) => {
        if (!may()) return;
        event.preventDefault();
        setOver(false);
        drag?.onDrop(group.id);
      },
    },
  };
}
