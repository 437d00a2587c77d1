/**
 * A group under way to another place. Kept outside of the components, so that only the two rows concerned are drawn again while the
 * pointer moves over a tree of thousands.
 */
import { useSyncExternalStore } from 'react';

/** A place to drop on: the id of a group, null for the root. */
export interface DropPlace {
  readonly groupId: string | null;
}

/** In pixels of the window. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

interface Drag {
  readonly groupId: string;
  readonly from: Point;
  /** The place under the pointer when the group may go there. */
  readonly over: DropPlace | null;
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
    hover(over: DropPlace | null) {
      if (drag !== null && !samePlace(drag.over, over)) replace({ ...drag, over });
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

const samePlace = (a: DropPlace | null, b: DropPlace | null) =>
  a === null || b === null ? a === b : a.groupId === b.groupId;

type GroupDrag = ReturnType<typeof createGroupDrag>;

/** The drag of this page; there is one pointer. */
export const groupDrag: GroupDrag = createGroupDrag();

/** What a place is in the present drag; null where it plays no part. */
export function useDragPart(place: DropPlace): 'dragged' | 'target' | null {
  return useSyncExternalStore(groupDrag.subscribe, () => {
    const drag = groupDrag.view();
    if (drag === null) return null;
    if (drag.groupId === place.groupId) return 'dragged';
    return drag.over !== null && drag.over.groupId === place.groupId ? 'target' : null;
  });
}

/** Id of the group under way. */
export function useDragged(): string | null {
  return useSyncExternalStore(groupDrag.subscribe, () => groupDrag.view()?.groupId ?? null);
}
