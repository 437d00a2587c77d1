import { type Joined, list } from '@passwordbroker/core/contract/users/joined';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useGroupTree } from '../groups/tree/use-group-tree.ts';
import type { GroupTree } from '../groups/tree/group-tree.ts';
import type { AskedPerson } from '../members/keys/use-trust.tsx';
import type { GroupInRole } from '../members/sharing/use-sharing.ts';
import { http } from '../page/page.ts';

export interface JoinedPerson {
  readonly inviteId: string;
  readonly person: AskedPerson;
  readonly groups: readonly GroupInRole[];
  /** Gone, or the viewer is no longer their admin. */
  readonly leftOut: number;
}

const KEY = ['joined'] as const;

/** Titles and roles are those of the viewer's tree, as everywhere. */
function joinedPerson({ invite_id, user, groups, left_out }: Joined, { byId }: GroupTree): JoinedPerson {
  const shown = groups.flatMap(({ entry_group_id, role }): GroupInRole[] => {
    const group = byId.get(entry_group_id);
    return group?.role === 'admin' ? [{ id: group.id, title: group.title, role }] : [];
  });
  return {
    inviteId: invite_id,
    person: { userId: user.user_id, name: user.name },
    groups: shown,
    leftOut: left_out + groups.length - shown.length,
  };
}

/** For site admins. Empty until it is known, and if it cannot be loaded. */
export function useJoined(): readonly JoinedPerson[] {
  const { tree } = useGroupTree();
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => http.call(list, { signal }),
    networkMode: 'always',
    retry: false,
    staleTime: 0,
  });
  if (tree === null || data === undefined) return [];
  return data.joined.map((one) => joinedPerson(one, tree));
}

export const reloadJoined = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: KEY });
