/**
 * Local copy of the person's vault and offline mode (docs/spec/product.md §4): permission, age and mode of
 * the copy. The implementation is loaded on first use.
 */
import type { CopyOwner } from '../session/local-side.ts';
import type { Session } from '../session/session.ts';
import type { OfflineEngine } from './engine.ts';
import type { OfflinePage } from './page.ts';
import type { Vault } from '../vault/vault.ts';

export type PartName = 'key' | 'database' | 'salt';
export type PartState = 'not_loaded' | 'download_required' | 'synchronized';
export type SyncMode = 'await' | 'loading' | 'updating' | 'enable' | 'disable' | 'error';
export type DatabaseMode = 'online' | 'switching_to_offline' | 'offline';

export interface OfflineState {
  /** True if this browser has a copy for the signed-in person. */
  readonly enabled: boolean;
  /** Site policy; true until the server has answered. */
  readonly allowed: boolean;
  readonly parts: Readonly<Record<PartName, PartState>>;
  readonly syncMode: SyncMode;
  readonly databaseMode: DatabaseMode;
  /**
   * When the copy was made, in Unix seconds of the server's clock; null: no copy, or not opened
   * yet.
   */
  readonly copyOf: number | null;
  /** 0 to 1 during a download; null otherwise. */
  readonly progress: number | null;
  /** Bytes; bodies of files up to this size are stored. 0: none. */
  readonly fileLimit: number;
  /** True if the last response of the server allowed files in copies. */
  readonly filesAllowed: boolean;
  /** True if the copy stays after sign-out. */
  readonly keepAtLogout: boolean;
  /** True if the browser will not evict the copy when space is low; null: unknown. */
  readonly isLasting: boolean | null;
  /** The last error, if `syncMode` is 'error'. */
  readonly problem: string | null;
}

/** Description of a copy that is readable without its owner's master password. */
export interface LocalCopy {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  /** Origin of another server; null: the page's own. */
  readonly server: string | null;
  /** Unix seconds; null: the database part was never downloaded. */
  readonly copyOf: number | null;
}

export interface Offline {
  /** @returns a function that unsubscribes */
  readonly subscribe: (listener: () => void) => () => void;
  /** Returns the same object until the state changes. */
  readonly getState: () => OfflineState;
  /** @throws AppError 'forbidden' if the site does not allow copies; NetworkError */
  enable(): Promise<void>;
  /** Also deletes the copy. */
  disable(): Promise<void>;
  setFileLimit(bytes: number): Promise<void>;
  setKeepAtLogout(keep: boolean): Promise<void>;
  /**
   * Opens the copy. On failure it logs, stays online and sets all three parts to
   * `download_required`.
   */
  switchToOffline(): Promise<void>;
  switchToOnline(): Promise<void>;
  /** Deletes the data of the signed-in person's copy; it is then downloaded again. */
  wipe(): Promise<void>;
  /** The vault of the open copy; null unless `databaseMode` is 'offline'. */
  readonly vault: () => Vault | null;
  /**
   * Resolves after the copy was looked up: true if the signed-in person has one here. Never
   * rejects.
   */
  keepsCopy(): Promise<boolean>;
  /** Copies with keys in this browser, for signing in without the server. */
  localCopies(): Promise<readonly LocalCopy[]>;
  /** Preloads what `logIn` needs while the person types the master password. Never throws. */
  prepareLogIn(copy: LocalCopy): void;
  /** Copies that were deleted because they were not synchronised for too long. Never rejects. */
  expiredCopies(): Promise<readonly LocalCopy[]>;
  /**
   * Opens a copy with its owner's master password; the owner is signed in and `databaseMode` is
   * 'offline'.
   * @throws KeyringError 'wrong_master_password'; OfflineCopyError if the copy is unusable,
   * ClosedCopyError if it cannot be used at this time
   */
  logIn(copy: LocalCopy, masterPassword: string): Promise<void>;
  /**
   * Without a signed-in person: asks the server about each copy of its vaults and deletes those
   * that must go.
   */
  askStandings(): Promise<void>;
  /** Deletes the copy unless it is set to stay. @throws Error if it could not be deleted */
  forgetAfterLogout(owner: CopyOwner): Promise<void>;
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

interface Parts {
  readonly session: Pick<Session, 'view' | 'subscribe'>;
  /** Whether this browser may have a copy: if not, the engine is not loaded. Never throws. */
  readonly mayHaveCopies: () => Promise<boolean>;
  readonly startEngine: (shown: Pick<OfflinePage, 'getState' | 'show'>) => Promise<OfflineEngine>;
}

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

  /** Starts synchronising after sign-in if the person has a copy here. */
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
    logIn: async (copy, masterPassword) => (await load()).logIn(copy, masterPassword),
    askStandings: async () => (await load()).askStandings(),
    forgetAfterLogout: async (owner) => (await load()).forgetAfterLogout(owner),
  };
}
