/** The part of a client for signing in. A page loads it first: no imports of keys, vault or local copies. */
import type { Offline } from './offline/offline.ts';
import type { SignInPlatform } from './platform.ts';
import { createLateKeyring, type LateKeyring } from './session/late-keyring.ts';
import { createLocalSide } from './session/local-side.ts';
import { proveCalls } from './session/prove-calls.ts';
import { createServers, type Servers } from './session/servers.ts';
import { createSession, type Session } from './session/session.ts';
import { createHttp, type Http } from './transport/http.ts';
import { createServerClock, type ServerClock } from './transport/server-clock.ts';

export interface SignInPart {
  readonly serverClock: ServerClock;
  readonly http: Http;
  readonly servers: Servers;
  readonly lateKeyring: LateKeyring;
  readonly session: Session;
}

/** Makes the vault part at first use. */
interface Later {
  readonly keyring: () => Promise<Parameters<LateKeyring['attach']>[0]>;
  readonly offline: () => Promise<Offline>;
}

export function createSignInPart(platform: SignInPlatform, later: Later): SignInPart {
  const { origin, cookies, exchange, plain, openTokens, copies, tabs, load } = platform;
  const serverClock = createServerClock();
  const http = createHttp({ origin, cookies, exchange, hear: serverClock.hear });
  const servers = createServers(plain, openTokens);
  const lateKeyring = createLateKeyring(later.keyring);
  const local = createLocalSide({ plain, copies, loadOffline: later.offline });
  const session = createSession({ http, keyring: lateKeyring, tabs, servers, local, load });
  proveCalls(http, lateKeyring, () => session.view().sessionId);
  return { serverClock, http, servers, lateKeyring, session };
}
