import { uptime } from 'node:os';
import type { Log } from './log.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
/** Tolerated difference between the clocks of instances. */
const TOLERANCE = 5 * MINUTE;
const JUMP = MINUTE;

/** The latest credible time at `now` (Unix ms); a later one comes from a clock that was ahead (R63). */
export const latestPast = (now: number): number => now + TOLERANCE;

export interface ClockWatch {
  /** False for a day after the clock was set: nothing may be removed by age. */
  isSettled(): boolean;
}

interface Options {
  readonly now?: () => number;
  /** Monotonic milliseconds, including sleep of the machine. */
  readonly elapsed?: () => number;
}

/** Compares the clock with a monotonic one at each call; logs a jump above a minute. */
export function watchClock(
  log: Log,
  { now = () => Date.now(), elapsed = () => uptime() * SECOND }: Options = {},
): ClockWatch {
  let seen = { wall: now(), steady: elapsed() };
  let settledAt = Number.NEGATIVE_INFINITY;
  return {
    isSettled() {
      const present = { wall: now(), steady: elapsed() };
      const jump = present.wall - seen.wall - (present.steady - seen.steady);
      seen = present;
      if (Math.abs(jump) > JUMP) {
        settledAt = present.steady + DAY;
        log.warn(
          { event: 'clock_set', seconds: Math.round(Math.abs(jump) / SECOND) },
          jump > 0 ? CLOCK_SET.forward : CLOCK_SET.back,
        );
      }
      return present.steady >= settledAt;
    },
  };
}

const CONSEQUENCES =
  'people may have to sign in again, and nothing is removed because of its age for a day; check the time synchronisation';
const CLOCK_SET = {
  forward: `the clock of this machine was set forward: ${CONSEQUENCES}`,
  back: `the clock of this machine was set back: ${CONSEQUENCES}`,
};

/** Checks every second, to log a jump at once. */
export function startClockWatch({ clockWatch }: { readonly clockWatch: ClockWatch }): { stop(): void } {
  const timer = setInterval(() => clockWatch.isSettled(), SECOND).unref();
  return { stop: () => clearInterval(timer) };
}
