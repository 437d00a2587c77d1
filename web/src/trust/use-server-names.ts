/** Names that the server gives the members of a group: shown only where the trust record has none, and then as the server's word. */
import { useMemo } from 'react';
import { useGroupUsers } from '../group-users/use-group-users.ts';
import type { ServerNames } from './person-texts.ts';

export function useServerNames(groupId: string): { readonly names: ServerNames; readonly isLoading: boolean } {
  const { users, state } = useGroupUsers(groupId);
  const names = useMemo(() => new Map(users.map(({ user_id, user }) => [user_id, user.name])), [users]);
  return { names, isLoading: state === 'required loading' || state === 'loading' };
}
