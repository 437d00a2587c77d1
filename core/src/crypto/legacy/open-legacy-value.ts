/**
 * L0 (docs/spec/crypto.md §21): read, never written. Only importers of old data may use this folder, so that
 * a server cannot select this format.
 */
import type { Bytes } from '../bytes.ts';
import { CryptoError } from '../errors.ts';

const { subtle } = crypto;
const SALT_BYTES = 32;
const ITERATIONS = 1000;
const KEY_BYTES = 16;
const IV_BYTES = 16;

export interface LegacyValue {
  readonly groupPassword: Bytes;
  /** One for the whole site. */
  readonly siteSalt: Bytes;
  readonly initializationVector: Bytes;
  readonly ciphertext: Bytes;
}

/**
 * AES-128-CBC under PBKDF2-HMAC-SHA-1. Not authenticated: a changed value may open.
 * @throws CryptoError `legacy`
 */
export async function openLegacyValue(value: LegacyValue): Promise<Bytes> {
  const { groupPassword, siteSalt, initializationVector, ciphertext } = value;
  if (siteSalt.length !== SALT_BYTES) throw new CryptoError('legacy');
  const key = await derivePbkdf2('SHA-1', groupPassword, siteSalt, ITERATIONS, KEY_BYTES);
  try {
    return await openCbc(key, initializationVector, ciphertext);
  } finally {
    key.fill(0);
  }
}

/** PBKDF2 (RFC 8018). @param length in bytes. @throws CryptoError `legacy` */
export async function derivePbkdf2(
  hash: 'SHA-1' | 'SHA-256',
  password: Bytes,
  salt: Bytes,
  iterations: number,
  length: number,
): Promise<Bytes> {
  try {
    const key = await subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits']);
    return new Uint8Array(await subtle.deriveBits({ name: 'PBKDF2', hash, salt, iterations }, key, length * 8));
  } catch {
    throw new CryptoError('legacy');
  }
}

/** AES-CBC with PKCS#7. @param key 16 or 32 bytes. @throws CryptoError `legacy` */
export async function openCbc(key: Bytes, initializationVector: Bytes, ciphertext: Bytes): Promise<Bytes> {
  if (initializationVector.length !== IV_BYTES) throw new CryptoError('legacy');
  try {
    const aes = await subtle.importKey('raw', key, 'AES-CBC', false, ['decrypt']);
    return new Uint8Array(await subtle.decrypt({ name: 'AES-CBC', iv: initializationVector }, aes, ciphertext));
  } catch {
    throw new CryptoError('legacy');
  }
}
