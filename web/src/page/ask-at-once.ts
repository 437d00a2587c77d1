import { session } from './page.ts';
/** Who is calling is asked before the rest of the client is made ready: hardly a page can be drawn without the answer. `main.tsx` imports this first. */

/** That page ends the session whoever it is, and asks by itself whose it was. */
const LOGOUT = /^\/identity\/logout\/*$/i;

/** Resolves when it is known who is calling, and never rejects. */
export const isKnown: Promise<void> = LOGOUT.test(location.pathname) ? Promise.resolve() : session.check();
