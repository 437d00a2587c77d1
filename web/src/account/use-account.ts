/** Queries of the person's account. They need no keys, so they do not use the vault. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import * as credentials from '@passwordbroker/core/contract/account/credentials';
import { limits } from '@passwordbroker/core/contract/site/site';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { http } from '../page/page.ts';

const ALWAYS = { networkMode: 'always', retry: false, staleTime: 0 } as const;
const SESSIONS = ['account', 'sessions'] as const;
const TOKENS = ['account', 'tokens'] as const;
const LIMITS_KEY = ['account', 'limits'] as const;

export const useSessions = () =>
  useQuery({ queryKey: SESSIONS, queryFn: ({ signal }) => http.call(credentials.sessions, { signal }), ...ALWAYS });

export const useTokens = () =>
  useQuery({ queryKey: TOKENS, queryFn: ({ signal }) => http.call(credentials.tokens, { signal }), ...ALWAYS });

/** Maximum token lifetime of this site in days; the general maximum until that is loaded. */
export function useTokenDays(): number {
  const { data } = useQuery({
    queryKey: LIMITS_KEY,
    queryFn: ({ signal }) => http.call(limits, { signal }),
    ...ALWAYS,
  });
  return data?.token_days ?? LIMITS.tokenDays;
}

/** Refetches sessions and tokens, which a new password ends. */
export function useReloadedAccount(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ['account'] });
}
