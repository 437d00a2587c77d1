import { useMemo } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { useVault } from '../../vault/use-vault.ts';
import { expandedGroups } from './expanded-groups.ts';
import { treeQuery, useTreeReload } from './use-group-tree.ts';

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
