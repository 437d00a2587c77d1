/** Read-only for auditors (docs/spec/decisions.md I7, I14). Redirects everyone else to the groups. */
import { useEffect } from 'react';
import { Navigate, type RouteObject, useRoutes } from 'react-router';
import { OffboardingPage } from '../offboarding/offboarding-page.tsx';
import { BackupPage, BackupWarning } from '../backups/backup-page.tsx';
import { usePageTitle } from '../app/navigation/use-page-title.ts';
import { AllServices } from '../service-accounts/open-services.tsx';
import { readsSite, useMayChange, useSession } from '../session/use-session.ts';
import { CheckupPage } from '../checkup/checkup-page.tsx';
import { ADMIN_TEXTS as TEXTS } from '../texts/admin/admin.ts';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { toast } from '@passwordbroker/ui/feedback/toast';
import styles from './admin.module.css';
import { ADMIN_PATHS } from './admin-paths.ts';
import { CreateUserPage } from './user-form/create-user-page.tsx';
import { EditUserPage } from './user-form/edit-user-page.tsx';
import { InvitePage } from './invites/invite-page.tsx';
import { LogsPage } from './logs/logs-page.tsx';
import { ProvidersPage } from './providers/providers-page.tsx';
import { SettingsPage } from './settings/settings-page.tsx';
import { TokensPage } from './tokens-page.tsx';
import { UsersPage } from './users/users-page.tsx';
import { useStorage } from './settings/use-settings.ts';

export function AdminPage() {
  const { user } = useSession();
  const isReader = readsSite(user);
  const mayChange = useMayChange();
  useEffect(() => {
    if (!isReader) toast(TEXTS.refused, { tone: 'danger' });
  }, [isReader]);
  if (!isReader) return <Navigate to="/" replace />;
  return (
    <>
      {!globalThis.isSecureContext && <MessageBox tone="danger" lines={[TEXTS.needsHttps]} />}
      <DiskWarning />
      <BackupWarning />
      {!mayChange && <p className={styles['readOnly']}>{TEXTS.readOnly}</p>}
      {mayChange ? <Pages /> : <ReadingPages />}
    </>
  );
}

const READING: RouteObject[] = [
  { index: true, element: <Navigate to={ADMIN_PATHS.users} replace /> },
  { path: 'user_control', element: <UsersPage /> },
  { path: 'user_control/invite', element: <InvitePage /> },
  { path: 'user_control/tokens', element: <TokensPage /> },
  { path: 'checkup', element: <CheckupPage /> },
  { path: 'settings', element: <SettingsPage /> },
  { path: 'providers', element: <ProvidersPage /> },
  { path: 'logs', element: <LogsPage /> },
  { path: 'backup', element: <BackupPage /> },
  { path: '*', element: <Navigate to={ADMIN_PATHS.users} replace /> },
];

const PAGES: RouteObject[] = [
  { path: 'user_control/add', element: <CreateUserPage /> },
  { path: 'user_control/update/:userId', element: <EditUserPage /> },
  { path: 'user_control/offboard/:userId', element: <OffboardingPage /> },
  { path: 'user_control/services', element: <ServicesPage /> },
  ...READING,
];

const Pages = () => useRoutes(PAGES);
const ReadingPages = () => useRoutes(READING);

/** `/admin/user_control/services` */
function ServicesPage() {
  usePageTitle(TEXTS.serviceAccounts);
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <h1 className={styles['heading']}>{TEXTS.serviceAccounts}</h1>
      </header>
      <AllServices />
    </div>
  );
}

function DiskWarning() {
  const problem = useStorage().data?.disk.problem ?? null;
  if (problem === null) return null;
  return (
    <div className={styles['warning']}>
      <MessageBox tone="danger" lines={[problem]} />
    </div>
  );
}
