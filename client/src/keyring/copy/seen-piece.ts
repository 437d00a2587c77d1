/** What this device has accepted as the newest piece of a copy, as far as it can be believed: it lies in the store as it is. */
import type { SeenPiece } from './copy-store.ts';

/** The server's clock may be ahead of the device's, not by more than this. */
const MOST_AHEAD_SECONDS = 24 * 3600;
/** One step every five seconds for as long as there will be browsers. */
const MOST_STEPS = 2 ** 40;

/**
 * Whoever can write into the store can take it away, so what is wrong with it counts as nothing: believed, it would refuse every answer of the server.
 * @param now milliseconds
 */
export function readSeen(stored: unknown, now = Date.now()): SeenPiece | null {
  const { step, timestamp } = (stored ?? {}) as Partial<Record<keyof SeenPiece, unknown>>;
  const isCount = (value: unknown, most: number): value is number =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= most;
  const latest = now / 1000 + MOST_AHEAD_SECONDS;
  return isCount(step, MOST_STEPS) && isCount(timestamp, latest) ? { step, timestamp } : null;
}
