/** Who left, newest first, each with what to change. */
import { useCallback, useState } from 'react';
import { PagedList } from '../trash/paged-list.tsx';
import { LEAVER_TEXTS as TEXTS } from '../texts/leavers.ts';
import { DepartedRow } from './departed-row.tsx';
import { useDepartures, type Leavers } from './use-departures.ts';

export function DepartedList({ of }: { readonly of: Leavers }) {
  const [page, setPage] = useState(1);
  const { data, error, isFetching, refetch } = useDepartures(of, page);
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
      {(departure) => <DepartedRow key={departure.departure_id} departure={departure} isOfGroup={'groupId' in of} />}
    </PagedList>
  );
}
