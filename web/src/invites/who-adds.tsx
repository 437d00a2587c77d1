import { inviter } from '@passwordbroker/core/contract/users/joined';
import { useQuery } from '@tanstack/react-query';
import { http } from '../page/page.ts';
import { GROUP_TEXTS as TEXTS } from '../texts/groups/groups.ts';

/** Whom a person without groups can ask. Blank until it is known, and takes its place. */
export function WhoAdds({ name }: { readonly name: string }) {
  const { data, isPending } = useQuery({
    queryKey: ['inviter'],
    queryFn: ({ signal }) => http.call(inviter, { signal }),
    networkMode: 'always',
    retry: false,
    staleTime: 0,
  });
  if (isPending) return '\u00a0';
  if (data === undefined || data.inviter === null) return TEXTS.whoAdds(name);
  const { inviter: by, waiting } = data;
  return waiting > 0 ? TEXTS.willShare(by.name, waiting) : TEXTS.invitedBy(by.name, name);
}
