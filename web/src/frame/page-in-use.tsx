/** The page of the address, or why it cannot be shown without the server. It begins anew when the database changes: shown values are gone with it. */
import { Outlet, useLocation } from 'react-router';
import { ToOnline } from '../offline/to-online.tsx';
import { OFFLINE_TEXTS as TEXTS } from '../texts/offline.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { useWhyNot } from '../vault/use-vault.ts';
import styles from './page-in-use.module.css';

/** What the local copy has no answer to. */
const NEEDS_SERVER = /^\/(?:admin|account|trash|leavers)(?:\/|$)/;

export function PageInUse() {
  const whyNot = useWhyNot();
  const { pathname } = useLocation();
  if (whyNot === null || !NEEDS_SERVER.test(pathname)) return <Outlet />;
  return (
    <div className={styles['centre']}>
      <EmptyState title={TEXTS.needsServer} text={whyNot} isPageHeading action={<ToOnline />} />
    </div>
  );
}
