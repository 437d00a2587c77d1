/**
 * The hot primitives straight from OpenSSL, which is what Node's WebCrypto calls too, without a hop through its thread pool for each
 * 200 bytes: 34 µs a seal against 95 µs (docs/adr/0002). `primitives.web.ts` offers the same in browsers.
 */
import { type KeyObject, createCipheriv, createDecipheriv, createSecretKey, hash, hkdfSync } from 'node:crypto';
import type { Bytes } from './bytes.ts';

const CIPHER = 'aes-256-gcm';
const TAG = 16;

/** The same memory without Buffer's own methods: what OpenSSL has just allocated belongs to nobody else. */
const plain = (buffer: Buffer): Bytes => new Uint8Array(buffer.buffer as ArrayBuffer, buffer.byteOffset, buffer.length);

export const sha256 = (message: Bytes): Bytes => plain(hash('sha256', message, 'buffer'));

export const importDerivationKey = (material: Bytes): KeyObject => createSecretKey(material);

export function hkdf(key: KeyObject, salt: Bytes, info: Bytes, length: number): Bytes {
  return new Uint8Array(hkdfSync('sha256', key, salt, info, length));
}

/** Writes ciphertext and tag into `target` from `at` on. */
export function aesGcmSeal(key: Bytes, nonce: Bytes, aad: Bytes, plaintext: Bytes, target: Bytes, at: number): void {
  const cipher = createCipheriv(CIPHER, key, nonce);
  if (aad.length > 0) cipher.setAAD(aad);
  target.set(cipher.update(plaintext), at);
  cipher.final();
  target.set(cipher.getAuthTag(), at + plaintext.length);
}

export function aesGcmOpen(key: Bytes, nonce: Bytes, aad: Bytes, sealed: Bytes): Bytes | null {
  const end = sealed.length - TAG;
  if (end < 0) return null;
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG });
  if (aad.length > 0) decipher.setAAD(aad);
  decipher.setAuthTag(sealed.subarray(end));
  const plaintext = decipher.update(sealed.subarray(0, end));
  try {
    decipher.final();
  } catch {
    plaintext.fill(0);
    return null;
  }
  return plain(plaintext);
}

export const toBase64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');

/**
 * Null for text that is not canonical: Node reads over what it does not know, so what it has read must encode to the same text again. The answer is a
 * copy of its own: Node decodes into a pool that others share.
 */
export function fromBase64(text: string): Bytes | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? new Uint8Array(bytes) : null;
}
