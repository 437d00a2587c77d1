/** Groups that become trees, as the text of an answer: a tree of thousands of groups is written once, and nobody walks it again. */
import { ancestorsOf, compareTitles, idOf, parentIdOf } from '@passwordbroker/core/domain/groups/group-tree';
import type { TreeRole } from '@passwordbroker/core/domain/policy';

interface Node {
  readonly id: string;
  readonly path: string;
  readonly title: string;
  /** The title as JSON writes it. */
  readonly titleText: string;
  readonly role: TreeRole;
  /** Null until there is one. */
  children: Node[] | null;
}

export class Forest {
  readonly #nodes = new Map<string, Node>();
  /** Those whose parent was not there when it was looked for last, or has not been looked for. */
  #tops: Node[] = [];

  /**
   * @param path ids from the root to the group itself, joined by dots
   * @param titleText the title as JSON writes it, with its quotes
   * @param role the person's own; `guest` where the group is only on the way to one of his
   */
  add(path: string, titleText: string, role: TreeRole): void {
    const id = idOf(path);
    const title = titleText.includes('\\') ? (JSON.parse(titleText) as string) : titleText.slice(1, -1);
    const node = { id, path, title, titleText, role, children: null };
    this.#nodes.set(id, node);
    this.#tops.push(node);
  }

  ids(): Iterable<string> {
    return this.#nodes.keys();
  }

  /** The groups above those that are there, without these. */
  idsAbove(): string[] {
    this.#nest();
    const above = new Set<string>();
    // Where the parent is there, its own path tells what is above.
    for (const { path } of this.#tops) for (const id of ancestorsOf(path)) if (!this.#nodes.has(id)) above.add(id);
    return [...above];
  }

  /** A list of `TreeNode` as JSON, each level sorted. A group without its parent in the list is a root. */
  toJson(): string {
    this.#nest();
    return textOf(this.#tops);
  }

  #nest(): void {
    this.#tops = this.#tops.filter((node) => {
      const parentId = parentIdOf(node.path);
      const parent = parentId === null ? undefined : this.#nodes.get(parentId);
      if (parent === undefined) return true;
      if (parent.children === null) parent.children = [node];
      else parent.children.push(node);
      return false;
    });
  }
}

function textOf(siblings: Node[]): string {
  if (siblings.length > 1) siblings.sort(compareTitles);
  let text = '[';
  for (const { id, path, titleText, role, children } of siblings) {
    if (text !== '[') text += ',';
    // Nothing but what the contract names. Ids, paths and roles hold no letter that JSON would escape.
    text += `{"entry_group_id":"${id}","title":${titleText},"materialized_path":"${path}","role":"${role}","children":${children === null ? '[]' : textOf(children)}}`;
  }
  return `${text}]`;
}
