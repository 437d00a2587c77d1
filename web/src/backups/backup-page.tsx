/** `/admin/backup/`: schedule and list of backups (docs/spec/product.md §2). */
import { type BackupSettings, settings } from '@passwordbroker/core/contract/site/backups';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import admin from '../admin/admin.module.css';
import { Failed, Waiting } from '../admin/list-state.tsx';
import { usePageTitle } from '../app/navigation/use-page-title.ts';
import { ADMIN_BACKUP_TEXTS as TEXTS } from '../texts/admin/backup.ts';
import { checkAgain } from '../checkup/use-checkup.ts';
import { BackupSection } from './backup-section.tsx';
import { ScheduleForm } from './schedule-form.tsx';
import { SecondTarget } from './second-target.tsx';
import { http } from '../page/page.ts';

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
      {/* Rendered once the form has its height, so that nothing moves. */}
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
