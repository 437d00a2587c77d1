/** Groups as trees: order of titles, and a forest out of flat rows (decisions G7, G14). */
import type { Role, TreeRole } from './policy.ts';

/** Made when two titles first need it: what it knows takes a browser longer to load than most trees take to be sorted. */
let collator: Intl.Collator | null = null;
const byLanguage = (a: string, b: string) =>
  (collator ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' })).compare(a, b);

interface Titled {
  readonly title: string;
  readonly id: string;
}

/** Order of titles on both sides: numbers by value, case and accents without weight, ties by id. */
export const compareTitles = (a: Titled, b: Titled): number => compare(a.title, a.id, b.title, b.id);

function compare(titleA: string, idA: string, titleB: string, idB: string): number {
  // Most titles differ in their first letter, and between two of these there is nothing to know about languages.
  const [letterA, letterB] = [firstLetter(titleA), firstLetter(titleB)];
  if (letterA !== letterB && letterA !== 0 && letterB !== 0) return letterA - letterB;
  return byLanguage(titleA, titleB) || (idA < idB ? -1 : idA > idB ? 1 : 0);
}

const CASE = 0x20;
const [A, Z] = [0x61, 0x7a];

/** One of a to z, whatever its case; 0 for anything else. */
function firstLetter(title: string): number {
  const code = title.charCodeAt(0) | CASE;
  return code >= A && code <= Z ? code : 0;
}

export interface GroupRow {
  readonly name: string;
  /** Ids from the root to the group itself, joined by dots. */
  readonly materialized_path: string;
}

export interface GroupNode {
  readonly entry_group_id: string;
  readonly title: string;
  readonly materialized_path: string;
  readonly role: TreeRole;
  readonly children: GroupNode[];
}

/** Groups that become trees. */
export class Forest {
  readonly #nodes = new Map<string, GroupNode>();

  /** @param role the person's own; none where the group is only on the way to one of his */
  add({ name, materialized_path }: GroupRow, role: Role | null): void {
    const id = idOf(materialized_path);
    this.#nodes.set(id, { entry_group_id: id, title: name, materialized_path, role: role ?? 'guest', children: [] });
  }

  /** The groups above those that are there, without these. */
  idsAbove(): string[] {
    const above = new Set<string>();
    for (const { materialized_path } of this.#nodes.values()) {
      const parentId = parentIdOf(materialized_path);
      // Where the parent is there, its own path tells what is above.
      if (parentId === null || this.#nodes.has(parentId)) continue;
      for (const id of ancestorsOf(materialized_path)) if (!this.#nodes.has(id)) above.add(id);
    }
    return [...above];
  }

  /** Nests them, once, every level in order. A group whose parent is not there is a root. */
  grow(): GroupNode[] {
    const roots: GroupNode[] = [];
    for (const node of this.#nodes.values()) {
      const parentId = parentIdOf(node.materialized_path);
      const parent = parentId === null ? undefined : this.#nodes.get(parentId);
      (parent?.children ?? roots).push(node);
    }
    roots.sort(byTitle);
    for (const { children } of this.#nodes.values()) if (children.length > 1) children.sort(byTitle);
    return roots;
  }
}

const byTitle = (a: GroupNode, b: GroupNode) => compare(a.title, a.entry_group_id, b.title, b.entry_group_id);

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
