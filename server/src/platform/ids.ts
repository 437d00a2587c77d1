/** UUIDs of version 7, rising within this process (RFC 9562 §6.2, method 1). */
import { v7 } from 'uuid';
import { randomBytes } from '@passwordbroker/core/crypto/bytes';

/** Randomness is fetched for so many ids at once: asked for one by one it would cost more than everything else about them. */
const AT_ONCE = 256;
const BYTES = 16;
/** One less than a bit short of what a sequence holds: it begins in the lower half of it, so that a millisecond has room for as many ids again. */
const HALF = 0x3fff_ffff;
const LAST = 0x7fff_ffff;

/** @param now milliseconds since 1970; a clock that is set back does not make ids fall */
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
