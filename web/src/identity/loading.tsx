/** Asks the server for the session status, then redirects (docs/spec/product.md §2). */
import { Suspense, useEffect } from 'react';
import { useLocation } from 'react-router';
import { lazyPart } from '../lib/chunk.ts';
import { keptOrigin, originOf } from '../session/guard.tsx';
import { useSession } from '../session/use-session.ts';
import { IDENTITY_TEXTS as TEXTS } from '../texts/identity/identity.ts';
import { RedirectPage, WaitingPage } from './identity-frame.tsx';
import { session } from '../page/page.ts';

const PAGES = {
  login: '/identity/login',
  signup: '/identity/signup',
  'initial recovery': '/identity/initialRecovery',
} as const;

const UnreachablePage = lazyPart('UnreachablePage', () => import('./unreachable.tsx'));

export function LoadingPage() {
  const { status } = useSession();
  const state = keptOrigin((useLocation() as { state: unknown }).state);
  useEffect(() => {
    if (status === 'loading') void session.check();
  }, [status]);
  if (status === 'loading') return <WaitingPage text={TEXTS.loading} />;
  if (status === 'logged-in') return <RedirectPage to={originOf(state)} />;
  if (status === 'network_error') {
    return (
      <Suspense fallback={<WaitingPage text={TEXTS.loading} />}>
        <UnreachablePage />
      </Suspense>
    );
  }
  return <RedirectPage to={PAGES[status]} state={state} />;
}
