/** Pages behind it belong to somebody who is signed in (docs/spec/product.md §2). */
import { useEffect } from 'react';
import { Navigate, NavigationType, Outlet, useLocation, useNavigationType } from 'react-router';
import { useSession } from './use-session.ts';
import { wayBack } from './way-back.ts';

/** What `/identity/loading` keeps for the way back. */
interface Origin {
  readonly from: string;
}

/** Sends a visitor without a name to `/identity/loading`, in place of this page in the history, remembering where he wanted to go. */
export function SignedInGuard() {
  const { user } = useSession();
  const { pathname, search, hash } = useLocation();
  const from = `${pathname}${search}${hash}`;
  const isGuest = user === null;
  // Where it was known at once who came, the page that he opened is his way back as well.
  const isOpened = useNavigationType() === NavigationType.Pop;
  useEffect(() => {
    if (isGuest || isOpened) wayBack.keep(from);
  }, [isGuest, isOpened, from]);
  if (!isGuest) return <Outlet />;
  const origin: Origin = { from };
  return <Navigate to="/identity/loading" replace state={origin} />;
}

/** For a visitor who came to sign in, and asked for no other page. */
export const HOME: Origin = { from: '/' };

/** What `/identity/loading` was given, or what was kept of it when the page was loaded anew. */
export function keptOrigin(state: unknown): unknown {
  return state ?? { from: wayBack.read() };
}

/** The remembered place: a path of our own, never another site. */
export function originOf(state: unknown): string {
  const from = (state as Partial<Origin> | null)?.from;
  const isOwn = typeof from === 'string' && /^\/(?![/\\])/.test(from) && !from.startsWith('/identity/');
  return isOwn ? from : '/';
}
