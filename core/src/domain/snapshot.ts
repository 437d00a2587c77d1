/** What the user key seals besides the keyset: the offline snapshot and private documents (`crypto.md` §4 kinds 5 and 6, §16). */
import type { Bytes } from '../crypto/bytes.ts';
import { open, seal } from '../crypto/seal.ts';
import type { Keyring } from './keyring.ts';

/** Where a snapshot comes from: origin text (`https://vault.example`) and the integer timestamp of the answer. */
export interface SnapshotPlace {
  readonly serverOrigin: string;
  readonly timestamp: number;
}

/** @param json the answer's UTF-8 bytes */
export async function sealSnapshot(keyring: Keyring, place: SnapshotPlace, json: Bytes): Promise<Bytes> {
  return seal('offline', keyring.keys().userKey, { userId: keyring.userId, ...place }, json);
}

/** @throws CryptoError of `open`, `locked`: all of them mean `download_required` */
export async function openSnapshot(keyring: Keyring, place: SnapshotPlace, blob: Bytes): Promise<Bytes> {
  return open('offline', keyring.keys().userKey, { userId: keyring.userId, ...place }, blob);
}

/** A private document; `n` counts how often it was written. */
export interface DocumentPlace {
  readonly name: string;
  readonly n: number;
}

export async function sealDocument(keyring: Keyring, place: DocumentPlace, json: Bytes): Promise<Bytes> {
  return seal('doc', keyring.keys().userKey, { userId: keyring.userId, ...place }, json);
}

/** @throws CryptoError of `open`, `locked` */
export async function openDocument(keyring: Keyring, place: DocumentPlace, blob: Bytes): Promise<Bytes> {
  return open('doc', keyring.keys().userKey, { userId: keyring.userId, ...place }, blob);
}
