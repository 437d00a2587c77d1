import { v7 } from 'uuid';
import { randomBytes } from '@passwordbroker/core/crypto/bytes';

/** Random bytes are drawn for many ids at once: one by one they would be most of the cost of an id. */
const AT_ONCE = 256;
const BYTES = 16;
/** The sequence starts in the lower half of its range, so a millisecond has room for as many ids again. */
const HALF = 0x3fff_ffff;
const LAST = 0x7fff_ffff;

/**
 * Returns a generator of UUIDs version 7 that rise within this process (RFC 9562 §6.2, method 1).
 * @param now milliseconds since 1970; ids keep rising if this clock is set back
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
