/** Paths of groups (names from the root) in the server's trees. */
import type { TreeNode } from '@passwordbroker/core/contract/entities';

export interface GroupPaths {
  setTrees(trees: readonly TreeNode[]): void;
  /**
   * Empty: in no tree. Fetches the trees for an unknown group and rejects if that fails: without its path it
   * could be confirmed as another group.
   */
  pathOf(groupId: string): Promise<readonly string[]>;
  /** Ids of its parents, nearest first. */
  parentsOf(groupId: string): Promise<readonly string[]>;
  /** Ids of the group and all groups below it. */
  below(groupId: string): readonly string[];
  add(groupId: string, parentId: string | null, name: string): void;
  /** Drops the trees; the next `pathOf` fetches them. */
  forget(): void;
}

interface GroupPosition {
  readonly name: string;
  readonly parentId: string | null;
}

/** @param onMoved a group's path is no longer the one that `pathOf` returned */
export function groupPaths(
  fetchTrees: () => Promise<readonly TreeNode[]>,
  onMoved: (groupId: string) => void,
): GroupPaths {
  let places = new Map<string, GroupPosition>();
  const told = new Map<string, string>();
  let asking: Promise<void> | null = null;

  function setTrees(trees: readonly TreeNode[]) {
    const next = new Map<string, GroupPosition>();
    const waiting: [TreeNode, string | null][] = trees.map((node) => [node, null]);
    for (const [node, parentId] of waiting) {
      // Keeps the first: a lying server could list a group below itself, which would make its path endless.
      if (next.has(node.entry_group_id)) continue;
      next.set(node.entry_group_id, { name: node.title, parentId });
      for (const child of node.children) waiting.push([child, node.entry_group_id]);
    }
    places = next;
    for (const [groupId, path] of told) {
      if (JSON.stringify(namesOf(groupId)) === path) continue;
      told.delete(groupId);
      onMoved(groupId);
    }
  }

  async function look(groupId: string) {
    if (places.has(groupId)) return;
    asking ??= fetchTrees()
      .then(setTrees)
      .finally(() => (asking = null));
    await asking;
  }

  function lineOf(groupId: string): readonly (GroupPosition & { readonly groupId: string })[] {
    const line: (GroupPosition & { groupId: string })[] = [];
    for (let id: string | null = groupId; id !== null;) {
      const place: GroupPosition | undefined = places.get(id);
      if (place === undefined) break;
      line.push({ ...place, groupId: id });
      id = place.parentId;
    }
    return line;
  }

  const namesOf = (groupId: string) =>
    lineOf(groupId)
      .map(({ name }) => name)
      .toReversed();

  return {
    setTrees,
    async pathOf(groupId) {
      await look(groupId);
      const names = namesOf(groupId);
      told.set(groupId, JSON.stringify(names));
      return names;
    },
    async parentsOf(groupId) {
      await look(groupId);
      return lineOf(groupId)
        .slice(1)
        .map((one) => one.groupId);
    },
    below: (groupId) =>
      [...places.keys()].filter((id) => id === groupId || lineOf(id).some((one) => one.groupId === groupId)),
    add: (groupId, parentId, name) => void places.set(groupId, { name, parentId }),
    forget: () => places.clear(),
  };
}
