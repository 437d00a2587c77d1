/** Session options of a browser, with other servers or without, that has no copies. */
import type { TokenRecord } from '../platform.ts';
import type { LocalSide } from '../session/local-side.ts';
import type { Servers } from '../session/servers.ts';

export const ownServer = (): Servers => ({
  chosen: () => null,
  choose: () => undefined,
  hasOthers: () => false,
  records: () => Promise.reject(new Error('no other servers here')),
});

/** A browser that keeps the tokens of other servers in `kept`, and has left none. */
export const otherServers = (
  kept: Map<string, TokenRecord>,
  { chosen, clientId }: { readonly chosen: string | null; readonly clientId: string },
): Servers => ({
  chosen: () => chosen,
  choose: () => undefined,
  hasOthers: () => true,
  records: async () => ({
    of: async (url) => kept.get(url) ?? null,
    all: async () => [...kept.values()],
    keep: async (record) => void kept.set(record.url, record),
    leave: async () => undefined,
    leftAt: async () => null,
    forget: async (url) => void kept.delete(url),
    clientId: () => clientId,
  }),
});

export const noCopies = (): LocalSide => ({
  hasCopyOf: async () => false,
  nobodyIsSignedIn: async () => undefined,
  forgetCopyOf: async () => undefined,
  owesLogout: () => false,
  setOwesLogout: () => undefined,
});
