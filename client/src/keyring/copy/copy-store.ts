/**
 * What this device keeps of local copies, by server and person (docs/spec/crypto.md §16). Keys are locked by the master password, the database is
 * sealed under the user key, bodies of files are sealed as on the server; whose copy it is, is sealed under a key of the device.
 */
import type { DeviceKey } from '../device-seal.ts';

type Sealed = Uint8Array<ArrayBuffer>;

/** Part key: as it came, with what tells whether it is still as it came. */
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
  /** Origin of the server that the copy is of. */
  readonly origin: string;
  /** As the session knows it: null for the page's own. */
  readonly server: string | null;
  readonly userId: string;
  readonly applicationId: string;
  readonly fileLimit: number;
  /** Set if the site forbids files in copies. */
  readonly withoutFiles?: boolean;
  readonly keepAtLogout: boolean;
  /** The account, sealed under the device's key. */
  readonly label: Sealed;
  /** By this device's clock, milliseconds: when the server last confirmed or renewed the copy. */
  readonly syncedAt: number;
  /** By this device's clock, milliseconds: since when it is told here that the copy has expired. */
  readonly toldSince?: number;
  readonly key: KeyPart | null;
  readonly salt: SaltPart | null;
}

/** One sealed piece of the database part: the whole copy, or a change that follows it. Steps count up and are never used again. */
export interface StoredPiece {
  readonly step: number;
  /** Unix seconds of the server's clock. */
  readonly timestamp: number;
  readonly blob: Sealed;
}

/** The newest piece that this device has accepted: an older copy is one that was put back. */
export interface SeenPiece {
  readonly step: number;
  readonly timestamp: number;
}

export interface KeptBody {
  readonly fieldId: string;
  readonly rev: number;
  readonly body: Blob;
}

/** @see nameOfCopy */
export interface CopyStore {
  records(): Promise<readonly CopyRecord[]>;
  /** As the records lie there, whatever is in them. */
  names(): Promise<readonly string[]>;
  record(name: string): Promise<CopyRecord | null>;
  /** Another tab may have been first: what is there stays. @returns what is kept */
  create(name: string, record: CopyRecord): Promise<CopyRecord>;
  /** Nothing where there is no record any more. */
  change(name: string, change: Partial<CopyRecord>): Promise<void>;
  /** Ascending by step. */
  pieces(name: string): Promise<readonly StoredPiece[]>;
  /** 0: none. */
  lastStep(name: string): Promise<number>;
  /**
   * All or nothing. `after`: the last step that it was made upon; another tab may have come first. `whole`: in place of all others.
   * @returns whether it was stored. @throws DOMException 'QuotaExceededError'
   */
  add(name: string, piece: StoredPiece, of: { readonly after: number; readonly isWhole: boolean }): Promise<boolean>;
  /** As it lies there. @see readSeen */
  seen(name: string): Promise<unknown>;
  body(name: string, fieldId: string): Promise<KeptBody | null>;
  bodies(name: string): Promise<readonly Pick<KeptBody, 'fieldId' | 'rev'>[]>;
  keepBody(name: string, body: KeptBody): Promise<void>;
  dropBodies(name: string, fieldIds: readonly string[]): Promise<void>;
  /** Parts, bodies and what was seen; who keeps copies here stays known. */
  wipeParts(name: string): Promise<void>;
  /** Everything. */
  remove(name: string): Promise<void>;
  /** What lies there of copies that are not kept any more goes. */
  sweep(): Promise<void>;
  deviceKey(make: () => Promise<DeviceKey>): Promise<DeviceKey>;
}

export const nameOfCopy = (origin: string, userId: string): string => `${origin} ${userId}`;
