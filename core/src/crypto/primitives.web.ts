/** WebCrypto, for browsers. Node uses `primitives.node.ts`. */
import type { Bytes } from './bytes.ts';

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

/** Writes ciphertext and 16 bytes of tag into `target` at `at`. */
export async function aesGcmSeal(
  key: Bytes,
  nonce: Bytes,
  aad: Bytes,
  plaintext: Bytes,
  target: Bytes,
  at: number,
): Promise<void> {
  const aes = await subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt']);
  const sealed = await subtle.encrypt({ name: 'AES-GCM', iv: nonce, additionalData: aad }, aes, plaintext);
  target.set(new Uint8Array(sealed), at);
}

/** Null if the tag does not match. */
export async function aesGcmOpen(key: Bytes, nonce: Bytes, aad: Bytes, sealed: Bytes): Promise<Bytes | null> {
  const aes = await subtle.importKey('raw', key, 'AES-GCM', false, ['decrypt']);
  try {
    return new Uint8Array(await subtle.decrypt({ name: 'AES-GCM', iv: nonce, additionalData: aad }, aes, sealed));
  } catch {
    return null;
  }
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const CODES = Uint8Array.from(ALPHABET, (character) => character.charCodeAt(0));
const VALUES = new Uint8Array(128);
for (const [value, code] of CODES.entries()) VALUES[code] = value;
const PAD = '='.charCodeAt(0);
const latin = new TextDecoder('latin1');

/** Newer browsers have `toBase64`. */
type Native = Uint8Array & { toBase64?: () => string };

export const toBase64 = (bytes: Uint8Array): string => (bytes as Native).toBase64?.() ?? encodeByTable(bytes);

/** Several times as fast as `btoa`. */
function encodeByTable(bytes: Uint8Array): string {
  const text = new Uint8Array(Math.ceil(bytes.length / 3) * 4);
  let to = 0;
  for (let at = 0; at < bytes.length; at += 3) {
    const group = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    text[to] = CODES[group >> 18] ?? 0;
    text[to + 1] = CODES[(group >> 12) & 63] ?? 0;
    text[to + 2] = CODES[(group >> 6) & 63] ?? 0;
    text[to + 3] = CODES[group & 63] ?? 0;
    to += 4;
  }
  const over = bytes.length % 3;
  if (over > 0) text[to - 1] = PAD;
  if (over === 1) text[to - 2] = PAD;
  return latin.decode(text);
}

const BASE64 = /^[A-Za-z0-9+/]*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$/;

/** Null if the text is not canonical. */
export function fromBase64(text: string): Bytes | null {
  if (text.length % 4 !== 0 || !BASE64.test(text)) return null;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  const sextet = (at: number) => VALUES[text.charCodeAt(at)] ?? 0;
  let to = 0;
  for (let at = 0; at < text.length; at += 4) {
    const group = (sextet(at) << 18) | (sextet(at + 1) << 12) | (sextet(at + 2) << 6) | sextet(at + 3);
    bytes[to] = group >> 16;
    // Writes past the end are ignored.
    bytes[to + 1] = group >> 8;
    bytes[to + 2] = group;
    to += 3;
  }
  return bytes;
}
