import { useState } from 'react';
import { TRASH_TEXTS as TEXTS } from '../texts/entries/trash.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { useVault } from '../vault/use-vault.ts';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import { PagedList } from './paged-list.tsx';
import { PurgeDialog } from './purge-dialog.tsx';
import styles from './trash.module.css';
import { TrashRow } from './trash-row.tsx';
import { useTrash } from './use-trash.ts';

/** @param groupId null: all groups */
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
      head={
        write !== null && data?.data.some((item) => item.can_purge) && <EmptyTrash groupId={groupId} write={write} />
      }
    >
      {(item) => <TrashRow key={item.operation_id} item={item} write={write} isInGroup={groupId !== null} />}
    </PagedList>
  );
}

function EmptyTrash({ groupId, write }: { readonly groupId: string | null; readonly write: VaultWrite }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <div className={styles['bar']}>
      <Button size="sm" variant="danger-quiet" onPress={() => setAsking(true)}>
        {TEXTS.emptyTrash}
      </Button>
      {isAsking && <PurgeDialog what={{ groupId }} write={write} onClose={() => setAsking(false)} />}
    </div>
  );
}
