/** One's own moves, renames and imports, newest first, each of which can be taken back. */
import { useState } from 'react';
import { TRASH_TEXTS as TEXTS } from '../texts/trash.ts';
import { useVault } from '../vault/use-vault.ts';
import { JournalLine } from './journal-line.tsx';
import { PagedList } from './paged-list.tsx';
import { useJournal } from './use-trash.ts';

const LIST_TEXTS = {
  list: TEXTS.changes,
  loading: TEXTS.changesLoading,
  failed: TEXTS.changesFailed,
  retry: TEXTS.retry,
  empty: TEXTS.changesEmpty,
  emptyHint: TEXTS.changesEmptyHint,
} as const;

export function JournalList() {
  const { write } = useVault();
  const [page, setPage] = useState(1);
  const { data, error, isFetching, refetch } = useJournal(page);
  return (
    <PagedList
      page={data}
      error={error}
      isFetching={isFetching}
      onRetry={() => void refetch()}
      onPage={setPage}
      texts={LIST_TEXTS}
    >
      {(row) => <JournalLine key={row.operation_id} row={row} write={write} />}
    </PagedList>
  );
}
