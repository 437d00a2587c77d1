import { useSyncExternalStore } from 'react';

/** A drop target: group id, or null for the root. */
export interface DropTarget {
  readonly groupId: string | null;
}

/** In window pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

interface Drag {
  readonly groupId: string;
  readonly from: Point;
  /** The valid target under the pointer, or null. */
  readonly over: DropTarget | null;
}

function createGroupDrag() {
  let drag: Drag | null = null;
  const listeners = new Set<() => void>();
  const replace = (next: Drag | null) => {
    drag = next;
    for (const listener of listeners) listener();
  };
  return {
    view: () => drag,
    start: (groupId: string, from: Point) => replace({ groupId, from, over: null }),
    hover(over: DropTarget | null) {
      if (drag !== null && !sameTarget(drag.over, over)) replace({ ...drag, over });
    },
    end() {
      if (drag !== null) replace(null);
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

const sameTarget = (a: DropTarget | null, b: DropTarget | null) =>
  a === null || b === null ? a === b : a.groupId === b.groupId;

type GroupDrag = ReturnType<typeof createGroupDrag>;

/** The current drag, outside of components: only affected rows render while the pointer moves. */
export const groupDrag: GroupDrag = createGroupDrag();

/** Role of a target in the current drag; null if it has none. */
export function useDragPart(target: DropTarget): 'dragged' | 'target' | null {
  return useSyncExternalStore(groupDrag.subscribe, () => {
    const drag = groupDrag.view();
    if (drag === null) return null;
    if (drag.groupId === target.groupId) return 'dragged';
    return drag.over !== null && drag.over.groupId === target.groupId ? 'target' : null;
  });
}

/** Id of the dragged group. */
export function useDragged(): string | null {
  return useSyncExternalStore(groupDrag.subscribe, () => groupDrag.view()?.groupId ?? null);
}
