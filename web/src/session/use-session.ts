import { useSyncExternalStore } from 'react';
import { NavigationType, useNavigationType } from 'react-router';
import type { AuthStatus } from '@passwordbroker/client/session/auth-status';
import type { SessionView } from '@passwordbroker/client/session/session';
import { session } from '../page/page.ts';
import type { User } from '@passwordbroker/core/contract/users/user';

export function useSession(): SessionView {
  return useSyncExternalStore(session.subscribe, session.view);
}

/**
 * Whether to redirect to `/identity/loading`: the status is unknown, or the page was opened by its address
 * and does
 * not match it.
 */
export function useIsLedOn(...own: readonly AuthStatus[]): boolean {
  const { status } = useSession();
  const isOpened = useNavigationType() === NavigationType.Pop;
  return status === 'loading' || (isOpened && !own.includes(status));
}

/** Site admins and auditors may see the admin panel (docs/spec/decisions.md I14). */
export const readsSite = (user: User | null): boolean => user?.is_admin === true || user?.is_auditor === true;

export const useMayChange = (): boolean => useSession().user?.is_admin === true;
