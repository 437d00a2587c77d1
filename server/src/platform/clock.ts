/** The clock of the machine: noticing that it was set, and times that it gave before it was set back (R63). */
import { uptime } from 'node:os';
import type { Log } from './log.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
/** Clocks of several instances may differ by as much. */
const TOLERANCE = 5 * MINUTE;
/** Clocks are corrected by less than this all the time. */
const JUMP = MINUTE;

/** The latest time that counts as past at `now`, milliseconds since 1970. A later one comes from a clock that was ahead. */
export const latestPast = (now: number): number => now + TOLERANCE;

export interface ClockWatch {
  /** Whether the clock was not set during the last day. Until then nothing is removed because of its age. */
  isSettled(): boolean;
}

interface Options {
  readonly now?: () => number;
  /** Steady milliseconds from any beginning, which go on while the machine sleeps. */
  readonly elapsed?: () => number;
}

/** Compares the machine's clock with a steady one at each call. A difference of more than a minute is one line of the log. */
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

/** Looks at it every second, so that the log says it at once. */
export function startClockWatch({ clockWatch }: { readonly clockWatch: ClockWatch }): { stop(): void } {
  const timer = setInterval(() => clockWatch.isSettled(), SECOND).unref();
  return { stop: () => clearInterval(timer) };
}
