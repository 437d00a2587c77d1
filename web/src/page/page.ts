/**
 * The composition root of a page: makes everything that the sign-in page needs one of, in the order of its dependencies. What loads
 * later is in `vault.ts`.
 */
import { exchangeWithProgress } from '@passwordbroker/client/browser/exchange-with-progress';
import { openTabs } from '@passwordbroker/client/browser/keyring/open-tabs';
import { loadChunk } from '../lib/chunk.ts';
import { createHttp, type Http } from '@passwordbroker/client/transport/http';
import { createServerClock } from '@passwordbroker/client/transport/server-clock';
import { createLateKeyring } from '../session/late-keyring.ts';
import { proveCalls } from '../session/prove-calls.ts';
import { createServers, type Servers } from '../session/servers.ts';
import { createSession, type Session } from '../session/session.ts';
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
  async () => (await loadChunk('token-records', () => import('../session/token-records.ts'))).openTokenRecords(),
);

export const lateKeyring = createLateKeyring(async () => (await loadVault()).keyring);

export const session: Session = createSession(
  http,
  lateKeyring,
  tabs,
  servers,
  createLocalSide(async () => (await loadVault()).offline),
);

proveCalls(http, lateKeyring, () => session.view().sessionId);
