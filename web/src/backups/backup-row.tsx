import { translated } from '@passwordbroker/core/texts';
import {
  type Backup,
  type BackupState,
  copy,
  download,
  type BackupCopy,
  type CopyState,
} from '@passwordbroker/core/contract/site/backups';
import { formatFileSize } from '@passwordbroker/core/domain/fields/file-size';
import { Download, FolderSync, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import admin from '../admin/admin.module.css';
import { formatTime } from '../lib/format.ts';
import { useMayChange } from '../session/use-session.ts';
import { ADMIN_BACKUP_TEXTS as TEXTS, BACKUP_COPY_TEXTS as COPY_TEXTS } from '../texts/admin/backup.ts';
import { Badge } from '@passwordbroker/ui/display/badge';
import { DataRow } from '@passwordbroker/ui/display/data-table';
import { IconButton } from '@passwordbroker/ui/actions/button';
import { ProgressBar } from '@passwordbroker/ui/feedback/progress-bar';
import { tellDone, tellFailure, activityLog } from '../activity-log/activity-log.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { saveBlob } from '../fields/file/save-blob.ts';
import styles from './backups.module.css';
import { useVerify, VerifyDialog } from './verify-dialog.tsx';
import { BACKUPS_KEY } from './use-backups.ts';
import { http } from '../page/page.ts';
import { freshSignIn } from '../page/vault.ts';
import { countsText } from '@passwordbroker/core/contract/site/backup-counts';

const TONES = {
  await: 'warning',
  creating: 'info',
  created: 'success',
  error: 'danger',
  deleted: 'plain',
} as const satisfies Readonly<Record<BackupState, string>>;

interface Props {
  readonly backup: Backup;
  readonly hasTarget: boolean;
}

export function BackupRow({ backup, hasTarget }: Props) {
  const { state, created_at, file_name, size } = backup;
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
  /** Shown where the column headings are hidden. */
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

/** `percent` is null before the first byte, and where the size is unknown. */
function useDownload(backup: Backup) {
  const [isBusy, setBusy] = useState(false);
  const [percent, setPercent] = useState<number | null>(null);
  const begin = async () => {
    setBusy(true);
    try {
      const progress = (received: number, total: number) =>
        setPercent(total === 0 ? null : Math.floor((received / total) * 100));
      if (await downloadBackup(backup, progress)) tellDone(TEXTS.downloaded(backup.file_name));
    } catch (failure) {
      tellFailure(TEXTS.downloadFailed(reasonOf(failure)));
    }
    setPercent(null);
    setBusy(false);
  };
  return { isBusy, percent, begin };
}

/** Copies to the second target; the list shows the result. */
function useCopy({ backup_id, file_name }: Backup) {
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const begin = async () => {
    setBusy(true);
    try {
      await http.call(copy, { params: { id: backup_id } });
      activityLog.add(COPY_TEXTS.requested(file_name));
    } catch (failure) {
      tellFailure(COPY_TEXTS.requestFailed(reasonOf(failure)));
    }
    await client.invalidateQueries({ queryKey: BACKUPS_KEY });
    setBusy(false);
  };
  return { isBusy, begin };
}

type Named = Pick<Backup, 'backup_id' | 'file_name'>;

/**
 * Returns false if the person cancelled the sign-in.
 * @param onReceived bytes so far and in total (0: unknown)
 */
async function downloadBackup(
  { backup_id, file_name }: Named,
  onReceived: (received: number, total: number) => void,
): Promise<boolean> {
  const blob = await freshSignIn.tryRun(() => http.blob(download, { params: { id: backup_id }, onReceived }));
  if (blob === null) return false;
  saveBlob(blob, file_name);
  return true;
}

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
      {error_message !== null && <span className={styles['failed']}>{translated(error_message)}</span>}
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
      <span className={styles['failed']}>{translated(error_message)}</span>
      {state === 'failed' && next_try_at !== null && (
        <span className={admin['hint']}>{COPY_TEXTS.nextTry(formatTime(next_try_at))}</span>
      )}
    </>
  );
}
