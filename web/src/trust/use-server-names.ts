/** The server's names of a group's members, for people whom the trust record does not name. */
import { useMemo } from 'react';
import { useMembers } from '../members/table/use-members.ts';
import type { ServerNames } from './person-texts.ts';

export function useServerNames(groupId: string): { readonly names: ServerNames; readonly isLoading: boolean } {
  const { users, state } = useMembers(groupId);
  const names = useMemo(() => new Map(users.map(({ user_id, user }) => [user_id, user.name])), [users]);
  return { names, isLoading: state === 'required loading' || state === 'loading' };
}
