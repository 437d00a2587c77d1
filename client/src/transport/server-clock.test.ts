import { describe, expect, test } from 'vitest';
import { createServerClock } from './server-clock.ts';

const SERVER = Date.UTC(2026, 2, 1, 9, 30);
const HOUR = 3_600_000;

/** A device whose clock is wrong, 200 ms away from its server. */
function deviceOff(difference: number) {
  let time = SERVER + difference;
  let ticked = 5_000;
  const clock = createServerClock(
    () => time,
    () => ticked,
  );
  const pass = (milliseconds: number) => {
    time += milliseconds;
    ticked += milliseconds;
  };
  return {
    clock,
    pass,
    set: (by: number) => void (time += by),
    sleep: (milliseconds: number) => void (time += milliseconds),
    hear() {
      const sentAt = time;
      pass(200);
      // The Date header has whole seconds, rounded down.
      clock.hear({ date: Math.floor((time - difference) / 1000) * 1000, sentAt, heardAt: time });
    },
  };
}

describe('the certain part of the clock difference (M34)', () => {
  test.each([0, 400, -400, 900, -900])('is about zero for clocks that differ by %i ms', (difference) => {
    const device = deviceOff(difference);
    device.hear();
    expect(Math.abs(device.clock.difference())).toBeLessThan(1_000);
  });

  test('is zero before the first answer and after an answer without a time', () => {
    const { clock } = deviceOff(HOUR);
    expect(clock.difference()).toBe(0);
    clock.hear({ date: Number.NaN, sentAt: 0, heardAt: 0 });
    expect(clock.difference()).toBe(0);
  });

  test.each([31_500, HOUR, 26 * HOUR, -31_500, -HOUR, -26 * HOUR])(
    'is close to %i ms and never larger',
    (difference) => {
      const device = deviceOff(difference);
      device.hear();
      device.pass(90_000);
      const found = device.clock.difference();
      expect(Math.sign(found)).toBe(Math.sign(difference));
      expect(Math.abs(found)).toBeLessThanOrEqual(Math.abs(difference) + 1);
      expect(Math.abs(found)).toBeGreaterThan(Math.abs(difference) - 2_000);
    },
  );

  test('is zero after a slow answer of a server with the same time', () => {
    const device = deviceOff(0);
    const sentAt = SERVER;
    device.pass(60_000);
    device.clock.hear({ date: SERVER, sentAt, heardAt: SERVER + 60_000 });
    expect(device.clock.difference()).toBe(0);
  });

  test('disappears when the clock is corrected, with or without another answer', () => {
    const behind = deviceOff(-HOUR);
    behind.hear();
    behind.set(HOUR);
    expect(behind.clock.difference()).toBe(0);
    const ahead = deviceOff(HOUR);
    ahead.hear();
    ahead.set(-HOUR);
    expect(Math.abs(ahead.clock.difference())).toBeLessThan(1_000);
  });

  test('shows a clock that was set back, but not a device that slept', () => {
    const device = deviceOff(0);
    device.hear();
    device.sleep(8 * HOUR);
    expect(device.clock.difference()).toBe(0);
    device.set(-9 * HOUR);
    expect(device.clock.difference()).toBeLessThan(-HOUR + 2_000);
  });
});
