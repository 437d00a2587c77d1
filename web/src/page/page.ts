/**
 * The composition root of a page: makes everything that the sign-in page needs one of, in the order of its dependencies. What loads
 * later is in `vault.ts`.
 */
import { exchangeWithProgress } from '@passwordbroker/client/browser/exchange-with-progress';
import { openTabs } from '@passwordbroker/client/browser/keyring/open-tabs';
import { loadChunk } from '../lib/chunk.ts';
import { createHttp, type Http } from '@passwordbroker/client/transport/http';
import { createServerClock } from '@passwordbroker/client/transport/server-clock';
import { createLateKeyring } from '@passwordbroker/client/session/late-keyring';
import { proveCalls } from '@passwordbroker/client/session/prove-calls';
import { createServers, type Servers } from '@passwordbroker/client/session/servers';
import { createSession, type Session } from '@passwordbroker/client/session/session';
import { createLocalSide } from './local-side.ts';

const loadVault = () => loadChunk('vault', () => import('./vault.ts'));

export const serverClock = createServerClock();

/** Calls the server that the page came from, unless the person chose another one. */
export const http: Http = createHttp({
  cookies: { read: () => document.cookie, write: (cookie) => (document.cookie = cookie) },
  exchange: exchangeWithProgress,
  hear: serverClock.hear,
});

/** The other tabs of this browser. */
export const tabs = openTabs();

export const servers: Servers = createServers(
  () => localStorage,
  async () =>
    (await loadChunk('token-records', () => import('@passwordbroker/client/browser/token-records'))).openTokenRecords(
      () => localStorage,
    ),
);

export const lateKeyring = createLateKeyring(async () => (await loadVault()).keyring);

export const session: Session = createSession({
  http,
  keyring: lateKeyring,
  tabs,
  servers,
  local: createLocalSide(async () => (await loadVault()).offline),
  load: loadChunk,
});

proveCalls(http, lateKeyring, () => session.view().sessionId);
