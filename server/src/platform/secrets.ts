/** Random secrets and digests. The server stores only hashes of secrets and has no key of its own. */
import { randomBytes } from '@passwordbroker/core/crypto/bytes';
import { authenticate, digest, runningDigest } from '@passwordbroker/core/crypto/digests.node';
import { takeTurns } from './turns.ts';

export { runningDigest, sameText } from '@passwordbroker/core/crypto/digests.node';

export const sha256 = (bytes: Uint8Array): Buffer => digest(bytes);

const STEP = 1024 * 1024;

/** As `sha256`, in steps of 1 MiB; yields to other requests in between. */
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

/** Overwrites the bytes and frees their memory, even while others refer to it. A second call does nothing. */
export function discard(bytes: Uint8Array): void {
  if (bytes.length === 0) return;
  bytes.fill(0);
  const { buffer } = bytes;
  if (buffer instanceof ArrayBuffer) structuredClone(buffer, { transfer: [buffer] });
}
