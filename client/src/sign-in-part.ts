/** A page loads this part first: no imports of keys, vault or local copies. */
import type { SignInPlatform } from './platform.ts';
import { createLocalSide, type OfflineForSession } from './session/local-side.ts';
import { createServers, type Servers } from './session/servers.ts';
import { createSession, type Session } from './session/session.ts';
import { createHttp, type Http } from './transport/http.ts';
import { createServerClock, type ServerClock } from './transport/server-clock.ts';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Keyring, KeyOwner } from './keyring/keyring.ts';

export interface SignInPart {
  readonly serverClock: ServerClock;
  readonly http: Http;
  readonly servers: Servers;
  readonly lateKeyring: LateKeyring;
  readonly session: Session;
}

interface Later {
  readonly keyring: () => Promise<Parameters<LateKeyring['attach']>[0]>;
  readonly offline: () => Promise<OfflineForSession>;
}

export function createSignInPart(platform: SignInPlatform, later: Later): SignInPart {
  const { origin, face, cookies, exchange, plain, openTokens, copies, tabs, load } = platform;
  const serverClock = createServerClock();
  const http = createHttp({ origin, face, cookies, exchange, hear: serverClock.hear });
  const servers = createServers(plain, openTokens);
  const lateKeyring = createLateKeyring(later.keyring);
  const local = createLocalSide({ plain, copies, loadOffline: later.offline });
  const session = createSession({ http, keyring: lateKeyring, tabs, servers, local, load });
  proveCalls(http, lateKeyring, () => session.view().sessionId);
  return { serverClock, http, servers, lateKeyring, session };
}

/** Without a session the call fails (docs/spec/product.md §4). */
function proveCalls(
  http: Pick<Http, 'setProver'>,
  keyring: Pick<Keyring, 'call'>,
  sessionIdOf: () => string | null,
): void {
  http.setProver((request) => {
    const sessionId = sessionIdOf();
    if (sessionId === null) throw new AppError('unauthenticated', { message: 'user is logout' });
    return keyring.call('prove', { sessionId, ...request });
  });
}

type Needed = Pick<Keyring, 'createAccount' | 'lock' | 'setOwner' | 'call'>;

/** Loads with the vault: before, there is nothing to lock. */
interface LateKeyring extends Needed {
  attach(keyring: Needed): void;
}

/** @param load resolves after `attach` */
function createLateKeyring(load: () => Promise<Needed>): LateKeyring {
  let loaded: Needed | null = null;
  let owner: KeyOwner | null = null;
  return {
    attach(keyring) {
      loaded = keyring;
      if (owner !== null) keyring.setOwner(owner);
    },
    lock: () => loaded?.lock(),
    setOwner(next) {
      owner = next;
      loaded?.setOwner(next);
    },
    createAccount: async (account) => (loaded ?? (await load())).createAccount(account),
    call: async (...call) => (loaded ?? (await load())).call(...call),
  };
}
