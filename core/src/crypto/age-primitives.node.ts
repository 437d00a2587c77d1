/** Primitives of age-encryption.org/v1, for archives of the server. Never used for values. */
import { createCipheriv, createDecipheriv, hkdfSync, scrypt } from 'node:crypto';

const ALGORITHM = 'chacha20-poly1305';
export const TAG_BYTES = 16;

/** ChaCha20-Poly1305: ciphertext, then tag. The caller must never use a nonce twice with a key. */
export function sealPiece(key: Uint8Array, nonce: Uint8Array, piece: Uint8Array): Buffer {
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  return Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()]);
}

/** Null if key, nonce or ciphertext do not match. */
export function openPiece(key: Uint8Array, nonce: Uint8Array, sealed: Uint8Array): Buffer | null {
  if (sealed.length < TAG_BYTES) return null;
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
}

/** HKDF-SHA-256, 32 bytes. */
export const expandKey = (secret: Uint8Array, salt: Uint8Array, label: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, label, 32));

const BLOCK = 8;

/** scrypt with N = 2^logN, r = 8, p = 1, 32 bytes, in the thread pool. Takes 2^logN KiB of memory. */
export function scryptKey(password: string, salt: Uint8Array, logN: number): Promise<Buffer> {
  const N = 2 ** logN;
  const cost = { N, r: BLOCK, p: 1, maxmem: 2 * 128 * BLOCK * N };
  return new Promise((resolve, reject) => {
    scrypt(password, salt, 32, cost, (error, key) => (error === null ? resolve(key) : reject(error)));
  });
}
