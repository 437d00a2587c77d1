import type { TreeNode } from '@passwordbroker/core/contract/entities';
import { compareTitles } from '@passwordbroker/core/domain/groups/group-tree';
import type { TreeRole } from '@passwordbroker/core/domain/policy';

export interface GroupNode {
  readonly id: string;
  readonly title: string;
  readonly role: TreeRole;
  readonly parentId: string | null;
  readonly children: readonly GroupNode[];
}

export interface GroupTree {
  readonly roots: readonly GroupNode[];
  readonly byId: ReadonlyMap<string, GroupNode>;
  /**
   * Groups without access, shown because the caller has access to a group below (docs/spec/decisions.md G7).
   */
  readonly guests: ReadonlySet<string>;
}

/** The caller's groups, sorted by title on every level (docs/spec/decisions.md G14), and by id. */
export function groupTree(trees: readonly TreeNode[]): GroupTree {
  const byId = new Map<string, GroupNode>();
  const guests = new Set<string>();
  const level = (nodes: readonly TreeNode[], parentId: string | null): readonly GroupNode[] =>
    nodes
      .map((node) => {
        const id = node.entry_group_id;
        const group: GroupNode = {
          id,
          title: node.title,
          role: node.role,
          parentId,
          children: level(node.children, id),
        };
        byId.set(id, group);
        if (node.role === 'guest') guests.add(id);
        return group;
      })
      .sort(compareTitles);
  return { roots: level(trees, null), byId, guests };
}

/** The groups above one, root first; empty for a root and for an unknown group. */
export function ancestorsOf(tree: GroupTree, id: string): readonly GroupNode[] {
  const found: GroupNode[] = [];
  let parentId = tree.byId.get(id)?.parentId ?? null;
  while (parentId !== null) {
    const parent = tree.byId.get(parentId);
    if (parent === undefined) break;
    found.unshift(parent);
    parentId = parent.parentId;
  }
  return found;
}

/** Index of a group among the shown rows; -1 while a group above it is closed. */
export function shownRowOf(tree: GroupTree, expanded: ReadonlySet<string>, id: string): number {
  let row = -1;
  const walk = (nodes: readonly GroupNode[]): boolean =>
    nodes.some((node) => {
      row += 1;
      return node.id === id || (expanded.has(node.id) && walk(node.children));
    });
  return walk(tree.roots) ? row : -1;
}

/** Ids of the group and all groups below it. */
export function groupsBelow(group: GroupNode): ReadonlySet<string> {
  const found = new Set<string>();
  const walk = (node: GroupNode) => {
    found.add(node.id);
    node.children.forEach(walk);
  };
  walk(group);
  return found;
}

/**
 * Whether a move to this target is silently refused: to itself, below itself, or to its parent (null: the
 * root).
 */
export function staysWhereItIs(tree: GroupTree, group: GroupNode, targetId: string | null): boolean {
  if (targetId === group.parentId || targetId === group.id) return true;
  return targetId !== null && ancestorsOf(tree, targetId).some((above) => above.id === group.id);
}

/** A group, for texts about it. */
export interface NamedGroup {
  readonly id: string;
  readonly title: string;
}

export interface VisibleGroup {
  readonly id: string;
  readonly group: GroupNode;
  /** null for a leaf or a closed group. */
  readonly children: readonly VisibleGroup[] | null;
}

/**
 * The rows of the tree, without children of closed groups. The returned function keeps the identity of
 * unchanged rows, so that React Aria skips them.
 */
export function showGroups() {
  const last = new WeakMap<GroupNode, VisibleGroup>();
  const show = (group: GroupNode, expanded: ReadonlySet<string>): VisibleGroup => {
    const isOpen = group.children.length > 0 && expanded.has(group.id);
    const children = isOpen ? group.children.map((child) => show(child, expanded)) : null;
    const before = last.get(group);
    if (before !== undefined && sameChildren(before.children, children)) return before;
    const shown = { id: group.id, group, children };
    last.set(group, shown);
    return shown;
  };
  return (roots: readonly GroupNode[], expanded: ReadonlySet<string>): readonly VisibleGroup[] =>
    roots.map((root) => show(root, expanded));
}

function sameChildren(a: readonly VisibleGroup[] | null, b: readonly VisibleGroup[] | null): boolean {
  if (a === null || b === null) return a === b;
  return a.length === b.length && a.every((child, index) => child === b[index]);
}
