/** The hot primitives of sealing on WebCrypto: browsers and their workers. `primitives.node.ts` offers the same in Node. */
import type { Bytes } from './bytes.ts';

/** Keying material for HKDF that cannot be read back. */
export type DerivationKey = CryptoKey & { readonly __derivation?: never };

const { subtle } = crypto;

export async function sha256(message: Bytes): Promise<Bytes> {
  return new Uint8Array(await subtle.digest('SHA-256', message));
}

export function importDerivationKey(material: Bytes): Promise<DerivationKey> {
  return subtle.importKey('raw', material, 'HKDF', false, ['deriveBits']);
}

/** HKDF-SHA-256 (RFC 5869). */
export async function hkdf(key: DerivationKey, salt: Bytes, info: Bytes, length: number): Promise<Bytes> {
  return new Uint8Array(await subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info }, key, length * 8));
}

/** AES-256-GCM, ciphertext followed by the 16 bytes of the tag. */
export async function aesGcmSeal(key: Bytes, nonce: Bytes, aad: Bytes, plaintext: Bytes): Promise<Bytes> {
  const aes = await subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt']);
  return new Uint8Array(await subtle.encrypt({ name: 'AES-GCM', iv: nonce, additionalData: aad }, aes, plaintext));
}

/** The plaintext, or null when the tag does not fit. */
export async function aesGcmOpen(key: Bytes, nonce: Bytes, aad: Bytes, sealed: Bytes): Promise<Bytes | null> {
  const aes = await subtle.importKey('raw', key, 'AES-GCM', false, ['decrypt']);
  try {
    return new Uint8Array(await subtle.decrypt({ name: 'AES-GCM', iv: nonce, additionalData: aad }, aes, sealed));
  } catch {
    return null;
  }
}
