/**
 * The local copy of one's own vault, and working from it without the server (specification §4): who may keep one, how new it is, and whether the
 * page works from it at present. Everything that does the work is loaded when it is first needed.
 */
import { loadChunk } from '../lib/chunk.ts';
import { session } from '../session/session.ts';
import { mayHaveCopies, setHasCopies } from './has-copies.ts';
import type { CopyOwner } from '../session/local-side.ts';
import type { OfflineEngine } from './engine.ts';
import type { Vault } from '../vault/vault.ts';

export type PartName = 'key' | 'database' | 'salt';
export type PartState = 'not_loaded' | 'download_required' | 'synchronized';
export type SyncMode = 'await' | 'loading' | 'updating' | 'enable' | 'disable' | 'error';
export type DatabaseMode = 'online' | 'switching_to_offline' | 'offline';

export interface OfflineState {
  /** Of this browser and the person who is signed in. */
  readonly enabled: boolean;
  /** Site policy; true until the server has said otherwise. */
  readonly allowed: boolean;
  readonly parts: Readonly<Record<PartName, PartState>>;
  readonly syncMode: SyncMode;
  readonly databaseMode: DatabaseMode;
  /** Unix seconds of the server's clock when the copy was made; null: there is none, or it was not opened yet. */
  readonly copyOf: number | null;
  /** 0 to 1 while a download runs. */
  readonly progress: number | null;
  /** Bytes; bodies of files up to this are kept, 0: none. */
  readonly fileLimit: number;
  /** Whether the site allows files in copies, by the last response of the server. */
  readonly filesAllowed: boolean;
  /** The copy stays when its owner logs out. */
  readonly keepAtLogout: boolean;
  /** Whether the browser keeps the copy also when it runs out of room; null: it does not say. */
  readonly isLasting: boolean | null;
  /** What went wrong last, where `syncMode` is 'error'. */
  readonly problem: string | null;
}

/** A copy in this browser, as far as it can be shown without its owner's master password. */
export interface LocalCopy {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  /** Origin of another server than the page's own; null: the page's own. */
  readonly server: string | null;
  /** Unix seconds; null: the database part was never downloaded. */
  readonly copyOf: number | null;
}

export interface Offline {
  /** @returns how to stop listening */
  readonly subscribe: (listener: () => void) => () => void;
  /** The same object until something changes. */
  readonly getState: () => OfflineState;
  /** @throws AppError 'forbidden' where the site does not allow it; NetworkError */
  enable(): Promise<void>;
  /** Also wipes the copy. */
  disable(): Promise<void>;
  setFileLimit(bytes: number): Promise<void>;
  setKeepAtLogout(keep: boolean): Promise<void>;
  /** Loads the copy; on failure it is logged, unloaded, everything is online again and all three parts are `download_required`. */
  switchToOffline(): Promise<void>;
  switchToOnline(): Promise<void>;
  /** The copy of whoever is signed in is gone afterwards. */
  wipe(): Promise<void>;
  /** The vault of the opened copy; null while `databaseMode` is not 'offline'. */
  readonly vault: () => Vault | null;
  /** Whether whoever is signed in keeps a copy here; `enabled` once it has been looked for. Never throws. */
  keepsCopy(): Promise<boolean>;
  /** Copies with a key part in this browser, for signing in while the server is away. */
  localCopies(): Promise<readonly LocalCopy[]>;
  /** Somebody is asked for the master password of this copy: what opening it needs is fetched and read meanwhile. Never throws. */
  prepareLogIn(copy: LocalCopy): void;
  /** Copies that are gone because they were not synchronized for too long. Never throws. */
  expiredCopies(): Promise<readonly LocalCopy[]>;
  /**
   * Opens a copy with the master password of its owner: he is signed in, `databaseMode` is 'offline'.
   * @throws KeyringError 'wrong_master_password'; OfflineCopyError when the copy cannot be used, ClosedCopyError when it cannot be at this time
   */
  logIn(copy: LocalCopy, masterPassword: string): Promise<void>;
  /** Nobody is signed in: the server that the page speaks to is asked about each copy of its vault, and what it does not know any more goes. */
  askStandings(): Promise<void>;
  /** His copy goes, unless it is to stay. @throws Error when it could not be removed */
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

let state = NEVER_ENABLED;
const listeners = new Set<() => void>();

function show(change: Partial<OfflineState>) {
  const names = Object.keys(change) as (keyof OfflineState)[];
  if (names.every((name) => state[name] === change[name])) return;
  state = { ...state, ...change };
  for (const listener of listeners) listener();
}

let engine: OfflineEngine | null = null;
let loading: Promise<OfflineEngine> | null = null;

function load(): Promise<OfflineEngine> {
  loading ??= loadChunk('offline-engine', () => import('./this-page.ts')).then(({ startEngine }) => {
    engine = startEngine({ getState: () => state, show, setHasCopies });
    return engine;
  });
  // What failed once is tried anew the next time.
  loading.catch(() => (loading = null));
  return loading;
}

/** Whoever keeps a copy here has it kept up to date from the moment he signs in. */
function watchSession() {
  if (session.view().user === null || engine !== null) return;
  void mayHaveCopies()
    .then((may) => (may ? load() : null))
    .catch(() => undefined);
}
session.subscribe(watchSession);
watchSession();

/** Of this page. */
export const offline: Offline = {
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
