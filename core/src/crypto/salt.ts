import type { Bytes } from './bytes.ts';

const POOL_BYTES = 16_384;
let pool = new Uint8Array(0);
let poolAt = 0;

/**
 * At most 64 public bytes from a pool, because an import needs 100,000 salts. Never for keys: the pool holds
 * bytes before their use.
 */
export function randomSalt(length: number): Bytes {
  if (length > 64) throw new RangeError('A salt has at most 64 bytes');
  if (poolAt + length > pool.length) {
    pool = crypto.getRandomValues(new Uint8Array(POOL_BYTES));
    poolAt = 0;
  }
  const bytes = pool.slice(poolAt, poolAt + length);
  // Each byte is used once.
  pool.fill(0, poolAt, poolAt + length);
  poolAt += length;
  return bytes;
}
