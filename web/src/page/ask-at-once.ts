import { session } from './page.ts';
/** Runs before the rest of the client loads: `main.tsx` imports it first. */

/** The logout page needs no status. */
const LOGOUT = /^\/identity\/logout\/*$/i;

/** The session status is known. Never rejects. */
export const isKnown: Promise<void> = LOGOUT.test(location.pathname) ? Promise.resolve() : session.check();
