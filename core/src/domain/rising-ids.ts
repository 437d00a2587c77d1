/** Ids of the rows of one act: UUIDs of version 7 that all name its time and rise in the order in which they were asked for. */
import { v7 } from 'uuid';
import { randomBytes } from '../crypto/bytes.ts';

/** Randomness is fetched for so many ids at once: asked for one by one it would cost more than everything else about them. */
const AT_ONCE = 256;
const BYTES = 16;

/** @param now milliseconds */
export function risingIds(now: number): () => string {
  // A sequence has 31 bits; beginning in the lower half of them it never runs over.
  let seq = new DataView(randomBytes(4).buffer).getUint32(0) >>> 2;
  let pool = randomBytes(0);
  return () => {
    if (pool.length < BYTES) pool = randomBytes(AT_ONCE * BYTES);
    const random = pool.subarray(0, BYTES);
    pool = pool.subarray(BYTES);
    seq += 1;
    return v7({ msecs: now, seq, random });
  };
}
