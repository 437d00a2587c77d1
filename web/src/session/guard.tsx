import { useEffect } from 'react';
import { Navigate, NavigationType, Outlet, useLocation, useNavigationType } from 'react-router';
import { useSession } from './use-session.ts';

/** State of `/identity/loading`: the path to return to. */
interface Origin {
  readonly from: string;
}

/** Redirects guests to `/identity/loading` with the requested path (docs/spec/product.md §2), others who must finish their set-up to its page. */
export function SignedInGuard() {
  const { user, restriction } = useSession();
  const { pathname, search, hash } = useLocation();
  const from = `${pathname}${search}${hash}`;
  const isGuest = user === null;
  // If the session status was known at once, the opened page is stored already.
  const isOpened = useNavigationType() === NavigationType.Pop;
  useEffect(() => {
    if (isGuest || restriction || isOpened) pendingNavigation.keep(from);
  }, [isGuest, restriction, isOpened, from]);
  if (restriction) return <Navigate to="/identity/enrol" replace />;
  if (!isGuest) return <Outlet />;
  const origin: Origin = { from };
  return <Navigate to="/identity/loading" replace state={origin} />;
}

export const HOME: Origin = { from: '/' };

/** The state of `/identity/loading`, or the stored one after a reload. */
export function keptOrigin(state: unknown): unknown {
  return state ?? { from: pendingNavigation.read() };
}

/** The requested path; other origins and identity pages are rejected. */
export function originOf(state: unknown): string {
  const from = (state as Partial<Origin> | null)?.from;
  const isOwn = typeof from === 'string' && /^\/(?![/\\])/.test(from) && !from.startsWith('/identity/');
  return isOwn ? from : '/';
}

/** The path to return to, in sessionStorage: a reload during a redirect loses the history state. */
const KEPT = 'passwordbroker.way-back';

export const pendingNavigation = {
  keep(path: string): void {
    try {
      sessionStorage.setItem(KEPT, path);
    } catch {
      // The history state has the path.
    }
  },
  read(): string | null {
    try {
      return sessionStorage.getItem(KEPT);
    } catch {
      return null;
    }
  },
  forget(): void {
    try {
      sessionStorage.removeItem(KEPT);
    } catch {
      // Nothing to remove.
    }
  },
};
