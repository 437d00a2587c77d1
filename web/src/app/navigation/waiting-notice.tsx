/** Says that the code of a page is loading. Without it, a click on a slow network seems lost. */
import { useSyncExternalStore } from 'react';
import { lateChunks } from '../../lib/chunk.ts';
import { FRAME_TEXTS as TEXTS } from '../../texts/frame.ts';
import { Spinner } from '@passwordbroker/ui/feedback/spinner';
import styles from './waiting-notice.module.css';

export function WaitingNotice() {
  const isWaiting = useSyncExternalStore(lateChunks.subscribe, lateChunks.any);
  return (
    <div className={styles['notice']} role="status">
      {isWaiting && (
        <span className={styles['pill']}>
          <Spinner /> {TEXTS.waiting}
        </span>
      )}
    </div>
  );
}
