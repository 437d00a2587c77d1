import { can } from '@passwordbroker/core/domain/policy';
import type { DropTarget, Point } from './group-drag.ts';
import { staysWhereItIs, type GroupNode, type GroupTree } from '../tree/group-tree.ts';

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

export function dropTargetAt({ x, y }: Point): DropTarget | null {
  const target = document.elementFromPoint(x, y)?.closest(`[${DROP_TARGET}]`)?.getAttribute(DROP_TARGET);
  return target === null || target === undefined ? null : { groupId: target === '' ? null : target };
}

export const mayBeMoved = (group: GroupNode | undefined): group is GroupNode =>
  group !== undefined && can(group.role, 'group.move');

/** The own child and the same parent are silently refused (docs/spec/product.md §4). */
export function mayDrop(tree: GroupTree, group: GroupNode, { groupId }: DropTarget): boolean {
  if (staysWhereItIs(tree, group, groupId)) return false;
  return groupId === null || mayBeMoved(tree.byId.get(groupId));
}
