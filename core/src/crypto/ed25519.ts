/** Ed25519 (RFC 8032, pure): WebCrypto where it is present, @noble/curves elsewhere (`crypto.md` §7). */
import { ed25519 } from '@noble/curves/ed25519.js';
import { type Bytes, concat, decodeHex } from './bytes.ts';
import { CryptoError } from './errors.ts';

const { subtle } = crypto;
const PKCS8_PREFIX = decodeHex('302e020100300506032b657004220420');
/** Order of the base point (RFC 8032 §5.1), for the check that S is below it. */
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const PRIME = 2n ** 255n - 19n;

export interface SigningKey {
  readonly native: CryptoKey | null;
  readonly seed: Bytes | null;
}

let nativeSupport: Promise<boolean> | undefined;
function hasNative(): Promise<boolean> {
  nativeSupport ??= subtle.generateKey('Ed25519', false, ['sign', 'verify']).then(
    () => true,
    () => false,
  );
  return nativeSupport;
}

/** A non-extractable handle of the 32 seed bytes; the seed itself is kept only where the browser has no Ed25519. */
export async function importSigningKey(seed: Bytes): Promise<SigningKey> {
  if (seed.length !== 32) throw new CryptoError('key_length');
  if (!(await hasNative())) return { native: null, seed: seed.slice() };
  const native = await subtle.importKey('pkcs8', concat(PKCS8_PREFIX, seed), 'Ed25519', false, ['sign']);
  return { native, seed: null };
}

/** The 32 public bytes of a seed. */
export const publicKeyOf = (seed: Bytes): Bytes => new Uint8Array(ed25519.getPublicKey(seed));

export async function sign(key: SigningKey, message: Bytes): Promise<Bytes> {
  if (key.native !== null) return new Uint8Array(await subtle.sign('Ed25519', key.native, message));
  if (key.seed === null) throw new CryptoError('signature');
  return new Uint8Array(ed25519.sign(message, key.seed));
}

const littleEndian = (bytes: Uint8Array) => bytes.reduceRight((number, byte) => (number << 8n) | BigInt(byte), 0n);

/** Canonical, on the curve and not one of the eight small-order points. @throws CryptoError `public_key` */
export function checkPublicKey(key: Uint8Array): void {
  if (key.length !== 32) throw new CryptoError('public_key');
  const y = littleEndian(key) & ((1n << 255n) - 1n);
  if (y >= PRIME) throw new CryptoError('public_key');
  try {
    const point = ed25519.Point.fromBytes(new Uint8Array(key), false);
    if (point.isSmallOrder()) throw new CryptoError('public_key');
  } catch {
    throw new CryptoError('public_key');
  }
}

/** Whether the signature holds. The key must have passed `checkPublicKey`; S at or above the group order never holds. */
export async function verify(publicKey: Bytes, message: Bytes, signature: Bytes): Promise<boolean> {
  if (signature.length !== 64 || littleEndian(signature.subarray(32)) >= ORDER) return false;
  if (await hasNative()) {
    try {
      const key = await subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']);
      return await subtle.verify('Ed25519', key, signature, message);
    } catch {
      return false;
    }
  }
  try {
    return ed25519.verify(signature, message, publicKey, { zip215: false });
  } catch {
    return false;
  }
}
