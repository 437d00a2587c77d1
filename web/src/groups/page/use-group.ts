import { queryOptions, useQuery } from '@tanstack/react-query';
import { compareTitles } from '@passwordbroker/core/domain/groups/group-tree';
import { useVault } from '../../vault/use-vault.ts';
import type { Vault } from '@passwordbroker/client/vault/vault';

const ALWAYS = { networkMode: 'always', retry: false } as const;

function groupQuery(vault: Vault, groupId: string) {
  return queryOptions({
    queryKey: [vault.mode, 'group', groupId],
    queryFn: ({ signal }) => vault.read.group(groupId, signal),
    ...ALWAYS,
  });
}

function entriesQuery(vault: Vault, groupId: string) {
  return queryOptions({
    queryKey: [vault.mode, 'entries', groupId],
    queryFn: async ({ signal }) => {
      const entries = await vault.read.entries(groupId, signal);
      return entries.map((entry) => ({ ...entry, id: entry.entry_id })).sort(compareTitles);
    },
    ...ALWAYS,
  });
}

export function useGroup(groupId: string) {
  return useQuery(groupQuery(useVault(), groupId));
}

export function useEntries(groupId: string) {
  return useQuery(entriesQuery(useVault(), groupId));
}
