/** Offline mode (docs/spec/product.md §4). The engine is loaded on first use. */
import type { UnlockBy } from '../keyring/keyring.ts';
import type { CopyOwner } from '../session/local-side.ts';
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
  /** Hosts whose passkeys may open it. */
  readonly passkeyHosts: readonly string[];
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
   * @param by the master password, what asks for a passkey, or the recovery key
   * @throws KeyringError 'wrong_master_password', 'other_passkey', 'wrong_recovery_key'; OfflineCopyError; ClosedCopyError
   * if expired or the clock is behind
   */
  logIn(copy: LocalCopy, by: UnlockBy): Promise<void>;
  /** Deletes copies that must go, as their server says. Needs no sign-in. */
  askCopyStatus(): Promise<void>;
  /** Deletes the copy unless it is set to stay. @throws Error if it could not be deleted */
  forgetAfterLogout(owner: CopyOwner): Promise<void>;
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
