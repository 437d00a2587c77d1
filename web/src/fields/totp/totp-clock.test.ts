import { describe, expect, test } from 'vitest';
import { totpMoment } from './totp-clock.ts';

const at = (minute: number, second: number, ms = 0) => Date.UTC(2026, 2, 1, 9, minute, second, ms);

describe('when a code changes on the screen', () => {
  test.each<[string, number, number, { secondsLeft: number; isRefreshing: boolean; next: number }]>([
    ['in the middle', at(0, 12), 30, { secondsLeft: 18, isRefreshing: false, next: 1000 }],
    ['between two seconds', at(0, 12, 400), 30, { secondsLeft: 18, isRefreshing: false, next: 600 }],
    ['last second', at(0, 29, 1), 30, { secondsLeft: 1, isRefreshing: false, next: 999 }],
    ['the 30 mark', at(0, 30), 30, { secondsLeft: 0, isRefreshing: true, next: 500 }],
    ['within the delay', at(0, 30, 499), 30, { secondsLeft: 0, isRefreshing: true, next: 1 }],
    ['after the delay', at(0, 30, 500), 30, { secondsLeft: 30, isRefreshing: false, next: 500 }],
    ['second 59 ends', at(1, 0), 30, { secondsLeft: 0, isRefreshing: true, next: 500 }],
    ['after second 59', at(1, 0, 500), 30, { secondsLeft: 30, isRefreshing: false, next: 500 }],
    ['another period, no mark', at(0, 45), 45, { secondsLeft: 45, isRefreshing: false, next: 1000 }],
    ['a period of one second, no mark', at(0, 7), 1, { secondsLeft: 1, isRefreshing: false, next: 1000 }],
    ['a period of one second, on the mark', at(0, 30, 200), 1, { secondsLeft: 0, isRefreshing: true, next: 300 }],
    ['the longest period', at(0, 12), 10_000, { secondsLeft: 0, isRefreshing: false, next: 1000 }],
  ])('%s', (name, now, period, expected) => {
    const { codeAt: _, ...moment } = totpMoment(now, period);
    if (name === 'the longest period') {
      expect(moment.secondsLeft).toBe(10_000 - ((now / 1000) % 10_000));
      expect(moment.isRefreshing).toBe(false);
    } else expect(moment).toEqual(expected);
  });

  test('shows the old code during the delay and the new one after it', () => {
    expect(Math.floor(totpMoment(at(0, 30, 100), 30).codeAt / 30_000)).toBe(Math.floor(at(0, 29) / 30_000));
    expect(Math.floor(totpMoment(at(0, 30, 500), 30).codeAt / 30_000)).toBe(at(0, 30) / 30_000);
  });
});
