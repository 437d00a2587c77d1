/** Drop targets of a dragged group. Rows and the root zone are marked in the DOM. */
import { can } from '@passwordbroker/core/domain/policy';
import type { DropPlace, Point } from './group-drag.ts';
import { staysWhereItIs, type GroupNode, type GroupTree } from '../tree/group-tree.ts';

/** Attribute with the group id of a row; empty on the root zone. */
export const PLACE = 'data-drop-place';
/** Attribute of the handle by which touch drags a row. */
export const GRIP = 'data-grip';

export function groupAt(element: Element | null): string | null {
  const id = element?.closest(`[${PLACE}]`)?.getAttribute(PLACE) ?? '';
  return id === '' ? null : id;
}

/** The rendered row of a group, or null. */
export function rowOf(groupId: string): HTMLElement | null {
  return document.querySelector(`[${PLACE}="${CSS.escape(groupId)}"]`)?.closest<HTMLElement>('[role=row]') ?? null;
}

export function placeAt({ x, y }: Point): DropPlace | null {
  const place = document.elementFromPoint(x, y)?.closest(`[${PLACE}]`)?.getAttribute(PLACE);
  return place === null || place === undefined ? null : { groupId: place === '' ? null : place };
}

export const mayBeMoved = (group: GroupNode | undefined): group is GroupNode =>
  group !== undefined && can(group.role, 'group.move');

/** The own child and the same parent are silently refused (docs/spec/product.md §4). */
export function mayDrop(tree: GroupTree, group: GroupNode, { groupId }: DropPlace): boolean {
  if (staysWhereItIs(tree, group, groupId)) return false;
  return groupId === null || mayBeMoved(tree.byId.get(groupId));
}
