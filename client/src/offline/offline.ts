/** Offline mode (docs/spec/product.md §4). The engine is loaded on first use. */
import type { CopyOwner } from '../session/local-side.ts';
import type { Session } from '../session/session.ts';
import type { OfflineEngine } from './engine.ts';
import type { OfflinePage } from './page.ts';
import type { Vault } from '../vault/vault.ts';
import { OFFLINE_COPY_TEXTS } from '../texts/offline-copy.ts';

export type PartName = 'key' | 'database' | 'salt';
export type PartState = 'not_loaded' | 'download_required' | 'synchronized';
export type SyncMode = 'await' | 'loading' | 'updating' | 'enable' | 'disable' | 'error';
export type DatabaseMode = 'online' | 'switching_to_offline' | 'offline';

export interface OfflineState {
  readonly enabled: boolean;
  /** Site policy; true until the server has answered. */
  readonly allowed: boolean;
  readonly parts: Readonly<Record<PartName, PartState>>;
  readonly syncMode: SyncMode;
  readonly databaseMode: DatabaseMode;
  /** Unix seconds of the server's clock; null: no copy, or not opened yet. */
  readonly copyOf: number | null;
  /** 0 to 1 during a download; null otherwise. */
  readonly progress: number | null;
  /** Maximum bytes of a stored file; 0: no files. */
  readonly fileLimit: number;
  readonly filesAllowed: boolean;
  readonly keepAtLogout: boolean;
  /** False: the browser may evict the copy; null: unknown. */
  readonly isLasting: boolean | null;
  readonly problem: string | null;
}

export interface LocalCopy {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  /** null: the page's own server. */
  readonly server: string | null;
  /** Unix seconds; null: the database part was never downloaded. */
  readonly copyOf: number | null;
}

export interface Offline {
  readonly subscribe: (listener: () => void) => () => void;
  /** Returns the same object until the state changes. */
  readonly getState: () => OfflineState;
  /** @throws AppError 'forbidden' if the site does not allow copies; NetworkError */
  enable(): Promise<void>;
  /** Also deletes the copy. */
  disable(): Promise<void>;
  setFileLimit(bytes: number): Promise<void>;
  setKeepAtLogout(keep: boolean): Promise<void>;
  /** On failure stays online and sets all parts to `download_required`. */
  switchToOffline(): Promise<void>;
  switchToOnline(): Promise<void>;
  /** The data is then downloaded again. */
  wipe(): Promise<void>;
  /** null unless `databaseMode` is 'offline'. */
  readonly vault: () => Vault | null;
  /** Waits for the look-up. Never rejects. */
  keepsCopy(): Promise<boolean>;
  localCopies(): Promise<readonly LocalCopy[]>;
  /** Preloads for `logIn`. Never throws. */
  prepareLogIn(copy: LocalCopy): void;
  /** Deleted because not synchronised for too long. Never rejects. */
  expiredCopies(): Promise<readonly LocalCopy[]>;
  /**
   * Signs in with `databaseMode` 'offline'.
   * @throws KeyringError 'wrong_master_password'; OfflineCopyError; ClosedCopyError if expired or the clock
   * is behind
   */
  logIn(copy: LocalCopy, masterPassword: string): Promise<void>;
  /** Deletes copies that must go, as their server says. Needs no sign-in. */
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
  /** If false, the engine is not loaded. Never throws. */
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

/** The copy is unusable: missing, damaged, of somebody else, or outdated. */
export class OfflineCopyError extends Error {
  override readonly name = 'OfflineCopyError';
  constructor(reason: string) {
    super(OFFLINE_COPY_TEXTS.unusable(reason));
  }
}

/** The copy must not be opened at this time; the message says what to do. */
export class ClosedCopyError extends OfflineCopyError {}

export const NOTHING_KEPT = {
  enabled: false,
  parts: { key: 'not_loaded', database: 'not_loaded', salt: 'not_loaded' },
  syncMode: 'await',
  copyOf: null,
  progress: null,
  fileLimit: 0,
  filesAllowed: true,
  keepAtLogout: false,
  isLasting: null,
  problem: null,
} as const;

export const TO_BE_DOWNLOADED = {
  key: 'download_required',
  database: 'download_required',
  salt: 'download_required',
} as const;
