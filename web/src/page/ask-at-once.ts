import { session } from './page.ts';
/** Requests the session status before the rest of the client loads. `main.tsx` imports this first. */

/** The logout page ends any session and needs no status. */
const LOGOUT = /^\/identity\/logout\/*$/i;

/** Resolves when the session status is known. Never rejects. */
export const isKnown: Promise<void> = LOGOUT.test(location.pathname) ? Promise.resolve() : session.check();
