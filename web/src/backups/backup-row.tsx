/** One backup: state, file and result. */
import type { Backup, BackupState } from '@passwordbroker/core/contract/site/backups';
import { formatFileSize } from '@passwordbroker/core/domain/fields/file-size';
import { Download, FolderSync, ShieldCheck } from 'lucide-react';
import admin from '../admin/admin.module.css';
import { formatTime } from '../lib/format.ts';
import { useMayChange } from '../session/site-role.ts';
import { ADMIN_BACKUP_TEXTS as TEXTS } from '../texts/admin-backup.ts';
import { BACKUP_COPY_TEXTS as COPY_TEXTS } from '../texts/backup-copy.ts';
import { Badge } from '../ui/badge.tsx';
import { DataRow } from '../ui/data-table.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { BackupResult } from './backup-result.tsx';
import styles from './backups.module.css';
import { useCopy } from './use-copy.ts';
import { useDownload } from './use-download.ts';
import { useVerify } from './use-verify.ts';
import { VerifyDialog } from './verify-dialog.tsx';

const TONES = {
  await: 'warning',
  creating: 'info',
  created: 'success',
  error: 'danger',
  deleted: 'plain',
} as const satisfies Readonly<Record<BackupState, string>>;

interface Props {
  readonly backup: Backup;
  /** Whether a second target is set. */
  readonly hasTarget: boolean;
}

export function BackupRow({ backup, hasTarget }: Props) {
  const { state, created_at, backup_created, file_name, size } = backup;
  const hasFile = state === 'created' || state === 'deleted';
  const mayChange = useMayChange();
  const download = useDownload(backup);
  const trial = useVerify(backup);
  const copying = useCopy(backup);
  return (
    <DataRow>
      <div role="cell">
        <Badge tone={TONES[state]} text={state} />
      </div>
      <Cell label={TEXTS.columns.createdAt} className={admin['date']}>
        <time dateTime={created_at}>{formatTime(created_at)}</time>
      </Cell>
      <Cell label={TEXTS.columns.backupCreated} className={admin['date']} isEmpty={backup_created === null}>
        {backup_created !== null && <time dateTime={backup_created}>{formatTime(backup_created)}</time>}
      </Cell>
      <Cell className={admin['code']} isEmpty={!hasFile}>
        {hasFile && file_name}
      </Cell>
      <Cell className={admin['date']} isEmpty={!hasFile || size === null}>
        {hasFile && size !== null && formatFileSize(size)}
      </Cell>
      <div role="cell" className={styles['result']} data-empty={state === 'await' || undefined}>
        {download.percent !== null ? (
          <ProgressBar label={TEXTS.downloading} value={download.percent} />
        ) : trial.view.state === 'verifying' ? (
          <ProgressBar label={TEXTS.verifying} value={null} />
        ) : (
          <BackupResult backup={backup} />
        )}
      </div>
      {mayChange && (
        <div role="cell" className={`${admin['verbs']} ${styles['verbs']}`}>
          {state === 'created' && (
            <>
              {hasTarget && (
                <IconButton
                  label={COPY_TEXTS.copy(file_name)}
                  tooltip={COPY_TEXTS.copyAgain}
                  icon={<FolderSync size={16} />}
                  align="end"
                  busy={copying.isBusy || backup.copy?.state === 'copying'}
                  onPress={() => void copying.begin()}
                />
              )}
              <IconButton
                label={TEXTS.verify(file_name)}
                tooltip={TEXTS.verifyAgain}
                icon={<ShieldCheck size={16} />}
                align="end"
                busy={trial.view.state === 'verifying'}
                onPress={trial.begin}
              />
              <IconButton
                label={TEXTS.download(file_name)}
                icon={<Download size={16} />}
                align="end"
                busy={download.isBusy}
                onPress={() => void download.begin()}
              />
            </>
          )}
          {trial.view.state === 'asking' && (
            <VerifyDialog
              fileName={file_name}
              problem={trial.view.problem}
              onPassword={(password) => void trial.verifyWith(password)}
              onClose={trial.giveUp}
            />
          )}
        </div>
      )}
    </DataRow>
  );
}

interface CellProps {
  /** Shown before the value where the column headings are hidden. */
  readonly label?: string;
  readonly className?: string | undefined;
  readonly isEmpty?: boolean;
  readonly children: React.ReactNode;
}

function Cell({ label, className, isEmpty = false, children }: CellProps) {
  return (
    <div role="cell" className={className} data-label={label} data-empty={isEmpty || undefined}>
      {isEmpty ? <span className={admin['none']}>{TEXTS.none}</span> : children}
    </div>
  );
}
