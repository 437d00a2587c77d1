import type { User, UserBrief } from '@passwordbroker/core/contract/users/user';
import { get, search } from '@passwordbroker/core/contract/users/people';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { http } from '../../page/page.ts';

const PER_PAGE = 20;
/** Prefix of the query keys of accounts. */
export const USERS_KEY = ['admin', 'users'] as const;

const ALWAYS = { networkMode: 'always', retry: false, staleTime: 0 } as const;

export function useUsers(q: string, page: number) {
  return useQuery({
    queryKey: [...USERS_KEY, 'page', q, page],
    queryFn: async ({ signal }) => {
      const found = await http.call(search, { query: { q, page, perPage: PER_PAGE }, signal });
      return { ...found, data: found.data.filter(isWhole) };
    },
    placeholderData: keepPreviousData,
    ...ALWAYS,
  });
}

export function useUser(userId: string) {
  return useQuery({
    queryKey: [...USERS_KEY, 'one', userId],
    queryFn: ({ signal }) => http.call(get, { params: { id: userId }, signal }),
    ...ALWAYS,
  });
}

/** People who are no longer site admins get names only. */
const isWhole = (found: User | UserBrief): found is User => 'email' in found;
