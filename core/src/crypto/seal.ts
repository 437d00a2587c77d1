/**
 * The sealing function of profile PB1 (docs/spec/crypto.md §4): HKDF-SHA-256 → AES-256-GCM, with commitment
 * and bound context.
 */
import { aesGcmOpen, aesGcmSeal, hkdf, importDerivationKey, sha256 } from '#primitives';
import type { DerivationKey } from '#primitives';
import { type Bytes, encodePieces, sameBytes, sharedBytes } from './bytes.ts';
import { CryptoError } from './errors.ts';
import { randomSalt } from './salt.ts';
import { type MaybePromise, andThen } from './maybe-promise.ts';

const MAGIC = [0x50, 0x42, 0x31] as const;
const HEADER = 36;
const COMMITMENT_END = 68;
export const SEAL_OVERHEAD = 84;

/** The caller names the kind; it is never taken from the blob. */
export const KIND = { slot: 1, keyset: 2, cek: 3, value: 4, doc: 5, offline: 6, site: 8 } as const;
export type Kind = keyof typeof KIND;

/** Named members, so that their order cannot be confused. */
export interface Contexts {
  slot: { userId: string; slotId: string; slotType: string; desc: string };
  keyset: { userId: string; keysetVersion: number; fingerprint: string };
  cek: { entryGroupId: string; gkVersion: number; entryId: string; fieldId: string; rev: number; type: string };
  value: { entryId: string; fieldId: string; rev: number; type: string };
  doc: { userId: string; name: string; n: number };
  offline: { userId: string; serverOrigin: string; timestamp: number };
  site: Contexts['value'];
}

const valuePieces = (c: Contexts['value']) => [c.entryId, c.fieldId, String(c.rev), c.type];

const PIECES: { readonly [K in Kind]: (context: Contexts[K]) => readonly string[] } = {
  slot: (c) => [c.userId, c.slotId, c.slotType, c.desc],
  keyset: (c) => [c.userId, String(c.keysetVersion), c.fingerprint],
  cek: (c) => [c.entryGroupId, String(c.gkVersion), c.entryId, c.fieldId, String(c.rev), c.type],
  value: valuePieces,
  doc: (c) => [c.userId, c.name, String(c.n)],
  offline: (c) => [c.userId, c.serverOrigin, 'database', String(c.timestamp)],
  site: valuePieces,
};

declare const sealingKey: unique symbol;
/** Non-extractable. */
export interface SealingKey {
  readonly [sealingKey]: true;
}

/** The caller wipes the bytes. @throws CryptoError `key_length` unless there are 32 */
export async function importSealingKey(bytes: Bytes): Promise<SealingKey> {
  return importSealingKeyMaybeSync(bytes);
}

export function importSealingKeyMaybeSync(bytes: Bytes): MaybePromise<SealingKey> {
  if (bytes.length !== 32) throw new CryptoError('key_length');
  return importDerivationKey(bytes) as unknown as MaybePromise<SealingKey>;
}

const asDerivationKey = (key: SealingKey) => key as unknown as DerivationKey;

function additionalBytes<K extends Kind>(kind: K, header: Bytes, context: Contexts[K]): Bytes {
  return encodePieces([header, ...PIECES[kind](context)], sharedBytes);
}

/** `PAE(["pb1:seal", SHA-256(aad)])` with room for the digest. */
const SEAL_INFO = encodePieces(['pb1:seal', new Uint8Array(32)]);
const DIGEST_AT = SEAL_INFO.length - 32;

function infoOf(digest: Bytes): Bytes {
  const info = sharedBytes(SEAL_INFO.length);
  info.set(SEAL_INFO);
  info.set(digest, DIGEST_AT);
  return info;
}

interface Derived {
  readonly ek: Bytes;
  readonly commit: Bytes;
  readonly iv: Bytes;
}

const derivedOf = (okm: Bytes): Derived => ({
  ek: okm.subarray(0, 32),
  commit: okm.subarray(32, 64),
  iv: okm.subarray(64, 76),
});

function deriveAll(key: SealingKey, salt: Bytes, aad: Bytes): MaybePromise<Derived> {
  const okm = andThen<Bytes, Bytes>(sha256(aad), (digest) => hkdf(asDerivationKey(key), salt, infoOf(digest), 76));
  return andThen(okm, derivedOf);
}

/** 84 bytes longer than the plaintext. */
export async function seal<K extends Kind>(
  kind: K,
  key: SealingKey,
  context: Contexts[K],
  plaintext: Bytes,
): Promise<Bytes> {
  return sealMaybeSync(kind, key, context, plaintext);
}

/** Like `seal`, synchronous in Node, for bulk sealing. */
export const sealMaybeSync = <K extends Kind>(
  kind: K,
  key: SealingKey,
  context: Contexts[K],
  plaintext: Bytes,
): MaybePromise<Bytes> => sealWithSalt(kind, key, context, plaintext, randomSalt(32));

/** The salt is only for frozen vectors. */
export function sealWithSalt<K extends Kind>(
  kind: K,
  key: SealingKey,
  context: Contexts[K],
  plaintext: Bytes,
  salt: Bytes,
): MaybePromise<Bytes> {
  const blob = new Uint8Array(plaintext.length + SEAL_OVERHEAD);
  blob.set(MAGIC);
  blob[3] = KIND[kind];
  blob.set(salt, 4);
  const aad = additionalBytes(kind, blob.subarray(0, HEADER), context);
  return andThen(deriveAll(key, salt, aad), ({ ek, commit, iv }) => {
    blob.set(commit, HEADER);
    return andThen<void, Bytes>(aesGcmSeal(ek, iv, aad, plaintext, blob, COMMITMENT_END), () => {
      ek.fill(0);
      return blob;
    });
  });
}

/** @throws CryptoError in this order: `short`, `version`, `kind`, `commit` (wrong key or context), `tag` */
export async function open<K extends Kind>(
  kind: K,
  key: SealingKey,
  context: Contexts[K],
  blob: Bytes,
): Promise<Bytes> {
  if (blob.length < SEAL_OVERHEAD) throw new CryptoError('short');
  if (MAGIC.some((byte, at) => blob[at] !== byte)) throw new CryptoError('version');
  if (blob[3] !== KIND[kind]) throw new CryptoError('kind');
  const aad = additionalBytes(kind, blob.subarray(0, HEADER), context);
  const { ek, commit, iv } = await deriveAll(key, blob.subarray(4, HEADER), aad);
  const isCommitted = sameBytes(commit, blob.subarray(HEADER, COMMITMENT_END));
  const plaintext = isCommitted ? await aesGcmOpen(ek, iv, aad, blob.subarray(COMMITMENT_END)) : null;
  ek.fill(0);
  if (!isCommitted) throw new CryptoError('commit');
  if (plaintext === null) throw new CryptoError('tag');
  return plaintext;
}
