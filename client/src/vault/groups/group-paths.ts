/** Paths of groups (names from the root), as the server's trees show them. `judgeGroup` compares them with the record. */
import type { TreeNode } from '@passwordbroker/core/contract/entities';

export interface GroupPaths {
  /** Takes the newest trees over. */
  take(trees: readonly TreeNode[]): void;
  /**
   * Names from the root. Fetches the trees if the group is not in those shown; rejects if that fails, because a group without its
   * path could be confirmed in the place of another. Empty: the group is in none.
   */
  pathOf(groupId: string): Promise<readonly string[]>;
  /** Ids of the groups above it, the nearest first. */
  parentsOf(groupId: string): Promise<readonly string[]>;
  /** Ids of the group and everything below it, as shown. */
  below(groupId: string): readonly string[];
  /** Adds a group that this page has made. */
  add(groupId: string, parentId: string | null, name: string): void;
  /** Drops the trees; the next `pathOf` fetches them. */
  forget(): void;
}

interface Place {
  readonly name: string;
  readonly parentId: string | null;
}

/** @param onMoved a group is shown at another path than the one that was told before: it is judged by that, too */
export function groupPaths(
  fetchTrees: () => Promise<readonly TreeNode[]>,
  onMoved: (groupId: string) => void,
): GroupPaths {
  let places = new Map<string, Place>();
  const told = new Map<string, string>();
  let asking: Promise<void> | null = null;

  function take(trees: readonly TreeNode[]) {
    const next = new Map<string, Place>();
    const waiting: [TreeNode, string | null][] = trees.map((node) => [node, null]);
    for (const [node, parentId] of waiting) {
      // The first one counts: a lying server could name a group below itself, and a path would have no end.
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
      .then(take)
      .finally(() => (asking = null));
    await asking;
  }

  function lineOf(groupId: string): readonly (Place & { readonly groupId: string })[] {
    const line: (Place & { groupId: string })[] = [];
    for (let id: string | null = groupId; id !== null;) {
      const place: Place | undefined = places.get(id);
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
    take,
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
