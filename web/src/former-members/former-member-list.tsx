import { useCallback, useState } from 'react';
import { PagedList } from '../trash/paged-list.tsx';
import { FORMER_MEMBER_TEXTS as TEXTS } from '../texts/groups/members.ts';
import { FormerMemberRow } from './former-member-row.tsx';
import { useFormerMembers, type FormerMembersOf } from './use-former-members.ts';

/** Former members, newest first, each with the secrets to change. */
export function FormerMemberList({ of }: { readonly of: FormerMembersOf }) {
  const [page, setPage] = useState(1);
  const { data, error, isFetching, refetch } = useFormerMembers(of, page);
  const turn = useCallback((to: number) => setPage(to), []);
  return (
    <PagedList
      page={data}
      error={error}
      isFetching={isFetching}
      onRetry={() => void refetch()}
      onPage={turn}
      texts={TEXTS}
    >
      {(departure) => (
        <FormerMemberRow key={departure.departure_id} departure={departure} isOfGroup={'groupId' in of} />
      )}
    </PagedList>
  );
}
