import { v7 } from 'uuid';
import { randomBytes } from '@passwordbroker/core/crypto/bytes';
import { authenticate, digest, runningDigest } from '@passwordbroker/core/crypto/digests.node';
import { takeTurns } from './semaphore.ts';

/** Single draws would dominate the cost of an id. */
const AT_ONCE = 256;
const BYTES = 16;
/** Leaves room for as many ids again in a millisecond. */
const HALF = 0x3fff_ffff;
const LAST = 0x7fff_ffff;

/**
 * Generates UUIDs version 7 that rise within this process, even if `now` (Unix ms) is set back (RFC 9562
 * §6.2, method 1).
 */
export function risingUuids(now: () => number): () => string {
  let pool = randomBytes(0);
  let msecs = 0;
  let seq = 0;
  return () => {
    if (pool.length < BYTES) pool = randomBytes(AT_ONCE * BYTES);
    const random = pool.subarray(0, BYTES);
    pool = pool.subarray(BYTES);
    const present = now();
    if (present > msecs) {
      msecs = present;
      seq = new DataView(random.buffer, random.byteOffset).getUint32(0) & HALF;
    } else if (seq < LAST) {
      seq += 1;
    } else {
      msecs += 1;
      seq = 0;
    }
    return v7({ msecs, seq, random });
  };
}

export { runningDigest, sameText } from '@passwordbroker/core/crypto/digests.node';

/** The server stores only hashes of secrets. */
export const sha256 = (bytes: Uint8Array): Buffer => digest(bytes);

const STEP = 1024 * 1024;

/** As `sha256`; yields to other requests after each MiB. */
export async function sha256OfLarge(bytes: Uint8Array): Promise<Buffer> {
  const turn = takeTurns();
  const running = runningDigest();
  for (let at = 0; at < bytes.length; at += STEP) {
    running.update(bytes.subarray(at, at + STEP));
    await turn();
  }
  return running.digest();
}

export const sha256Hex = (text: string): string => digest(text).toString('hex');
export const hmacSha256 = (key: Uint8Array, message: Uint8Array): Buffer => authenticate(key, message);
/** `bytes` random bytes as base64url text. */
export const randomText = (bytes: number): string => Buffer.from(randomBytes(bytes)).toString('base64url');

/** Overwrites the bytes and frees their memory, even while referenced. */
export function discard(bytes: Uint8Array): void {
  if (bytes.length === 0) return;
  bytes.fill(0);
  const { buffer } = bytes;
  if (buffer instanceof ArrayBuffer) structuredClone(buffer, { transfer: [buffer] });
}
