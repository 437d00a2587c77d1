/** Signing out: the row of the session or token goes, so a copy of the cookie opens nothing any more. Guests may sign out, too. */
import { recordEvent } from '../audit/audit-log.ts';
import type { RequestContext } from '../http/context.ts';
import { setCsrfCookie } from '../http/auth/csrf.ts';
import { startGuestSession } from '../http/auth/session.ts';
import { deleteSession } from '../http/auth/session-repository.ts';

export const SIGNED_OUT = { message: 'Logged Out' } as const;

export async function signOut(context: RequestContext): Promise<{ message: string }> {
  const { deps, actor, head, origin } = context;
  if (actor !== null) {
    await deps.db.transactBeside(async (tx) => {
      await deleteSession(tx, actor.sessionId);
      await recordEvent(tx, deps, { event_type: 'logout', actor, origin });
    });
  }
  // A token leaves nothing in the browser.
  if (context.header('authorization') !== null) return SIGNED_OUT;
  if (actor !== null) head.setHeader('clear-site-data', '"cache"');
  // The next form that is sent needs a token of the new state.
  setCsrfCookie(head, startGuestSession(deps, head));
  return SIGNED_OUT;
}
