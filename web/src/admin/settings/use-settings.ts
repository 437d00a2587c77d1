import type { AnswerOf } from '@passwordbroker/core/contract/endpoint';
import { limits, settings, signIn, siteNetworks } from '@passwordbroker/core/contract/site/site';
import { storage } from '@passwordbroker/core/contract/site/system';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { checkAgain } from '../../checkup/use-checkup.ts';
import { http } from '../../page/page.ts';

const ALWAYS = { networkMode: 'always', retry: false, staleTime: 0 } as const;
const KEYS = {
  settings: ['admin', 'settings'],
  limits: ['admin', 'limits'],
  networks: ['admin', 'networks'],
  signIn: ['admin', 'signIn'],
  storage: ['admin', 'storage'],
} as const;

export function useSettings() {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: KEYS.settings,
    queryFn: ({ signal }) => http.call(settings, { signal }),
    ...ALWAYS,
  });
  return { ...query, keep: (saved: AnswerOf<typeof settings>) => keep(client, KEYS.settings, saved) };
}

export function useLimits() {
  const client = useQueryClient();
  const query = useQuery({ queryKey: KEYS.limits, queryFn: ({ signal }) => http.call(limits, { signal }), ...ALWAYS });
  return { ...query, keep: (saved: AnswerOf<typeof limits>) => keep(client, KEYS.limits, saved) };
}

export function useNetworks() {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: KEYS.networks,
    queryFn: ({ signal }) => http.call(siteNetworks, { signal }),
    ...ALWAYS,
  });
  return { ...query, keep: (saved: AnswerOf<typeof siteNetworks>) => keep(client, KEYS.networks, saved) };
}

export function useSignInSettings() {
  const client = useQueryClient();
  const query = useQuery({ queryKey: KEYS.signIn, queryFn: ({ signal }) => http.call(signIn, { signal }), ...ALWAYS });
  return { ...query, keep: (saved: AnswerOf<typeof signIn>) => keep(client, KEYS.signIn, saved) };
}

function keep(client: QueryClient, key: readonly string[], saved: object): void {
  client.setQueryData(key, saved);
  void checkAgain(client);
}

const LOOK_MS = 15_000;

export function useStorage() {
  return useQuery({
    queryKey: KEYS.storage,
    queryFn: ({ signal }) => http.call(storage, { signal }),
    refetchInterval: LOOK_MS,
    ...ALWAYS,
  });
}
