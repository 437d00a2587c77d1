import { describe, expect, test } from 'vitest';
import { clockHint, differenceText } from './totp-clock.ts';

const NOW = Date.UTC(2026, 2, 1, 9, 30);
const SECOND = 1000;
const of = (known: Partial<Parameters<typeof clockHint>[0]>) =>
  clockHint({ difference: 0, now: NOW, copyOf: null, ...known });

describe('the clock hint of a TOTP code (M34)', () => {
  test.each([0, 30 * SECOND, -30 * SECOND])('is absent for a difference of %i ms', (difference) => {
    expect(of({ difference })).toBeNull();
  });

  test('says how much the clock is ahead or behind, and what to do', () => {
    expect(of({ difference: 31 * SECOND })).toBe(
      'The clock of this device is 31 seconds ahead of the server’s, so this code may be refused. Set the date and time of the device to automatic; the code then corrects itself.',
    );
    expect(of({ difference: -3_600 * SECOND })).toContain('is 60 minutes behind the server’s');
  });

  test('is shown offline if the clock is behind the local copy, but not because the copy is old', () => {
    const seconds = NOW / 1000;
    expect(of({ copyOf: seconds + 31 })).toContain('31 seconds before the local copy was made');
    expect(of({ copyOf: seconds + 30 })).toBeNull();
    expect(of({ copyOf: seconds - 9 * 86_400 })).toBeNull();
  });

  test.each([
    [40, '40 seconds'],
    [119, '119 seconds'],
    [130, '2 minutes'],
    [3_601, '60 minutes'],
    [7_300, '2 hours'],
    [10_799, '3 hours'],
    [172_800, '2 days'],
  ])('%i seconds are %s', (seconds, text) => expect(differenceText(seconds * SECOND)).toBe(text));
});
