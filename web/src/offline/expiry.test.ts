import { expect, test } from 'vitest';
import { isAhead, isExpired, isLongExpired } from './expiry.ts';

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 10, 1);
const OPEN = { expired: false, ahead: false };
const EXPIRED = { expired: true, ahead: false };
const AHEAD = { expired: false, ahead: true };

test.each<[string, unknown, typeof OPEN]>([
  ['of this moment', NOW, OPEN],
  ['of 29 days and 23 hours ago', NOW - (30 * 24 - 1) * HOUR_MS, OPEN],
  ['of 30 days ago', NOW - 30 * 24 * HOUR_MS, EXPIRED],
  ['an hour ahead, of a clock that was put right', NOW + HOUR_MS, OPEN],
  ['of the day after tomorrow, by a clock that was set back', NOW + 48 * HOUR_MS, AHEAD],
  ['of decades ahead, by a clock that began anew', NOW + 56 * 365 * 24 * HOUR_MS, AHEAD],
  ['that is no time', 'yesterday', EXPIRED],
  ['that is missing', undefined, EXPIRED],
  ['that is nothing', null, EXPIRED],
])('a sync %s', (_, syncedAt, expected) => {
  const record = { syncedAt: syncedAt as number };
  expect({ expired: isExpired(record, NOW), ahead: isAhead(record, NOW) }).toEqual(expected);
});

test.each<[string, unknown, boolean]>([
  ['of 59 days ago', NOW - 59 * 24 * HOUR_MS, false],
  ['of 60 days ago', NOW - 60 * 24 * HOUR_MS, true],
  ['that is nothing', null, false],
  ['that is missing', undefined, false],
])('a sync %s: whether it is forgotten that the copy expired', (_, syncedAt, expected) => {
  expect(isLongExpired({ syncedAt: syncedAt as number }, NOW)).toBe(expected);
});
