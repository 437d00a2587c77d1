/** `/admin/backup/` (docs/spec/product.md §2). */
import { translated } from '@passwordbroker/core/texts';
import { type BackupSettings, settings, type BackupStatus } from '@passwordbroker/core/contract/site/backups';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import admin from '../admin/admin.module.css';
import { Failed, Waiting } from '../admin/list-parts.tsx';
import { usePageTitle } from '../app/navigation/use-page-title.ts';
import { ADMIN_BACKUP_TEXTS as TEXTS, BACKUP_COPY_TEXTS } from '../texts/admin/backup.ts';
import { checkAgain } from '../checkup/use-checkup.ts';
import { BackupSection } from './backup-section.tsx';
import { ScheduleForm } from './schedule-form.tsx';
import { http } from '../page/page.ts';
import { useId } from 'react';
import { formatTime } from '../lib/format.ts';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import styles from './backups.module.css';
import { useBackupStatus } from './use-backups.ts';
import { Link, useMatch } from 'react-router';
import { ADMIN_PATHS } from '../admin/admin-paths.ts';

export function BackupPage() {
  usePageTitle(TEXTS.page);
  const settings = useBackupSettings();
  return (
    <div className={admin['page']}>
      <header className={admin['head']}>
        <h1 className={admin['heading']}>{TEXTS.page}</h1>
      </header>
      {settings.error !== null && !settings.isFetching && (
        <Failed text={TEXTS.settingsFailed} failure={settings.error} onRetry={() => void settings.refetch()} />
      )}
      {settings.data === undefined && settings.error === null && <Waiting text={TEXTS.settingsLoading} />}
      {settings.data !== undefined && <ScheduleForm settings={settings.data} onSaved={settings.keep} />}
      {/* After the form has its height, so that nothing moves. */}
      {(settings.data !== undefined || settings.error !== null) && (
        <>
          <SecondTarget />
          <BackupSection />
        </>
      )}
    </div>
  );
}

const KEY = ['admin', 'backup-settings'] as const;

function useBackupSettings() {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => http.call(settings, { signal }),
    networkMode: 'always',
    retry: false,
    staleTime: 0,
    // A refetch would overwrite edits.
    refetchOnWindowFocus: false,
  });
  const keep = (saved: BackupSettings) => {
    client.setQueryData(KEY, saved);
    void checkAgain(client);
  };
  return { ...query, keep };
}

function SecondTarget() {
  const title = useId();
  const { data, error, isFetching, refetch } = useBackupStatus();
  return (
    <section className={`${styles['card']} ${styles['second']}`} aria-labelledby={title}>
      <div className={styles['head']}>
        <h2 id={title}>{BACKUP_COPY_TEXTS.title}</h2>
      </div>
      {data === undefined && error === null && <Waiting text={BACKUP_COPY_TEXTS.loading} />}
      {error !== null && !isFetching && (
        <Failed text={BACKUP_COPY_TEXTS.statusFailed} failure={error} onRetry={() => void refetch()} />
      )}
      {data?.second_target === null && <p className={admin['soft']}>{BACKUP_COPY_TEXTS.none}</p>}
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
        <dt>{BACKUP_COPY_TEXTS.target}</dt>
        <dd className={admin['code']}>{target.target}</dd>
        <dt>{BACKUP_COPY_TEXTS.lastCopy}</dt>
        <dd className={admin['date']}>
          {target.last_copy_at === null ? BACKUP_COPY_TEXTS.never : formatTime(target.last_copy_at)}
        </dd>
      </dl>
      {target.error_message !== null && <MessageBox tone="danger" lines={[translated(target.error_message)]} />}
      {isReadable && (
        <MessageBox tone="warning" title={BACKUP_COPY_TEXTS.readable} lines={[BACKUP_COPY_TEXTS.readableWhat]} />
      )}
    </>
  );
}

/** Above every admin page: no backup, or no copy of one, for a day. */
export function BackupWarning() {
  const { data } = useBackupStatus();
  const isOnPage = useMatch(ADMIN_PATHS.backup) !== null;
  const copy = data?.second_target;
  const lines = [
    ...(data?.overdue === true
      ? [`${BACKUP_COPY_TEXTS.overdue} ${BACKUP_COPY_TEXTS.lastBackup(timeOf(data.last_backup_at))}`]
      : []),
    ...(copy?.overdue === true
      ? [[BACKUP_COPY_TEXTS.copyOverdue, translated(copy.error_message ?? '')].join(' ').trim()]
      : []),
  ];
  if (lines.length === 0) return null;
  return (
    <div className={styles['warning']}>
      <MessageBox tone="warning" lines={lines}>
        {!isOnPage && (
          <p>
            <Link to={ADMIN_PATHS.backup} className={admin['back']}>
              {BACKUP_COPY_TEXTS.openBackups}
            </Link>
          </p>
        )}
      </MessageBox>
    </div>
  );
}

const timeOf = (time: string | null) => (time === null ? BACKUP_COPY_TEXTS.never : formatTime(time));
