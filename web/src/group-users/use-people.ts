/** People who could be added, half a second after the last key (docs/spec/product.md §5, §8). Failures are only logged. */
import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useFailuresLogged } from '../activity-log/use-failures-logged.ts';
import { useSettled } from '../lib/use-settled.ts';
import { GROUP_USER_TEXTS as TEXTS } from '../texts/group-users.ts';
import { useVault } from '../vault/use-vault.ts';

const DEBOUNCE_MS = 500;

export function usePeople(typed: string, groupId: string) {
  const vault = useVault();
  const words = typed.trim();
  const asked = useSettled(words, DEBOUNCE_MS);
  const { data, error, isSuccess, isFetching } = useQuery({
    queryKey: [vault.mode, 'people', groupId, asked],
    queryFn: ({ signal }) => vault.read.people(asked, groupId, signal),
    enabled: asked !== '',
    networkMode: 'always',
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  useFailuresLogged(error, isSuccess, TEXTS.searchFailed);
  const isSettled = asked === words && !isFetching;
  const people = useMemo(() => data?.map(({ user_id: userId, ...rest }) => ({ userId, ...rest })) ?? null, [data]);
  return {
    /** null: nothing is asked, or the answer is not there yet. */
    people: words !== '' && isSettled ? people : null,
    isSearching: words !== '' && !isSettled,
  };
}
