import { ancestorsOf, compareTitles, idOf, parentIdOf } from '@passwordbroker/core/domain/groups/group-tree';
import type { TreeRole } from '@passwordbroker/core/domain/policy';

interface Node {
  readonly id: string;
  readonly path: string;
  readonly title: string;
  /** As JSON. */
  readonly titleText: string;
  readonly role: TreeRole;
  children: Node[] | null;
}

export class Forest {
  readonly #nodes = new Map<string, Node>();
  /** Nodes whose parent is not known. */
  #tops: Node[] = [];

  /**
   * @param path ids from the root, joined by dots
   * @param titleText JSON
   * @param role `guest` for ancestors only
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

  /** Returns ids of ancestors that are missing here. */
  idsAbove(): string[] {
    this.#nest();
    const above = new Set<string>();
    for (const { path } of this.#tops) for (const id of ancestorsOf(path)) if (!this.#nodes.has(id)) above.add(id);
    return [...above];
  }

  /** Returns a sorted list of `TreeNode`. Groups whose parent is missing are roots. */
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
    // Ids, paths and roles need no escaping.
    text += `{"entry_group_id":"${id}","title":${titleText},"materialized_path":"${path}","role":"${role}","children":${children === null ? '[]' : textOf(children)}}`;
  }
  return `${text}]`;
}
