/** The newest piece of a copy that this device accepted. The store is not sealed, so values are checked. */
import type { SeenPiece } from './copy-store.ts';

/** Tolerated difference of the server's clock. */
const MOST_AHEAD_SECONDS = 24 * 3600;
const MOST_STEPS = 2 ** 40;

/**
 * Null for an implausible value: trusted, it would make every answer of the server look old.
 * Who can write the store could also delete it.
 * @param now milliseconds
 */
export function readSeen(stored: unknown, now = Date.now()): SeenPiece | null {
  const { step, timestamp } = (stored ?? {}) as Partial<Record<keyof SeenPiece, unknown>>;
  const isCount = (value: unknown, most: number): value is number =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= most;
  const latest = now / 1000 + MOST_AHEAD_SECONDS;
  return isCount(step, MOST_STEPS) && isCount(timestamp, latest) ? { step, timestamp } : null;
}
