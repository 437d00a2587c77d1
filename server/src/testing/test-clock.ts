/** A clock that advances only on request. */
import type { Clock } from '../http/context.ts';

export interface TestClock extends Clock {
  /** Advances by that many milliseconds. */
  advance(ms: number): void;
}

export function testClock(start = Date.UTC(2026, 2, 1, 9, 30)): TestClock {
  let now = start;
  return {
    now: () => now,
    advance(ms) {
      now += ms;
    },
  };
}

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
