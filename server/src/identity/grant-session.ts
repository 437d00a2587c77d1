/** The one place where a session is granted. Whatever yields one (sign-in, first sign-up, an accepted invitation) ends here. */
import type { Transact } from '../db/database.ts';
import type { Deps, RequestContext } from '../http/context.ts';
import { setCsrfCookie } from '../http/csrf.ts';
import { ABSOLUTE_MS, hashOfSecret, newSessionSecret, setSessionCookie } from '../http/session.ts';
import { deleteSession, insertSession } from '../http/session-repository.ts';

/**
 * Makes a session for the person and ends the one that the request held. The secret of before is never taken over (fixation). The cookies
 * are handed out by the returned function, after the commit.
 */
export async function grantSession(
  tx: Transact,
  deps: Deps,
  context: RequestContext,
  user: { readonly userId: string; readonly epoch: number },
): Promise<() => void> {
  const secret = newSessionSecret();
  const now = deps.clock.now();
  if (context.actor !== null) await deleteSession(tx, context.actor.sessionId);
  await insertSession(tx, {
    session_id: deps.newId(),
    secret_hash: hashOfSecret(secret),
    kind: 'cookie',
    user_id: user.userId,
    epoch: user.epoch,
    name: null,
    scopes: null,
    address: context.origin.address,
    user_agent: context.origin.userAgent,
    created_at: now,
    last_seen_at: now,
    expires_at: now + ABSOLUTE_MS,
    confirmed_at: now,
  });
  return () => {
    setSessionCookie(deps, context.head, secret);
    setCsrfCookie(context.head, secret);
  };
}
