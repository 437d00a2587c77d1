/**
 * Local copies on this device (docs/spec/crypto.md §16). Sealed: keys under the master password, the database
 * under the user key, files as on the server, the owner's label under a device key.
 */
import type { DeviceKey } from '../device-seal.ts';

type Sealed = Uint8Array<ArrayBuffer>;

/** `digest` detects damage. */
export interface KeyPart {
  readonly rsa_private_key_base64: string;
  readonly timestamp: number;
  readonly digest: string;
}

export interface SaltPart {
  readonly salt_base64: string;
  readonly kdf: string;
  readonly timestamp: number;
  readonly digest: string;
}

export interface CopyRecord {
  readonly origin: string;
  /** Null: the page's own. */
  readonly server: string | null;
  readonly userId: string;
  readonly applicationId: string;
  readonly fileLimit: number;
  /** The site forbids files in copies. */
  readonly withoutFiles?: boolean;
  readonly keepAtLogout: boolean;
  /** Sealed under the device's key. */
  readonly label: Sealed;
  /** Device clock, ms: the server last confirmed or renewed the copy. */
  readonly syncedAt: number;
  /** Device clock, ms: since when the person is told that it has expired. */
  readonly toldSince?: number;
  readonly key: KeyPart | null;
  readonly salt: SaltPart | null;
}

/** Steps increase and are never reused. */
export interface StoredPiece {
  readonly step: number;
  /** Unix seconds, server clock. */
  readonly timestamp: number;
  readonly blob: Sealed;
}

/** The newest accepted piece: detects a rollback. */
export interface SeenPiece {
  readonly step: number;
  readonly timestamp: number;
}

export interface KeptBody {
  readonly fieldId: string;
  readonly rev: number;
  readonly body: Blob;
}

export interface CopyStore {
  records(): Promise<readonly CopyRecord[]>;
  names(): Promise<readonly string[]>;
  record(name: string): Promise<CopyRecord | null>;
  /** Keeps an existing record, which another tab may have made. @returns the stored one */
  create(name: string, record: CopyRecord): Promise<CopyRecord>;
  /** Does nothing without a record. */
  change(name: string, change: Partial<CopyRecord>): Promise<void>;
  /** Ascending by step. */
  pieces(name: string): Promise<readonly StoredPiece[]>;
  /** 0: none. */
  lastStep(name: string): Promise<number>;
  /**
   * Compare-and-set: `after` is the last step expected. `isWhole` replaces all pieces.
   * @returns whether it was stored. @throws DOMException 'QuotaExceededError'
   */
  add(name: string, piece: StoredPiece, of: { readonly after: number; readonly isWhole: boolean }): Promise<boolean>;
  /** Unchecked; see `readSeen`. */
  seen(name: string): Promise<unknown>;
  body(name: string, fieldId: string): Promise<KeptBody | null>;
  bodies(name: string): Promise<readonly Pick<KeptBody, 'fieldId' | 'rev'>[]>;
  keepBody(name: string, body: KeptBody): Promise<void>;
  dropBodies(name: string, fieldIds: readonly string[]): Promise<void>;
  /** Keeps the record. */
  wipeParts(name: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Deletes remains of copies without a record. */
  sweep(): Promise<void>;
  deviceKey(make: () => Promise<DeviceKey>): Promise<DeviceKey>;
}

export const nameOfCopy = (origin: string, userId: string): string => `${origin} ${userId}`;

/** Tolerated difference of the server's clock. */
const MOST_AHEAD_SECONDS = 24 * 3600;
const MOST_STEPS = 2 ** 40;

/** Null for an implausible value, which would make every answer of the server look old. */
export function readSeen(stored: unknown, now = Date.now()): SeenPiece | null {
  const { step, timestamp } = (stored ?? {}) as Partial<Record<keyof SeenPiece, unknown>>;
  const isCount = (value: unknown, most: number): value is number =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= most;
  const latest = now / 1000 + MOST_AHEAD_SECONDS;
  return isCount(step, MOST_STEPS) && isCount(timestamp, latest) ? { step, timestamp } : null;
}
