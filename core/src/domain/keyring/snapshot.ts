/** docs/spec/crypto.md §4, §16. */
import type { Bytes } from '../../crypto/bytes.ts';
import { open, seal } from '../../crypto/seal.ts';
import type { Keyring } from './keyring.ts';

/** `https://vault.example` and the response's timestamp. */
export interface SnapshotSource {
  readonly serverOrigin: string;
  readonly timestamp: number;
}

export async function sealSnapshot(keyring: Keyring, place: SnapshotSource, json: Bytes): Promise<Bytes> {
  return seal('offline', keyring.keys().userKey, { userId: keyring.userId, ...place }, json);
}

export async function openSnapshot(keyring: Keyring, place: SnapshotSource, blob: Bytes): Promise<Bytes> {
  return open('offline', keyring.keys().userKey, { userId: keyring.userId, ...place }, blob);
}
