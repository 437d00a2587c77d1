import { me } from '@passwordbroker/core/contract/account/session';
import { listAll, type Provider } from '@passwordbroker/core/contract/site/providers';
import { search } from '@passwordbroker/core/contract/users/people';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { http } from '../../page/page.ts';
import { isWhole, USERS_KEY } from '../users/use-users.ts';

const ALWAYS = { networkMode: 'always', retry: false, staleTime: 0 } as const;
const PROVIDERS_KEY = ['admin', 'providers'] as const;
const MOST = 100;

export function useProviders() {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: PROVIDERS_KEY,
    queryFn: ({ signal }) => http.call(listAll, { signal }),
    ...ALWAYS,
  });
  const keep = (saved: Provider) =>
    client.setQueryData<Provider[]>(PROVIDERS_KEY, (all = []) =>
      all.map((one) => (one.provider_id === saved.provider_id ? saved : one)),
    );
  return { ...query, keep };
}

/** The id of the sign-in service that this session began at; null: none. */
export function useOwnProvider(): string | null {
  const { data } = useQuery({
    queryKey: ['admin', 'own sign-in'],
    queryFn: ({ signal }) => http.call(me, { signal }),
    ...ALWAYS,
  });
  return data?.sign_in?.provider_id ?? null;
}

export function useBreakGlass() {
  return useQuery({
    queryKey: [...USERS_KEY, 'break-glass'],
    queryFn: async ({ signal }) => {
      const found = await http.call(search, { query: { only: 'break_glass', perPage: MOST }, signal });
      return found.data.filter(isWhole);
    },
    ...ALWAYS,
  });
}
