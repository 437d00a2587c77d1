import { useCallback, useMemo } from 'react';
import type { TreeNode } from '@passwordbroker/core/contract/entities';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { loadingOf, type Loading } from '../../lib/loading.ts';
import { nextTurn } from '@passwordbroker/client/transport/waiting';
import { useVault } from '../../vault/use-vault.ts';
import type { Vault } from '@passwordbroker/client/vault/vault';
import { groupTree, type GroupTree } from './group-tree.ts';
import { useNavigate } from 'react-router';
import { expandedGroups } from './expanded-groups.ts';

/** A local copy returns the same object each time, so it is sorted and rendered once. */
const sorted = new WeakMap<readonly TreeNode[], GroupTree>();

function sortedTree(trees: readonly TreeNode[]): GroupTree {
  const tree = sorted.get(trees) ?? groupTree(trees);
  sorted.set(trees, tree);
  return tree;
}

function treeQuery(vault: Vault) {
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

/**
 * Refetches all shown data after an operation that affects more than one list.
 * @param gone deleted groups, whose data is not refetched
 */
export function useRefresh(): (gone?: ReadonlySet<string>) => Promise<void> {
  const { mode } = useVault();
  const client = useQueryClient();
  return useCallback(
    (gone = new Set()) =>
      client.invalidateQueries({
        queryKey: [mode],
        // The third part of a query key about one group is its id.
        predicate: ({ queryKey: [, , about] }) => typeof about !== 'string' || !gone.has(about),
      }),
    [client, mode],
  );
}

/** Id of the group whose page is shown, or null. */
export const shownGroup = (): string | null =>
  /^\/entryGroup\/([^/]+)$/.exec(globalThis.location.pathname)?.[1] ?? null;

/** Navigation in the tree for other parts. */
export function useTreeAround() {
  const vault = useVault();
  const client = useQueryClient();
  const navigate = useNavigate();
  const reload = useTreeReload();
  return useMemo(
    () => ({
      reload,
      openGroup: (id: string) => void navigate(`/entryGroup/${id}`),
      openTree(id: string) {
        expandedGroups.open([id]);
        void navigate(`/entryGroup/${id}`);
      },
      leaveGone() {
        const shown = shownGroup();
        const tree = client.getQueryData(treeQuery(vault).queryKey);
        if (shown !== null && tree?.byId.has(shown) === false) void navigate('/');
      },
    }),
    [vault, client, navigate, reload],
  );
}
