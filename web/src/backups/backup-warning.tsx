/** Warning above every admin page: no backup, or no copy of one, has succeeded for a day. */
import { Link, useMatch } from 'react-router';
import admin from '../admin/admin.module.css';
import { ADMIN_PATHS } from '../admin/admin-paths.ts';
import { formatTime } from '../lib/format.ts';
import { BACKUP_COPY_TEXTS as TEXTS } from '../texts/admin/backup.ts';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import styles from './backups.module.css';
import { useBackupStatus } from './use-backup-status.ts';

export function BackupWarning() {
  const { data } = useBackupStatus();
  const isOnPage = useMatch(ADMIN_PATHS.backup) !== null;
  const copy = data?.second_target;
  const lines = [
    ...(data?.overdue === true ? [`${TEXTS.overdue} ${TEXTS.lastBackup(timeOf(data.last_backup_at))}`] : []),
    ...(copy?.overdue === true ? [[TEXTS.copyOverdue, copy.error_message ?? ''].join(' ').trim()] : []),
  ];
  if (lines.length === 0) return null;
  return (
    <div className={styles['warning']}>
      <MessageBox tone="warning" lines={lines}>
        {!isOnPage && (
          <p>
            <Link to={ADMIN_PATHS.backup} className={admin['back']}>
              {TEXTS.openBackups}
            </Link>
          </p>
        )}
      </MessageBox>
    </div>
  );
}

const timeOf = (time: string | null) => (time === null ? TEXTS.never : formatTime(time));
