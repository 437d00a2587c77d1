/** Header, groups, content, footer; the modal of the master password and the notices lie above all of them. */
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, type RefObject, Suspense, lazy, useRef } from 'react';
import { useMatch, useNavigation } from 'react-router';
import { ActivityLogPanel } from '../activity-log/activity-log-panel.tsx';
import { NewBuildNotice } from '../app-shell/new-build-notice.tsx';
import { SidePanel } from '../entry-groups/side-panel.tsx';
import { loadChunk } from '../lib/chunk.ts';
import { MasterPasswordEdge } from '../master-password/master-password-edge.tsx';
import { MasterPasswordModal } from '../master-password/master-password-modal.tsx';
import { WeakPasswordBanners } from '../master-password/weak-password-banners.tsx';
import { OwnKeysGate } from '../master-password/own-keys-gate.tsx';
import { ConfirmPasswordDialog } from '../session/confirm-password-dialog.tsx';
import { OfflineBanner } from '../offline/offline-banner.tsx';
import { useOfflineNotices } from '../offline/use-offline-notices.ts';
import { LockedCopy, useLockedCopy } from '../offline/locked-copy.tsx';
import { readsSite } from '../session/site-role.ts';
import { useSession } from '../session/use-session.ts';
import { FRAME_TEXTS as TEXTS } from '../texts/frame.ts';
import { AccountTrustBanners } from '../trust/account-trust-banners.tsx';
import { TrustQuestionDialogs } from '../trust/trust-question-dialogs.tsx';
import { queries } from '../vault/queries.ts';
import { useVault } from '../vault/use-vault.ts';
import styles from './app-frame.module.css';
import { Header } from './header.tsx';
import { PageInUse } from './page-in-use.tsx';
import { useDrawer } from './use-drawer.ts';
import { useLogPanel } from './use-log-panel.ts';
import { useRouteFocus } from './use-route-focus.ts';
import { ToastRegion } from '../ui/toast-region.tsx';

/** For whoever waits to see this frame: it comes with the same file. */
export { rehearseTree } from '../entry-groups/rehearse-tree.tsx';

const AdminMenu = lazy(async () => ({
  default: (await loadChunk('AdminMenu', () => import('../admin/admin-menu.tsx'))).AdminMenu,
}));

/** The frame with the cache of reads around it; both load after sign-in only. */
export function AppFrame() {
  return (
    <QueryClientProvider client={queries}>
      <Frame />
    </QueryClientProvider>
  );
}

/** The admin panel has its menu where the groups stand; whoever may not see it keeps the groups until he is led away. */
function useAdminArea(): boolean {
  const { user } = useSession();
  return useMatch('/admin/*') !== null && readsSite(user);
}

function Frame() {
  const side = useRef<HTMLElement>(null);
  const main = useRef<HTMLElement>(null);
  const logBox = useRef<HTMLDivElement>(null);
  const drawer = useDrawer(side);
  const log = useLogPanel(logBox, main);
  const isAdminArea = useAdminArea();
  useRouteFocus(main);
  useOfflineNotices();
  const { mode } = useVault();
  const isLocked = useLockedCopy();

  return (
    <div className={styles['frame']}>
      <div className={styles['app']} data-drawer={drawer.isOpen ? 'open' : 'closed'}>
        <a className={styles['skip']} href="#main" inert={drawer.isOpen}>
          {isAdminArea ? TEXTS.skipMenu : TEXTS.skip}
        </a>
        <div className={styles['edge']}>
          <MasterPasswordEdge />
        </div>
        <Header
          isAdminArea={isAdminArea}
          isDrawerOpen={drawer.isOpen}
          onDrawer={drawer.open}
          isLogOpen={log.isOpen}
          onLog={log.toggle}
        />
        <div className={styles['notices']} inert={drawer.isOpen}>
          <OfflineBanner />
          <WeakPasswordBanners />
          <AccountTrustBanners />
          <NewBuildNotice />
        </div>
        <aside ref={side} className={styles['side']} aria-label={isAdminArea ? TEXTS.menu : TEXTS.groups} tabIndex={-1}>
          {isAdminArea ? (
            <Suspense fallback={null}>
              <AdminMenu onChosen={drawer.close} />
            </Suspense>
          ) : (
            !isLocked && <SidePanel key={mode} onChosen={drawer.close} />
          )}
          {drawer.isOpen && (
            <button type="button" className={styles['shut']} onClick={drawer.close}>
              {isAdminArea ? TEXTS.closeMenu : TEXTS.closeGroups}
            </button>
          )}
        </aside>
        <div className={styles['scrim']} onClick={drawer.close} aria-hidden="true" />
        <Main ref={main} isInert={drawer.isOpen}>
          {isLocked ? (
            <LockedCopy />
          ) : (
            <Suspense fallback={null}>
              <PageInUse key={mode} />
            </Suspense>
          )}
        </Main>
        {log.isOpen && (
          <div ref={logBox} className={styles['log']} data-until-escape inert={drawer.isOpen}>
            <ActivityLogPanel onClose={log.close} />
          </div>
        )}
        <footer className={styles['foot']}>{TEXTS.footer}</footer>
      </div>
      <MasterPasswordModal />
      <TrustQuestionDialogs />
      <OwnKeysGate />
      <ConfirmPasswordDialog />
      <ToastRegion />
    </div>
  );
}

interface MainProps {
  readonly ref: RefObject<HTMLElement | null>;
  readonly isInert: boolean;
  readonly children: ReactNode;
}

/** The page. It stays, and is busy, until the next page can be shown. */
function Main({ ref, isInert, children }: MainProps) {
  const isBusy = useNavigation().state !== 'idle';
  return (
    <main ref={ref} id="main" className={styles['main']} tabIndex={-1} inert={isInert} aria-busy={isBusy || undefined}>
      {children}
    </main>
  );
}
