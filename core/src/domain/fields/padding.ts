/** Padding of what is sealed for a field: its length shows in steps of 64 bytes only (docs/spec/crypto.md §10). */
import type { Bytes } from '../../crypto/bytes.ts';
import { CryptoError } from '../../crypto/errors.ts';

const BLOCK = 64;
const LEAST = 128;
export const MAX_PADDED_BYTES = 1_441_792;
export const MAX_PADDED_SITE_BYTES = 1024;

/** `u32be(length) ‖ JSON ‖ zeros`, a multiple of 64, at least 128. @throws CryptoError `padding` */
export function pad(json: Bytes): Bytes {
  const length = Math.max(LEAST, Math.ceil((json.length + 4) / BLOCK) * BLOCK);
  if (length > MAX_PADDED_BYTES) throw new CryptoError('padding');
  const padded = new Uint8Array(length);
  new DataView(padded.buffer).setUint32(0, json.length);
  padded.set(json, 4);
  return padded;
}

/** @throws CryptoError `padding` */
export function unpad(padded: Bytes): Bytes {
  if (padded.length % BLOCK !== 0 || padded.length < LEAST || padded.length > MAX_PADDED_BYTES)
    throw new CryptoError('padding');
  const length = new DataView(padded.buffer, padded.byteOffset, padded.length).getUint32(0);
  if (length > padded.length - 4) throw new CryptoError('padding');
  let filler = 0;
  for (let at = 4 + length; at < padded.length; at += 1) filler |= padded[at] ?? 0;
  if (filler !== 0) throw new CryptoError('padding');
  return padded.slice(4, 4 + length);
}
