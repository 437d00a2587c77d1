/** Where a group may be dropped. Rows and the root zone say in the markup which place they are; one rule says which of them will do. */
import { can } from '@passwordbroker/core/domain/policy';
import type { DropPlace, Point } from './group-drag.ts';
import { staysWhereItIs, type GroupNode, type GroupTree } from '../tree/group-tree.ts';

/** Id of the group that a row stands for; the root zone has an empty one. */
export const PLACE = 'data-drop-place';
/** The part of a row that fingers drag by. */
export const GRIP = 'data-grip';

export function groupAt(element: Element | null): string | null {
  const id = element?.closest(`[${PLACE}]`)?.getAttribute(PLACE) ?? '';
  return id === '' ? null : id;
}

/** The row of a group, while it is drawn. */
export function rowOf(groupId: string): HTMLElement | null {
  return document.querySelector(`[${PLACE}="${CSS.escape(groupId)}"]`)?.closest<HTMLElement>('[role=row]') ?? null;
}

export function placeAt({ x, y }: Point): DropPlace | null {
  const place = document.elementFromPoint(x, y)?.closest(`[${PLACE}]`)?.getAttribute(PLACE);
  return place === null || place === undefined ? null : { groupId: place === '' ? null : place };
}

export const mayBeMoved = (group: GroupNode | undefined): group is GroupNode =>
  group !== undefined && can(group.role, 'group.move');

/** Own child and same parent are silently refused: they are no places at all (docs/spec/product.md §4). */
export function mayDrop(tree: GroupTree, group: GroupNode, { groupId }: DropPlace): boolean {
  if (staysWhereItIs(tree, group, groupId)) return false;
  return groupId === null || mayBeMoved(tree.byId.get(groupId));
}
