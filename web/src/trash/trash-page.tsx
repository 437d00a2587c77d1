/** `/trash`: what was deleted, and what one has changed oneself, for as long as it can be taken back. */
import { useEffect } from 'react';
import { TRASH_TEXTS as TEXTS } from '../texts/trash.ts';
import { Tabs } from '../ui/tabs.tsx';
import { JournalList } from './journal-list.tsx';
import { TrashList } from './trash-list.tsx';
import styles from './trash.module.css';

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
