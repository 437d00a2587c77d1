import { X } from 'lucide-react';
import { ACTIVITY_LOG_TEXTS as TEXTS } from '../texts/entries/trash.ts';
import { IconButton } from '@passwordbroker/ui/actions/icon-button';
import { ACTIVITY_LOG_LENGTH, clockTime, useActivityLog, type ActivityLog } from './activity-log.ts';
import styles from './activity-log-panel.module.css';

interface Props {
  readonly onClose: () => void;
  readonly log?: ActivityLog;
}

export function ActivityLogPanel({ onClose, log }: Props) {
  const entries = useActivityLog(log);
  return (
    <aside className={styles['panel']} aria-label={TEXTS.title}>
      <header className={styles['head']}>
        <h2 className={styles['title']}>{TEXTS.title}</h2>
        <span className={styles['count']}>{TEXTS.count(entries.length, ACTIVITY_LOG_LENGTH)}</span>
        <IconButton label={TEXTS.close} icon={<X size={16} />} onPress={onClose} />
      </header>
      {entries.length === 0 ? (
        <p className={styles['empty']}>{TEXTS.empty}</p>
      ) : (
        <ol className={styles['list']} aria-live="polite">
          {entries.map((entry) => (
            <li key={entry.id} className={styles['entry']} data-failure={entry.isFailure || undefined}>
              <time className={styles['time']} dateTime={new Date(entry.at).toISOString()}>
                {clockTime(entry.at)}
              </time>
              <span className={styles['body']}>{entry.body}</span>
            </li>
          ))}
        </ol>
      )}
    </aside>
  );
}
