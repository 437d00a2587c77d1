import { useSyncExternalStore } from 'react';
import { can } from '@passwordbroker/core/domain/policy';
import { staysWhereItIs, type GroupNode, type GroupTree } from '../tree/group-tree.ts';
import { expandedGroups } from '../tree/expanded-groups.ts';

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

/** Attribute with the group id of a row; empty on the root zone. */
export const DROP_TARGET = 'data-drop-target';
/** Attribute of the handle by which touch drags a row. */
export const GRIP = 'data-grip';

export function groupAt(element: Element | null): string | null {
  const id = element?.closest(`[${DROP_TARGET}]`)?.getAttribute(DROP_TARGET) ?? '';
  return id === '' ? null : id;
}

export function rowOf(groupId: string): HTMLElement | null {
  return (
    document.querySelector(`[${DROP_TARGET}="${CSS.escape(groupId)}"]`)?.closest<HTMLElement>('[role=row]') ?? null
  );
}

function dropTargetAt({ x, y }: Point): DropTarget | null {
  const target = document.elementFromPoint(x, y)?.closest(`[${DROP_TARGET}]`)?.getAttribute(DROP_TARGET);
  return target === null || target === undefined ? null : { groupId: target === '' ? null : target };
}

export const mayBeMoved = (group: GroupNode | undefined): group is GroupNode =>
  group !== undefined && can(group.role, 'group.move');

/** The own child and the same parent are silently refused (docs/spec/product.md §4). */
function mayDrop(tree: GroupTree, group: GroupNode, { groupId }: DropTarget): boolean {
  if (staysWhereItIs(tree, group, groupId)) return false;
  return groupId === null || mayBeMoved(tree.byId.get(groupId));
}

/** Largest movement in pixels that still counts as a click. */
const CLICK_PX = 5;
/** Distance from an edge at which the tree scrolls; closer is faster. */
const EDGE_PX = 36;
const FASTEST_PX = 14;
/** Hovering this long over a closed group opens it. */
const OPEN_MS = 700;

interface Options {
  readonly group: GroupNode;
  readonly tree: GroupTree;
  /** The element around tree and root zone; it captures the pointer while dragging. */
  readonly surface: HTMLElement;
  readonly onDrop: (target: DropTarget) => void;
  readonly onClick: () => void;
}

/** One drag, from press to release of the pointer. A press without movement is a click. */
export function dragGroup(press: PointerEvent, { group, tree, surface, onDrop, onClick }: Options): void {
  const start: Point = { x: press.clientX, y: press.clientY };
  const list = surface.querySelector('[role=treegrid]');
  const over = new AbortController();
  let at = start;
  let isDragging = false;
  let opening: { readonly id: string | null; readonly timer: ReturnType<typeof setTimeout> } | null = null;

  const openLater = (id: string | null) => {
    if (opening?.id === id) return;
    if (opening !== null) clearTimeout(opening.timer);
    opening = { id, timer: setTimeout(() => id !== null && id !== group.id && expandedGroups.open([id]), OPEN_MS) };
  };
  const look = () => {
    const target = dropTargetAt(at);
    groupDrag.hover(target !== null && mayDrop(tree, group, target) ? target : null);
    openLater(target?.groupId ?? null);
  };
  const scroll = () => {
    if (over.signal.aborted || list === null) return;
    const { top, bottom } = list.getBoundingClientRect();
    const down = Math.max(0, at.y - (bottom - EDGE_PX)) - Math.max(0, top + EDGE_PX - at.y);
    if (isDragging && down !== 0 && at.y > top - EDGE_PX) {
      list.scrollBy(0, Math.max(-FASTEST_PX, Math.min(FASTEST_PX, down / 2)));
      look();
    }
    requestAnimationFrame(scroll);
  };
  const end = () => {
    over.abort();
    if (opening !== null) clearTimeout(opening.timer);
    groupDrag.end();
  };
  const move = (event: PointerEvent) => {
    if (event.pointerId !== press.pointerId) return;
    at = { x: event.clientX, y: event.clientY };
    if (!isDragging) {
      if (Math.hypot(at.x - start.x, at.y - start.y) < CLICK_PX) return;
      isDragging = true;
      surface.setPointerCapture(press.pointerId);
      groupDrag.start(group.id, at);
      requestAnimationFrame(scroll);
    }
    look();
  };
  const release = (event: PointerEvent) => {
    if (event.pointerId !== press.pointerId) return;
    const target = groupDrag.view()?.over ?? null;
    end();
    if (!isDragging) onClick();
    else if (target !== null) onDrop(target);
  };
  const escape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    end();
  };
  const { signal } = over;
  addEventListener('pointermove', move, { signal });
  addEventListener('pointerup', release, { signal });
  addEventListener('pointercancel', end, { signal });
  addEventListener('keydown', escape, { signal, capture: true });
}
