/** Whom a link invites, as states (docs/spec/product.md §4): in process → done or error. */
import { read } from '@passwordbroker/core/contract/users/invites';
import { AppError } from '@passwordbroker/core/contract/problem';
import { useCallback, useEffect, useState } from 'react';
import { http } from '../lib/http.ts';
import { inviterIn } from '../lib/inviter-fragment.ts';
import { reasonOf } from '../lib/reason.ts';
import { session } from '../session/session.ts';
import type { Invited } from './use-sign-up.ts';

export type Invitation =
  | { readonly state: 'in process' }
  | { readonly state: 'done'; readonly invited: Invited }
  /** `reason` null: the link is unknown, used, revoked or expired, and the server does not say which. */
  | { readonly state: 'error'; readonly reason: string | null };

export function useInvitation(token: string): { readonly invitation: Invitation; readonly retry: () => void } {
  const [tries, setTries] = useState(0);
  const attempt = `${tries} ${token}`;
  const [found, setFound] = useState<{ readonly of: string; readonly invitation: Invitation } | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    invitationOf(token, leaving.signal).then(
      (invited) => setFound({ of: attempt, invitation: { state: 'done', invited } }),
      (failure: unknown) => {
        if (leaving.signal.aborted) return;
        const isGone = failure instanceof AppError && failure.code === 'not_found';
        const reason = isGone ? null : reasonOf(failure);
        setFound({ of: attempt, invitation: { state: 'error', reason } });
      },
    );
    return () => leaving.abort();
  }, [token, attempt]);
  const invitation: Invitation = found?.of === attempt ? found.invitation : { state: 'in process' };
  return { invitation, retry: useCallback(() => setTries((count) => count + 1), []) };
}

/** The link speaks of the server that this page came from, wherever one was signed in before. */
async function invitationOf(token: string, signal: AbortSignal): Promise<Invited> {
  const { server, status } = session.view();
  if (server !== null) await session.changeServer(null);
  else if (status === 'loading') await session.check();
  const { name, email } = await http.call(read, { params: { token }, signal });
  return { token, name, email, inviter: inviterIn(location.hash) };
}
