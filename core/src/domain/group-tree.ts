/** Groups as trees: order of titles, and a forest out of flat rows (decisions G7, G14). */
import type { Role, TreeRole } from './policy.ts';

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Order of titles on both sides: numbers by value, case and accents without weight, ties by id. */
export function compareTitles(
  a: { readonly title: string; readonly id: string },
  b: { readonly title: string; readonly id: string },
): number {
  return collator.compare(a.title, b.title) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

export interface GroupRow {
  readonly title: string;
  /** Ids from the root to the group itself, joined by dots. */
  readonly path: string;
  /** The person's own role; null where the group is only on the way to one of his. */
  readonly role: Role | null;
}

export interface GroupNode {
  readonly id: string;
  readonly title: string;
  readonly path: string;
  readonly role: TreeRole;
  readonly children: GroupNode[];
}

/** A forest of the rows, every level in order. A row whose parent is not among them is a root. */
export function buildTrees(rows: readonly GroupRow[]): GroupNode[] {
  const nodes = new Map<string, GroupNode>();
  for (const { title, path, role } of rows) {
    const id = idOf(path);
    nodes.set(id, { id, title, path, role: role ?? 'guest', children: [] });
  }
  const roots: GroupNode[] = [];
  for (const node of nodes.values()) {
    const parentId = parentIdOf(node.path);
    const parent = parentId === null ? undefined : nodes.get(parentId);
    (parent?.children ?? roots).push(node);
  }
  roots.sort(compareTitles);
  for (const node of nodes.values()) node.children.sort(compareTitles);
  return roots;
}

/** The group that a path leads to. */
export const idOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/** The group right above the one that a path leads to. */
export function parentIdOf(path: string): string | null {
  const end = path.lastIndexOf('.');
  return end === -1 ? null : path.slice(path.lastIndexOf('.', end - 1) + 1, end);
}

/** Ids above a group, the root first, without itself. */
export const ancestorsOf = (path: string): string[] => path.split('.').slice(0, -1);

/** Whether a group lies below another, or is it: by whole ids, never by the beginning of a text. */
export const isWithin = (path: string, ancestorId: string): boolean => path.split('.').includes(ancestorId);

/** The number of groups from the root to this one. */
export const depthOf = (path: string): number => path.split('.').length;
