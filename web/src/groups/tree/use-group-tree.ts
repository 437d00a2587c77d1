/** The caller's tree from the server, sorted, with its loading state. */
import { useCallback } from 'react';
import type { TreeNode } from '@passwordbroker/core/contract/entities';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { loadingOf, type Loading } from '../../lib/loading.ts';
import { nextTurn } from '../../lib/next-turn.ts';
import { useVault } from '../../vault/use-vault.ts';
import type { Vault } from '../../vault/vault.ts';
import { groupTree, type GroupTree } from './group-tree.ts';

/** What a copy says it says with the same object: it is sorted once, and drawn once. */
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
    // What is at hand is in the first picture of the page.
    initialData: () => {
      const trees = vault.read.treeAtHand();
      return trees === null ? undefined : sortedTree(trees);
    },
    // The sorted tree is a graph of maps: comparing it deeply with the last one would cost more than drawing it.
    structuralSharing: false,
    networkMode: 'always',
    retry: false,
    staleTime: 60_000,
  });
}

interface GroupTreeState {
  readonly state: Loading;
  readonly tree: GroupTree | null;
  /** Why the last attempt failed; the tree of before stays on show. */
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

/** Asks for the tree again and waits for it: after it, what was just created is there. */
export function useTreeReload(): () => Promise<void> {
  const vault = useVault();
  const client = useQueryClient();
  return useCallback(
    () => client.refetchQueries({ queryKey: treeQuery(vault).queryKey }, { throwOnError: false }),
    [client, vault],
  );
}
