/** The second target of backups: its name, the state of copies, and who can read them. */
import type { BackupStatus } from '@passwordbroker/core/contract/site/backups';
import { useId } from 'react';
import admin from '../admin/admin.module.css';
import { Failed, Waiting } from '../admin/list-state.tsx';
import { formatTime } from '../lib/format.ts';
import { BACKUP_COPY_TEXTS as TEXTS } from '../texts/admin/backup.ts';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import styles from './backups.module.css';
import { useBackupStatus } from './use-backup-status.ts';

export function SecondTarget() {
  const title = useId();
  const { data, error, isFetching, refetch } = useBackupStatus();
  return (
    <section className={`${styles['card']} ${styles['second']}`} aria-labelledby={title}>
      <div className={styles['head']}>
        <h2 id={title}>{TEXTS.title}</h2>
      </div>
      {data === undefined && error === null && <Waiting text={TEXTS.loading} />}
      {error !== null && !isFetching && (
        <Failed text={TEXTS.statusFailed} failure={error} onRetry={() => void refetch()} />
      )}
      {data?.second_target === null && <p className={admin['soft']}>{TEXTS.none}</p>}
      {data !== undefined && data.second_target !== null && (
        <Target target={data.second_target} isReadable={!data.archive_password_set} />
      )}
    </section>
  );
}

interface TargetProps {
  readonly target: NonNullable<BackupStatus['second_target']>;
  readonly isReadable: boolean;
}

function Target({ target, isReadable }: TargetProps) {
  return (
    <>
      <dl className={styles['facts']}>
        <dt>{TEXTS.target}</dt>
        <dd className={admin['code']}>{target.target}</dd>
        <dt>{TEXTS.lastCopy}</dt>
        <dd className={admin['date']}>
          {target.last_copy_at === null ? TEXTS.never : formatTime(target.last_copy_at)}
        </dd>
      </dl>
      {target.error_message !== null && <MessageBox tone="danger" lines={[target.error_message]} />}
      {isReadable && <MessageBox tone="warning" title={TEXTS.readable} lines={[TEXTS.readableWhat]} />}
    </>
  );
}
