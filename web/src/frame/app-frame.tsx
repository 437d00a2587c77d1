/** Header, groups, content, footer; the modal of the master password and the notices lie above all of them. */
import { QueryClientProvider } from '@tanstack/react-query';
import { Suspense, useEffect, useRef, useState } from 'react';
import { Outlet, useLocation } from 'react-router';
import { ActivityLogPanel } from '../activity-log/activity-log-panel.tsx';
import { SidePanel } from '../entry-groups/side-panel.tsx';
import { MasterPasswordEdge } from '../master-password/master-password-edge.tsx';
import { MasterPasswordModal } from '../master-password/master-password-modal.tsx';
import { FRAME_TEXTS as TEXTS } from '../texts/frame.ts';
import { queries } from '../vault/queries.ts';
import styles from './app-frame.module.css';
import { Header } from './header.tsx';

/** The frame with the cache of reads around it; both load after sign-in only. */
export function AppFrame() {
  return (
    <QueryClientProvider client={queries}>
      <Frame />
    </QueryClientProvider>
  );
}

function Frame() {
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const [isLogOpen, setLogOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const isFirst = useRef(true);

  useEffect(() => {
    setDrawerOpen(false);
    // A new page is read from its heading on; the first one keeps the browser's own focus.
    if (!isFirst.current) main.current?.focus();
    isFirst.current = false;
    main.current?.scrollTo(0, 0);
  }, [pathname]);

  useEffect(() => {
    if (!isDrawerOpen) return undefined;
    const close = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setDrawerOpen(false);
    };
    addEventListener('keydown', close);
    return () => removeEventListener('keydown', close);
  }, [isDrawerOpen]);

  return (
    <div className={styles['frame']}>
      <div className={styles['app']} data-drawer={isDrawerOpen ? 'open' : 'closed'}>
        <a className={styles['skip']} href="#main">
          {TEXTS.skip}
        </a>
        <div className={styles['edge']}>
          <MasterPasswordEdge />
        </div>
        <Header
          isDrawerOpen={isDrawerOpen}
          onDrawer={() => setDrawerOpen(true)}
          isLogOpen={isLogOpen}
          onLog={() => setLogOpen(!isLogOpen)}
        />
        <aside className={styles['side']} aria-label={TEXTS.groups}>
          <SidePanel onChosen={() => setDrawerOpen(false)} />
        </aside>
        <div className={styles['scrim']} onClick={() => setDrawerOpen(false)} aria-hidden="true" />
        <main ref={main} id="main" className={styles['main']} tabIndex={-1}>
          <Suspense fallback={null}>
            <Outlet />
          </Suspense>
        </main>
        {isLogOpen && (
          <div className={styles['log']}>
            <ActivityLogPanel onClose={() => setLogOpen(false)} />
          </div>
        )}
        <footer className={styles['foot']}>{TEXTS.footer}</footer>
      </div>
      <MasterPasswordModal />
    </div>
  );
}
