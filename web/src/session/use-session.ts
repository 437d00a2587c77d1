/** The session of this page for components. */
import { useSyncExternalStore } from 'react';
import { NavigationType, useNavigationType } from 'react-router';
import type { AuthStatus } from '@passwordbroker/client/session/auth-status';
import type { SessionView } from '@passwordbroker/client/session/session';
import { session } from '../page/page.ts';

export function useSession(): SessionView {
  return useSyncExternalStore(session.subscribe, session.view);
}

/**
 * Whether `/identity/loading` is to lead on whoever came to a page of signing in: nobody has asked yet who he is, or he opened the page by its address and it is not
 * the one of his status.
 */
export function useIsLedOn(...own: readonly AuthStatus[]): boolean {
  const { status } = useSession();
  const isOpened = useNavigationType() === NavigationType.Pop;
  return status === 'loading' || (isOpened && !own.includes(status));
}
