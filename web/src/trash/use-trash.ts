import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useVault } from '../vault/use-vault.ts';

const ALWAYS = { networkMode: 'always', retry: false, staleTime: 0, placeholderData: keepPreviousData } as const;

/** @param groupId null: all groups */
export function useTrash(groupId: string | null, page: number) {
  const vault = useVault();
  return useQuery({
    queryKey: [vault.mode, 'trash', groupId, page],
    queryFn: ({ signal }) => vault.read.trash({ page, groupId }, signal),
    ...ALWAYS,
  });
}

export function useJournal(page: number) {
  const vault = useVault();
  return useQuery({
    queryKey: [vault.mode, 'journal', page],
    queryFn: ({ signal }) => vault.read.journal(page, signal),
    ...ALWAYS,
  });
}
