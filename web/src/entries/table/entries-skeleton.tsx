import { useEffect, useState } from 'react';
import { ENTRY_TEXTS as TEXTS } from '../../texts/entries/entries.ts';
import { Skeleton } from '@passwordbroker/ui/feedback/skeleton';
import styles from './entries-table.module.css';

const ROWS = 6;
const LATE_MS = 150;

/** Placeholder rows of the final height, shown after 150 ms of loading. */
export function EntriesSkeleton() {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isLate) return null;
  return (
    <div className={`${styles['table']} ${styles['skeleton']}`} aria-busy="true">
      <div className={`${styles['row']} ${styles['head']}`}>
        <div>{TEXTS.columns.title}</div>
        <div className={styles['created']}>{TEXTS.columns.created_at}</div>
        <div>{TEXTS.columns.updated_at}</div>
      </div>
      {Array.from({ length: ROWS }, (_, index) => (
        <div key={index} className={styles['row']} aria-hidden="true">
          <div className={styles['skeletonTitle']}>
            <Skeleton />
          </div>
          <div className={`${styles['skeletonDate']} ${styles['created']}`}>
            <Skeleton />
          </div>
          <div className={`${styles['skeletonDate']} ${styles['date']}`}>
            <Skeleton />
          </div>
        </div>
      ))}
    </div>
  );
}
