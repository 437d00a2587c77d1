import type { Session } from '../session/session.ts';
import type { OfflineEngine } from './engine.ts';
import type { Offline, OfflineState } from './offline.ts';
import type { OfflinePage } from './page.ts';

interface Parts {
  readonly session: Pick<Session, 'view' | 'subscribe'>;
  /** If false, the engine is not loaded. Never throws. */
  readonly mayHaveCopies: () => Promise<boolean>;
  readonly startEngine: (shown: Pick<OfflinePage, 'getState' | 'show'>) => Promise<OfflineEngine>;
}

/** Offline mode of a page, whose engine is loaded on first use. */
export function createOffline({ session, mayHaveCopies, startEngine }: Parts): Offline {
  let state = NEVER_ENABLED;
  const listeners = new Set<() => void>();
  let engine: OfflineEngine | null = null;
  let loading: Promise<OfflineEngine> | null = null;

  function show(change: Partial<OfflineState>) {
    const names = Object.keys(change) as (keyof OfflineState)[];
    if (names.every((name) => state[name] === change[name])) return;
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  }

  function load(): Promise<OfflineEngine> {
    loading ??= startEngine({ getState: () => state, show }).then((started) => (engine = started));
    // The import is retried at the next call.
    loading.catch(() => (loading = null));
    return loading;
  }

  function watchSession() {
    if (session.view().user === null || engine !== null) return;
    void mayHaveCopies()
      .then((may) => (may ? load() : null))
      .catch(() => undefined);
  }
  session.subscribe(watchSession);
  watchSession();

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    getState: () => state,
    enable: async () => (await load()).enable(),
    disable: async () => (await load()).disable(),
    setFileLimit: async (bytes) => (await load()).setFileLimit(bytes),
    setKeepAtLogout: async (keep) => (await load()).setKeepAtLogout(keep),
    switchToOffline: async () => (await load()).switchToOffline(),
    switchToOnline: async () => (await load()).switchToOnline(),
    wipe: async () => (await load()).wipe(),
    vault: () => engine?.vault() ?? null,
    async keepsCopy() {
      try {
        return (await mayHaveCopies()) && (await (await load()).keepsCopy());
      } catch {
        return false;
      }
    },
    localCopies: async () => ((await mayHaveCopies()) ? (await load()).localCopies() : []),
    prepareLogIn(copy) {
      load().then(
        (loaded) => loaded.prepareLogIn(copy),
        () => undefined,
      );
    },
    async expiredCopies() {
      try {
        return (await mayHaveCopies()) ? await (await load()).expiredCopies() : [];
      } catch {
        return [];
      }
    },
    logIn: async (copy, by) => (await load()).logIn(copy, by),
    askCopyStatus: async () => (await load()).askCopyStatus(),
    forgetAfterLogout: async (owner) => (await load()).forgetAfterLogout(owner),
  };
}

const NEVER_ENABLED: OfflineState = {
  enabled: false,
  allowed: true,
  parts: { key: 'not_loaded', database: 'not_loaded', salt: 'not_loaded' },
  syncMode: 'await',
  databaseMode: 'online',
  copyOf: null,
  progress: null,
  fileLimit: 0,
  filesAllowed: true,
  keepAtLogout: false,
  isLasting: null,
  problem: null,
};
