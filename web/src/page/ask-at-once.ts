import { session } from './page.ts';
/** A module of its own: `start.tsx` imports it first, so the request is sent before the rest of the client runs. */

/** The logout page needs no status. */
const LOGOUT = /^\/identity\/logout\/*$/i;

/** The session status is known. Never rejects. */
export const isKnown: Promise<void> = LOGOUT.test(location.pathname) ? Promise.resolve() : session.check();
