/** What was deleted and may come back, everywhere or in one group. */
import { useState } from 'react';
import { TRASH_TEXTS as TEXTS } from '../texts/trash.ts';
import { useVault } from '../vault/use-vault.ts';
import { PagedList } from './paged-list.tsx';
import { TrashRow } from './trash-row.tsx';
import { useTrash } from './use-trash.ts';

/** @param groupId null: of all groups */
export function TrashList({ groupId }: { readonly groupId: string | null }) {
  const { write } = useVault();
  const [page, setPage] = useState(1);
  const { data, error, isFetching, refetch } = useTrash(groupId, page);
  return (
    <PagedList
      page={data}
      error={error}
      isFetching={isFetching}
      onRetry={() => void refetch()}
      onPage={setPage}
      texts={TEXTS}
    >
      {(item) => <TrashRow key={item.operation_id} item={item} write={write} isInGroup={groupId !== null} />}
    </PagedList>
  );
}
