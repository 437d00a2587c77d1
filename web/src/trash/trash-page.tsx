import { useEffect, useState } from 'react';
import { TRASH_TEXTS as TEXTS } from '../texts/entries/trash.ts';
import { Tabs } from '@passwordbroker/ui/display/tabs';
import { useVault } from '../vault/use-vault.ts';
import { TrashList, useJournal } from './trash-list.tsx';
import styles from './trash.module.css';
import { JournalLine } from './journal-line.tsx';
import { PagedList } from './paged-list.tsx';

/** `/trash`: deleted things, and the person's own operations while they can be undone. */
export function TrashPage() {
  useEffect(() => {
    document.title = `${TEXTS.page} | PasswordBroker`;
  }, []);
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <h1 className={styles['heading']}>{TEXTS.page}</h1>
        <p className={styles['hint']}>{TEXTS.pageHint}</p>
      </header>
      <Tabs
        label={TEXTS.sections}
        tabs={[
          { id: 'deleted', title: TEXTS.deleted, content: <TrashList groupId={null} /> },
          { id: 'changes', title: TEXTS.changes, content: <JournalList /> },
        ]}
      />
    </div>
  );
}

const LIST_TEXTS = {
  list: TEXTS.changes,
  loading: TEXTS.changesLoading,
  failed: TEXTS.changesFailed,
  retry: TEXTS.retry,
  empty: TEXTS.changesEmpty,
  emptyHint: TEXTS.changesEmptyHint,
} as const;

function JournalList() {
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
