import { expandedGroups } from '../tree/expanded-groups.ts';
import { mayDrop, dropTargetAt } from './drop-targets.ts';
import { groupDrag, type DropTarget, type Point } from './group-drag.ts';
import type { GroupNode, GroupTree } from '../tree/group-tree.ts';

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
