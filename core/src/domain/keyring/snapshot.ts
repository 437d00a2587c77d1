/** The offline snapshot under the user key (`crypto.md` §4 kind 6, §16). */
import type { Bytes } from '../../crypto/bytes.ts';
import { open, seal } from '../../crypto/seal.ts';
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
