import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { GroupUserWithCertificate } from '@passwordbroker/core/contract/entities';
import { useVault } from '../../vault/use-vault.ts';
import type { Vault } from '@passwordbroker/client/vault/vault';
import { type Loading, loadingOf } from '../../lib/loading.ts';

function groupUsersQuery(vault: Vault, groupId: string) {
  return queryOptions({
    queryKey: [vault.mode, 'members', groupId],
    queryFn: ({ signal }) => vault.read.members(groupId, signal),
    networkMode: 'always',
    retry: false,
  });
}

interface GroupUsers {
  readonly state: MembersState;
  readonly users: readonly GroupUserWithCertificate[];
  readonly problem: Error | null;
  readonly retry: () => void;
}

/** The members of a group, sorted by the server: admins, moderators, members, then by name. */
export function useMembers(groupId: string): GroupUsers {
  const query = useQuery(groupUsersQuery(useVault(), groupId));
  return {
    state: membersStateOf(groupId, query),
    users: query.data ?? [],
    problem: query.isFetching ? null : query.error,
    retry: () => void query.refetch(),
  };
}

/** Reloads everything that depends on the members of these groups. */
export function useMembersReload(): (groupIds: readonly string[]) => Promise<void> {
  const vault = useVault();
  const client = useQueryClient();
  return useCallback(
    async (groupIds) => {
      const ofGroups = groupIds.flatMap((id) => [
        [vault.mode, 'members', id],
        [vault.mode, 'group', id],
      ]);
      const changed = [...ofGroups, [vault.mode, 'departures'], [vault.mode, 'people'], [vault.mode, 'key trust']];
      await Promise.all(changed.map((queryKey) => client.invalidateQueries({ queryKey })));
    },
    [vault, client],
  );
}

/** States of docs/spec/product.md §4. */
type MembersState = 'not selected' | Loading;

/** @param groupId null while no group is selected */
export function membersStateOf(groupId: string | null, query: Parameters<typeof loadingOf>[0]): MembersState {
  return groupId === null ? 'not selected' : loadingOf(query);
}
