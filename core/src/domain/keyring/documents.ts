/** Private documents: JSON under the user key (docs/spec/crypto.md §4, §13). */
import { decodeBase64, encodeBase64, utf8, type Bytes } from '../../crypto/bytes.ts';
import { CryptoError } from '../../crypto/errors.ts';
import { SEAL_OVERHEAD, type SealingKey, open, seal } from '../../crypto/seal.ts';
import { type StoredDocumentName, maxDocumentBytes } from './document-names.ts';

/** Stored on one device: copies of the trust record and the desk, and `rosters` of release 1.0. */
type DeviceDocumentName = 'rosters' | 'trust-device' | 'desk-device';
/** `draft` (an open form) stays in the memory of a page. */
type DocumentName = StoredDocumentName | DeviceDocumentName | 'draft';

interface DocumentVersion {
  readonly name: DocumentName;
  readonly n: number;
}

/** The part of a keyring that documents need. `keys` throws CryptoError `locked`. */
interface DocumentOwner {
  readonly userId: string;
  keys(): { readonly userKey: SealingKey };
}

export interface StoredDocument {
  readonly version: number;
  readonly blob_base64: string | null;
}

/** It has a row for every group that was ever opened. */
export const MAX_DEVICE_DOCUMENT_BYTES = 16 * 1_048_576;
const mostBytes = (name: DocumentName) =>
  name === 'rosters' || name === 'draft' || name.endsWith('-device')
    ? MAX_DEVICE_DOCUMENT_BYTES
    : maxDocumentBytes(name);

/** @throws CryptoError `payload` if it is too long, `locked` */
export async function sealDocument(keyring: DocumentOwner, place: DocumentVersion, content: object): Promise<string> {
  const json = utf8(JSON.stringify(content));
  if (json.length + SEAL_OVERHEAD > mostBytes(place.name)) throw new CryptoError('payload');
  return encodeBase64(await seal('doc', keyring.keys().userKey, { userId: keyring.userId, ...place }, json));
}

/** @throws CryptoError `base64`, those of `open` and `read`, `payload`, `locked` */
export async function openDocument<T>(
  keyring: DocumentOwner,
  place: DocumentVersion,
  blobBase64: string | null,
  read: (raw: unknown) => T,
): Promise<T> {
  if (blobBase64 !== null && blobBase64.length > Math.ceil(mostBytes(place.name) / 3) * 4)
    throw new CryptoError('payload');
  const context = { userId: keyring.userId, ...place };
  const json = await open('doc', keyring.keys().userKey, context, decodeBase64(blobBase64));
  let raw: unknown;
  try {
    raw = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(json));
  } catch {
    throw new CryptoError('payload');
  }
  return read(raw);
}

/**
 * Checks for rollback; null if the document was never written.
 * @param seen largest `n` that this client has seen; 0: none
 * @throws CryptoError `rolled_back` if `n` is smaller, or the document is missing
 */
export async function openNewestDocument<T>(
  keyring: DocumentOwner,
  { name, stored, seen }: { name: DocumentName; stored: StoredDocument | null; seen: number },
  read: (raw: unknown) => T,
): Promise<{ readonly n: number; readonly content: T } | null> {
  const n = stored?.version ?? 0;
  if (n < seen) throw new CryptoError('rolled_back');
  return stored === null ? null : { n, content: await openDocument(keyring, { name, n }, stored.blob_base64, read) };
}

/** `https://vault.example` and the response's time in Unix seconds. */
interface SnapshotSource {
  readonly serverOrigin: string;
  readonly timestamp: number;
}

export async function sealSnapshot(keyring: DocumentOwner, place: SnapshotSource, json: Bytes): Promise<Bytes> {
  return seal('offline', keyring.keys().userKey, { userId: keyring.userId, ...place }, json);
}

export async function openSnapshot(keyring: DocumentOwner, place: SnapshotSource, blob: Bytes): Promise<Bytes> {
  return open('offline', keyring.keys().userKey, { userId: keyring.userId, ...place }, blob);
}
