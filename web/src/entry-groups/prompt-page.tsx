/** `/`: nothing is selected yet (specification §2). */
import { useEffect } from 'react';
import { ENTRY_GROUP_TEXTS as TEXTS } from '../texts/entry-groups.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import styles from './group-page.module.css';

export function PromptPage() {
  useEffect(() => {
    document.title = 'PasswordBroker';
  }, []);
  return (
    <div className={styles['centre']}>
      <EmptyState title={TEXTS.select} text={TEXTS.selectHint} isPageHeading />
    </div>
  );
}
