/** Asks who is calling, then goes where that person belongs (specification §2). */
import { useEffect } from 'react';
import { Navigate, useLocation } from 'react-router';
import { originOf } from '../session/guard.tsx';
import { session } from '../session/session.ts';
import { useSession } from '../session/use-session.ts';
import { IDENTITY_TEXTS as TEXTS } from '../texts/identity.ts';
import { WaitingPage } from './identity-frame.tsx';

const PAGES = { login: '/identity/login', signup: '/identity/signup', network_error: '/identity/login' } as const;

export function LoadingPage() {
  const { status } = useSession();
  const { state } = useLocation() as { state: unknown };
  useEffect(() => {
    if (status === 'loading') void session.check();
  }, [status]);
  if (status === 'loading') return <WaitingPage text={TEXTS.loading} />;
  if (status === 'logged-in') return <Navigate to={originOf(state)} replace />;
  return <Navigate to={PAGES[status]} replace state={state} />;
}
