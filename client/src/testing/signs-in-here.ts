/** Session options of a browser that uses only its own server and has no copies. */
import type { LocalSide } from '../session/local-side.ts';
import type { Servers } from '../session/servers.ts';

export const ownServer = (): Servers => ({
  chosen: () => null,
  choose: () => undefined,
  hasOthers: () => false,
  records: () => Promise.reject(new Error('no other servers here')),
});

export const noCopies = (): LocalSide => ({
  hasCopyOf: async () => false,
  nobodyIsSignedIn: async () => undefined,
  forgetCopyOf: async () => undefined,
  owesLogout: () => false,
  setOwesLogout: () => undefined,
});
