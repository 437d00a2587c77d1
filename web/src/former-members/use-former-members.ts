import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useVault } from '../vault/use-vault.ts';

/** Of a group, or of a person in all groups (null: all people). */
export type FormerMembersOf = { readonly groupId: string } | { readonly userId: string | null };

/** Never cached, because other people may have changed secrets meanwhile. */
const FRESH = { networkMode: 'always', retry: false, staleTime: 0, gcTime: 0 } as const;

export function useFormerMembers(of: FormerMembersOf, page: number) {
  const vault = useVault();
  const key = 'groupId' in of ? of.groupId : of.userId;
  return useQuery({
    queryKey: [vault.mode, 'departures', key, page],
    queryFn: ({ signal }) => vault.read.departures('groupId' in of ? of.groupId : of, page, signal),
    placeholderData: keepPreviousData,
    ...FRESH,
  });
}

export function useKnownSecrets(groupId: string, departureId: string, isOpen: boolean) {
  const vault = useVault();
  return useQuery({
    queryKey: [vault.mode, 'departure', groupId, departureId],
    queryFn: ({ signal }) => vault.read.departure(groupId, departureId, signal),
    enabled: isOpen,
    ...FRESH,
  });
}
