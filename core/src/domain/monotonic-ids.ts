import { v7 } from 'uuid';
import { randomBytes } from '../crypto/bytes.ts';

/** One call for each id would dominate the cost. */
const BATCH = 256;
const BYTES = 16;

/** Ascending UUIDs of version 7. @param now milliseconds */
export function monotonicIds(now: number): () => string {
  // The counter has 31 bits; starting in the lower half, it never overflows.
  let seq = new DataView(randomBytes(4).buffer).getUint32(0) >>> 2;
  let pool = randomBytes(0);
  return () => {
    if (pool.length < BYTES) pool = randomBytes(BATCH * BYTES);
    const random = pool.subarray(0, BYTES);
    pool = pool.subarray(BYTES);
    seq += 1;
    return v7({ msecs: now, seq, random });
  };
}
