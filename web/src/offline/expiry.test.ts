import { expect, test } from 'vitest';
import { isExpired } from './expiry.ts';

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 10, 1);

test.each<[string, unknown, boolean]>([
  ['of this moment', NOW, false],
  ['of 29 days and 23 hours ago', NOW - (30 * 24 - 1) * HOUR_MS, false],
  ['of 30 days ago', NOW - 30 * 24 * HOUR_MS, true],
  ['an hour ahead, of a clock that was put right', NOW + HOUR_MS, false],
  ['of the day after tomorrow', NOW + 48 * HOUR_MS, true],
  ['that is no time', 'yesterday', true],
  ['that is missing', undefined, true],
])('a sync %s', (_, syncedAt, expired) => {
  expect(isExpired({ syncedAt: syncedAt as number }, NOW)).toBe(expired);
});
