import { useCallback } from 'react';
import type { TreeNode } from '@passwordbroker/core/contract/entities';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { loadingOf, type Loading } from '../../lib/loading.ts';
import { nextTurn } from '@passwordbroker/client/transport/next-turn';
import { useVault } from '../../vault/use-vault.ts';
import type { Vault } from '@passwordbroker/client/vault/vault';
import { groupTree, type GroupTree } from './group-tree.ts';

/** A local copy returns the same object each time, so it is sorted and rendered once. */
const sorted = new WeakMap<readonly TreeNode[], GroupTree>();

function sortedTree(trees: readonly TreeNode[]): GroupTree {
  const tree = sorted.get(trees) ?? groupTree(trees);
  sorted.set(trees, tree);
  return tree;
}

export function treeQuery(vault: Vault) {
  return queryOptions({
    queryKey: [vault.mode, 'tree'],
    queryFn: async ({ signal }) => {
      const trees = await vault.read.tree(signal);
      await nextTurn();
      return sortedTree(trees);
    },
    // Data at hand appears in the first rendering of the page.
    initialData: () => {
      const trees = vault.read.treeAtHand();
      return trees === null ? undefined : sortedTree(trees);
    },
    // Comparing the tree deeply with the last one would cost more than rendering it.
    structuralSharing: false,
    networkMode: 'always',
    retry: false,
    staleTime: 60_000,
  });
}

interface GroupTreeState {
  readonly state: Loading;
  readonly tree: GroupTree | null;
  /** Why the last request failed; the previous tree stays. */
  readonly problem: Error | null;
  readonly reload: () => void;
}

export function useGroupTree(): GroupTreeState {
  const query = useQuery(treeQuery(useVault()));
  const { refetch } = query;
  return {
    state: loadingOf(query),
    tree: query.data ?? null,
    problem: query.isFetching ? null : query.error,
    reload: useCallback(() => void refetch(), [refetch]),
  };
}

/** Reloads the tree and waits for it, so that a new group is there. */
export function useTreeReload(): () => Promise<void> {
  const vault = useVault();
  const client = useQueryClient();
  return useCallback(
    () => client.refetchQueries({ queryKey: treeQuery(vault).queryKey }, { throwOnError: false }),
    [client, vault],
  );
}
