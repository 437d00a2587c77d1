/** How this device's clock stands to the server's, as far as answers tell it (threats M34). Codes and times are made by the device's clock all the same. */

/** The `Date` of an answer, and this device's times around it, in milliseconds. */
export interface HeardTime {
  readonly date: number;
  readonly sentAt: number;
  readonly heardAt: number;
}

/** Of a `Date` header. */
const RESOLUTION_MS = 1000;
/** Between the two clocks of the device, unless one was set or the device slept. */
const AGREED_MS = 2000;

export type ServerClock = ReturnType<typeof createServerClock>;

/** @param ticks milliseconds that no setting of the clock changes */
export function createServerClock(now = () => Date.now(), ticks = () => performance.now()) {
  let last: (HeardTime & { readonly ticks: number }) | null = null;
  return {
    hear: (time: HeardTime): void => {
      if (Number.isFinite(time.date)) last = { ...time, ticks: ticks() };
    },
    /**
     * What is certain of the difference, in milliseconds: positive where the device is ahead. 0: none, or not known. Without new answers a clock that goes
     * behind is noticed still, one that was put ahead is not.
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
