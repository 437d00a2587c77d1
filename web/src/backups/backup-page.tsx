/** `/admin/backup/`: schedule and list of backups (docs/spec/product.md §2). */
import admin from '../admin/admin.module.css';
import { Failed, Waiting } from '../admin/list-state.tsx';
import { usePageTitle } from '../app/navigation/use-page-title.ts';
import { ADMIN_BACKUP_TEXTS as TEXTS } from '../texts/admin-backup.ts';
import { BackupSection } from './backup-section.tsx';
import { ScheduleForm } from './schedule-form.tsx';
import { SecondTarget } from './second-target.tsx';
import { useBackupSettings } from './use-backup-settings.ts';

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
