/** Difference to the server's clock, from answers (threats M34). */

/** `Date` of an answer and this device's times around it, in milliseconds. */
export interface HeardTime {
  readonly date: number;
  readonly sentAt: number;
  readonly heardAt: number;
}

const RESOLUTION_MS = 1000;
/** Tolerance between wall clock and monotonic clock. */
const AGREED_MS = 2000;

export type ServerClock = ReturnType<typeof createServerClock>;

/** @param ticks monotonic milliseconds */
export function createServerClock(now = () => Date.now(), ticks = () => performance.now()) {
  let last: (HeardTime & { readonly ticks: number }) | null = null;
  return {
    hear: (time: HeardTime): void => {
      if (Number.isFinite(time.date)) last = { ...time, ticks: ticks() };
    },
    /**
     * Certain part of the difference in milliseconds; positive: the device is ahead; 0: unknown.
     * Between answers only a clock that falls behind is noticed.
     */
    difference(): number {
      if (last === null) return 0;
      const passed = ticks() - last.ticks;
      const behind = last.date + passed - now();
      if (behind > 0) return -behind;
      const isAgreed = Math.abs(now() - last.heardAt - passed) < AGREED_MS;
      return isAgreed ? Math.max(0, last.sentAt - last.date - RESOLUTION_MS) : 0;
    },
  };
}
