/** Result of a backup: progress, counts of the test restore, error, or time of removal. */
import type { Backup, BackupCopy, CopyState } from '@passwordbroker/core/contract/site/backups';
import { countsText } from '@passwordbroker/core/contract/site/backup-counts';
import { formatTime } from '../lib/format.ts';
import { ADMIN_BACKUP_TEXTS as TEXTS, BACKUP_COPY_TEXTS as COPY_TEXTS } from '../texts/admin/backup.ts';
import { Badge } from '@passwordbroker/ui/display/badge';
import { ProgressBar } from '@passwordbroker/ui/feedback/progress-bar';
import admin from '../admin/admin.module.css';
import styles from './backups.module.css';

export function BackupResult({ backup }: { readonly backup: Backup }) {
  const { state, error_message, backup_deleted, progress } = backup;
  switch (state) {
    case 'creating':
      return <ProgressBar label={TEXTS.creating} value={progress} />;
    case 'created':
      return <Verified backup={backup} />;
    case 'error':
      return <span className={styles['failed']}>{error_message ?? TEXTS.errorUnknown}</span>;
    case 'deleted':
      return (
        <span className={admin['soft']}>{backup_deleted !== null && TEXTS.deletedAt(formatTime(backup_deleted))}</span>
      );
    case 'await':
      return <span className={admin['none']}>{TEXTS.none}</span>;
  }
}

function Verified({ backup }: { readonly backup: Backup }) {
  const { verified_at, has_password, counts, error_message, backup_created, copy } = backup;
  return (
    <div className={styles['verified']}>
      <span className={admin['marks']}>
        <Badge
          tone={verified_at === null ? 'warning' : 'success'}
          text={verified_at === null ? TEXTS.notVerified : TEXTS.verified}
        />
        <Badge
          tone={has_password ? 'plain' : 'warning'}
          text={has_password ? TEXTS.encrypted : TEXTS.unencryptedFile}
        />
        {copy !== null && <Badge tone={COPY_TONES[copy.state]} text={COPY_TEXTS.states[copy.state]} />}
      </span>
      {counts !== null && <span className={admin['hint']}>{countsText(counts)}</span>}
      {verified_at !== null && verified_at !== backup_created && (
        <span className={admin['hint']}>{TEXTS.verifiedAt(formatTime(verified_at))}</span>
      )}
      {error_message !== null && <span className={styles['failed']}>{error_message}</span>}
      {copy !== null && <CopyProblem copy={copy} />}
    </div>
  );
}

const COPY_TONES = {
  waiting: 'info',
  copying: 'info',
  copied: 'success',
  failed: 'danger',
  deleted: 'plain',
} as const satisfies Readonly<Record<CopyState, string>>;

function CopyProblem({ copy: { state, error_message, next_try_at } }: { readonly copy: BackupCopy }) {
  if (error_message === null) return null;
  return (
    <>
      <span className={styles['failed']}>{error_message}</span>
      {state === 'failed' && next_try_at !== null && (
        <span className={admin['hint']}>{COPY_TEXTS.nextTry(formatTime(next_try_at))}</span>
      )}
    </>
  );
}
