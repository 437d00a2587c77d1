/** The caller's groups, with ancestors as `guest` (docs/spec/decisions.md G7). */
import type { TreeRole } from '@passwordbroker/core/domain/policy';
import type { Database } from '../db/database.ts';
import { readTreeLines, readTreeLinesOf } from './group-repository.ts';
import { ancestorsOf, compareTitles, idOf, parentIdOf } from '@passwordbroker/core/domain/groups/group-tree';

/** As JSON. */
export async function readTreeAnswer(db: Pick<Database, 'read'>, userId: string): Promise<string> {
  const forest = await readForest(db, userId);
  return `{"trees":${forest.toJson()}}`;
}

export async function readForest(db: Pick<Database, 'read'>, userId: string): Promise<Forest> {
  const forest = forestOf(await readTreeLines(db, userId));
  plant(forest, await readAbove(db, forest.idsAbove()));
  return forest;
}

const readAbove = async (db: Pick<Database, 'read'>, ids: readonly string[]): Promise<string> =>
  ids.length === 0 ? '' : (await readTreeLinesOf(db, ids)).filter((lines) => lines !== '').join('\n');

function forestOf(lines: string): Forest {
  const forest = new Forest();
  plant(forest, lines);
  return forest;
}

function plant(forest: Forest, lines: string): void {
  for (let at = 0; at < lines.length;) {
    const end = endOf(lines, '\n', at, lines.length);
    const pathEnd = endOf(lines, '\t', at, end);
    const titleEnd = endOf(lines, '\t', pathEnd + 1, end);
    const role = titleEnd === end ? 'guest' : (lines.slice(titleEnd + 1, end) as TreeRole);
    forest.add(lines.slice(at, pathEnd), lines.slice(pathEnd + 1, titleEnd), role);
    at = end + 1;
  }
}

function endOf(text: string, letter: string, from: number, end: number): number {
  const at = text.indexOf(letter, from);
  return at === -1 || at > end ? end : at;
}

/** Elements of a reference that name this: its id, and its name in NFC, which cannot begin as an id does. */
export function elementsOf(name: string, id: string): string[] {
  const normal = name.normalize('NFC');
  return normal.startsWith('id:') ? [`id:${id}`] : [normal, `id:${id}`];
}

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
  readonly #byElement = new Map<Node | null, Map<string, Node[]>>();

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

  /**
   * Groups with this path from a root; those that are shown for what is below them are left out.
   * @param elements NFC names, or 'id:<uuid>'
   */
  at(elements: readonly string[]): string[] {
    this.#nest();
    let found: readonly Node[] = [];
    for (const [level, element] of elements.entries())
      found = (level === 0 ? [null] : found).flatMap((parent) => this.#named(parent).get(element) ?? []);
    return found.filter(({ role }) => role !== 'guest').map(({ id }) => id);
  }

  /** Its children, by each element that names them. @param parent null: the roots */
  #named(parent: Node | null): ReadonlyMap<string, readonly Node[]> {
    let named = this.#byElement.get(parent);
    if (named !== undefined) return named;
    named = new Map();
    for (const node of parent === null ? this.#tops : (parent.children ?? []))
      for (const element of elementsOf(node.title, node.id)) {
        const same = named.get(element);
        if (same === undefined) named.set(element, [node]);
        else same.push(node);
      }
    this.#byElement.set(parent, named);
    return named;
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
