/** Encodings (docs/spec/crypto.md §3). Decoders throw only `CryptoError`. */
import { fromBase64, toBase64, sha256 } from '#primitives';
import { CryptoError } from './errors.ts';

export type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();

export const utf8 = (text: string): Bytes => encoder.encode(text);

export function concat(...parts: readonly Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** PAE: `LE64(n) ‖ LE64(len p1) ‖ p1 ‖ …` (docs/spec/crypto.md §3). */
export function encodePieces(pieces: readonly (string | Uint8Array)[], room = ownBytes): Bytes {
  // Writing ASCII directly is faster than the encoder.
  const parts = pieces.map((piece) => (typeof piece === 'string' && !isAscii(piece) ? encoder.encode(piece) : piece));
  let length = 8;
  for (const part of parts) length += 8 + part.length;
  const all = room(length);
  writeLe64(all, 0, parts.length);
  let at = 8;
  for (const part of parts) {
    writeLe64(all, at, part.length);
    at += 8;
    if (typeof part === 'string') {
      for (let index = 0; index < part.length; index += 1) all[at + index] = part.charCodeAt(index);
    } else {
      all.set(part, at);
    }
    at += part.length;
  }
  return all;
}

const ownBytes = (length: number): Bytes => new Uint8Array(length);

const SHARED_BYTES = 16_384;
let shared = new Uint8Array(0);
let sharedAt = 0;

/** Cheaper than an allocation. Only for short-lived public bytes; never transfer them to another thread. */
export function sharedBytes(length: number): Bytes {
  if (length > SHARED_BYTES / 4) return new Uint8Array(length);
  if (sharedAt + length > shared.length) {
    shared = new Uint8Array(SHARED_BYTES);
    sharedAt = 0;
  }
  sharedAt += length;
  return shared.subarray(sharedAt - length, sharedAt);
}

export function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 0x7f) return false;
  return true;
}

/** The upper half is zero: lengths stay below 2^32. */
function writeLe64(bytes: Bytes, at: number, value: number): void {
  bytes[at] = value;
  bytes[at + 1] = value >>> 8;
  bytes[at + 2] = value >>> 16;
  bytes[at + 3] = value >>> 24;
}

export const encodeBase64 = (bytes: Uint8Array): string => toBase64(bytes);

/** Strict: canonical base64 with padding. @throws CryptoError `base64` */
export function decodeBase64(text: unknown): Bytes {
  const bytes = typeof text === 'string' ? fromBase64(text) : null;
  if (bytes === null) throw new CryptoError('base64');
  return bytes;
}

/** Strict: canonical base64url without padding. @throws CryptoError `base64` */
export function decodeBase64Url(text: string): Bytes {
  if (!/^[\w-]+$/.test(text)) throw new CryptoError('base64');
  const base64 = text.replaceAll('-', '+').replaceAll('_', '/');
  return decodeBase64(base64.padEnd(Math.ceil(base64.length / 4) * 4, '='));
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

export function encodeHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += HEX[byte];
  return text;
}

/** Accepts either case. @throws CryptoError `base64` */
export function decodeHex(text: string): Bytes {
  if (!/^(?:[0-9a-fA-F]{2})*$/.test(text)) throw new CryptoError('base64');
  return Uint8Array.from({ length: text.length / 2 }, (_, at) => Number.parseInt(text.slice(2 * at, 2 * at + 2), 16));
}

/** Compares in constant time. Lengths are public. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let at = 0; at < a.length; at += 1) difference |= (a[at] ?? 0) ^ (b[at] ?? 0);
  return difference === 0;
}

export function wipe(...secrets: readonly Uint8Array[]): void {
  for (const secret of secrets) secret.fill(0);
}

/** Unpooled, so safe for keys. */
export function randomBytes(length: number): Bytes {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  return bytes;
}

/** SHA-256 of the text's UTF-8 as 64 lower-case hex characters, to detect damage. */
export const digestText = async (text: string): Promise<string> => encodeHex(await sha256(utf8(text)));
