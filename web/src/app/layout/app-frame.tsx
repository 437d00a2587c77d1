/** Layout of every page behind sign-in. */
import { QueryClientProvider } from '@tanstack/react-query';
import {
  type ReactNode,
  type RefObject,
  Suspense,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { Outlet, useLocation, useMatch, useNavigation } from 'react-router';
import { ActivityLogPanel, useLogPanel } from '../../activity-log/activity-log-panel.tsx';
import { NewBuildNotice } from '../new-build/new-build-notice.tsx';
import { FactorBanners } from '../../factors/factor-banners.tsx';
import { SidePanel } from '../../groups/tree/side-panel.tsx';
import { clipboard } from '../../lib/clipboard.ts';
import { lazyPart } from '../../lib/chunk.ts';
import { MasterPasswordEdge } from '../../master-password/master-password-icon.tsx';
import { MasterPasswordModal } from '../../master-password/master-password-modal.tsx';
import { WeakPasswordBanners } from '../../master-password/weak-password-banners.tsx';
import { OwnKeysGate } from '../../master-password/own-keys-gate.tsx';
import { RecoveryKitBanner, RecoveryKitGate } from '../../recovery-kit/kit-gate.tsx';
import { ConfirmPasswordDialog } from '../../session/confirm-password-dialog.tsx';
import { OfflineBanner, LockedCopy, useLockedCopy, ToOnline } from '../../offline/offline-banner.tsx';
import { useOfflineNotices } from '../../offline/use-offline.ts';
import { readsSite, useSession } from '../../session/use-session.ts';
import { CLIPBOARD_TEXTS } from '../../texts/entries/trash-and-activity.ts';
import { FRAME_TEXTS as TEXTS } from '../../texts/frame.ts';
import { AccountTrustBanners } from '../../trust/account-trust-banners.tsx';
import { TrustQuestionDialogs } from '../../trust/questions/trust-question-dialogs.tsx';
import { useVault, useWhyNot } from '../../vault/use-vault.ts';
import styles from './app-frame.module.css';
import { Header } from './header.tsx';
import { useRouteFocus } from '../navigation/navigation.tsx';
import { Launcher } from '../launch/launcher.tsx';
import { showDensity } from '../theme/density.ts';
import { ToastRegion } from '@passwordbroker/ui/feedback/toast-region';
import { OFFLINE_TEXTS } from '../../texts/offline.ts';
import { EmptyState } from '@passwordbroker/ui/feedback/empty-state';
import { queries } from '../../page/vault.ts';

showDensity();

/** Part of this chunk, so that warming up needs no second file. */
export { warmUpTree } from '../../groups/tree/warm-up-tree.tsx';

const AdminMenu = lazyPart('AdminMenu', () => import('../../admin/admin-menu.tsx'));

/** Loaded with the query cache, only after sign-in. */
export function AppFrame() {
  return (
    <QueryClientProvider client={queries}>
      <Frame />
    </QueryClientProvider>
  );
}

/** Where the admin menu replaces the group tree. */
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
          <FactorBanners />
          <WeakPasswordBanners />
          <RecoveryKitBanner />
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
        <footer className={styles['foot']}>
          <span className={styles['product']}>{TEXTS.footer}</span>
          <ClipboardCountdown />
        </footer>
      </div>
      <MasterPasswordModal />
      <TrustQuestionDialogs />
      <OwnKeysGate />
      <RecoveryKitGate />
      <ConfirmPasswordDialog />
      <Launcher />
      <ToastRegion />
    </div>
  );
}

const SECOND = 1000;

/** Shows how long a copied secret stays in the clipboard. */
function ClipboardCountdown() {
  const clearsAt = useSyncExternalStore(clipboard.subscribe, clipboard.clearsAt);
  return clearsAt === null ? null : <SecondsLeft until={clearsAt} />;
}

function SecondsLeft({ until }: { readonly until: number }) {
  const left = useSyncExternalStore(everySecond, () => Math.max(0, Math.ceil((until - Date.now()) / SECOND)));
  return (
    <div className={styles['clears']} role="timer">
      {left === 0 ? CLIPBOARD_TEXTS.clearsOnReturn : CLIPBOARD_TEXTS.clears(left)}
    </div>
  );
}

function everySecond(listener: () => void) {
  const timer = setInterval(listener, SECOND);
  return () => clearInterval(timer);
}

interface MainProps {
  readonly ref: RefObject<HTMLElement | null>;
  readonly isInert: boolean;
  readonly children: ReactNode;
}

/** While the next page loads, the page stays and is marked busy. */
function Main({ ref, isInert, children }: MainProps) {
  const isBusy = useNavigation().state !== 'idle';
  return (
    <main ref={ref} id="main" className={styles['main']} tabIndex={-1} inert={isInert} aria-busy={isBusy || undefined}>
      {children}
    </main>
  );
}

/** Pages that the local copy cannot show. */
const NEEDS_SERVER = /^\/(?:admin|account|notices|trash|leavers)(?:\/|$)/;

/** The page, or why it needs the server. Remounted when the vault switches, which drops shown values. */
function PageInUse() {
  const whyNot = useWhyNot();
  const { pathname } = useLocation();
  if (whyNot === null || !NEEDS_SERVER.test(pathname)) return <Outlet />;
  return (
    <div className={styles['centre']}>
      <EmptyState title={OFFLINE_TEXTS.needsServer} text={whyNot} isPageHeading action={<ToOnline />} />
    </div>
  );
}

/** Below this width the groups are a drawer (app-frame.module.css). */
const NARROW = '(max-width: 960px)';

interface Drawer {
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly close: () => void;
}

/** Takes the focus and returns it. Escape, a new page or a wider window closes it. */
function useDrawer(panel: RefObject<HTMLElement | null>): Drawer {
  const { pathname } = useLocation();
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  const isOpen = openedAt === pathname;

  // On navigation, useRouteFocus moves the focus to the new heading after this cleanup.
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const opener = document.activeElement;
    panel.current?.focus();
    const close = () => setOpenedAt(null);
    const closeByKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape' && document.querySelector('dialog[open]') === null) close();
    };
    const narrow = matchMedia(NARROW);
    addEventListener('keydown', closeByKey);
    narrow.addEventListener('change', close);
    return () => {
      removeEventListener('keydown', closeByKey);
      narrow.removeEventListener('change', close);
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, [isOpen, panel]);

  return { isOpen, open: () => setOpenedAt(pathname), close: () => setOpenedAt(null) };
}
