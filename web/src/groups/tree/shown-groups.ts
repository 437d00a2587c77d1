/**
 * The rows of the tree. Leaves out children of closed groups, so that large trees cost nothing
 * until expanded. Unchanged rows keep their identity, so that React Aria skips them.
 */
import type { GroupNode } from './group-tree.ts';

export interface ShownGroup {
  readonly id: string;
  readonly group: GroupNode;
  /** null for a leaf or a closed group. */
  readonly children: readonly ShownGroup[] | null;
}

/** @returns a function that reuses its previous rows */
export function showGroups() {
  const last = new WeakMap<GroupNode, ShownGroup>();
  const show = (group: GroupNode, expanded: ReadonlySet<string>): ShownGroup => {
    const isOpen = group.children.length > 0 && expanded.has(group.id);
    const children = isOpen ? group.children.map((child) => show(child, expanded)) : null;
    const before = last.get(group);
    if (before !== undefined && sameChildren(before.children, children)) return before;
    const shown = { id: group.id, group, children };
    last.set(group, shown);
    return shown;
  };
  return (roots: readonly GroupNode[], expanded: ReadonlySet<string>): readonly ShownGroup[] =>
    roots.map((root) => show(root, expanded));
}

function sameChildren(a: readonly ShownGroup[] | null, b: readonly ShownGroup[] | null): boolean {
  if (a === null || b === null) return a === b;
  return a.length === b.length && a.every((child, index) => child === b[index]);
}
