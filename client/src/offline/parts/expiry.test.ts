import { expect, test } from 'vitest';
import { isAhead, isExpired, isLongExpired } from './copy-age.ts';

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

const DAY_MS = 24 * HOUR_MS;

test.each<[string, { syncedAt: unknown; toldSince?: unknown }, boolean]>([
  ['of 400 days ago, told since today', { syncedAt: NOW - 400 * DAY_MS, toldSince: NOW }, false],
  ['of 400 days ago, told since 29 days ago', { syncedAt: NOW - 400 * DAY_MS, toldSince: NOW - 29 * DAY_MS }, false],
  ['of 400 days ago, told since 30 days ago', { syncedAt: NOW - 400 * DAY_MS, toldSince: NOW - 30 * DAY_MS }, true],
  ['of 60 days ago, told since then', { syncedAt: NOW - 60 * DAY_MS, toldSince: NOW - 30 * DAY_MS }, true],
  ['of 400 days ago, never told', { syncedAt: NOW - 400 * DAY_MS }, false],
  [
    'of 31 days ago, told when it had expired once before',
    { syncedAt: NOW - 31 * DAY_MS, toldSince: NOW - 40 * DAY_MS },
    false,
  ],
  ['of 400 days ago, told by a clock that was ahead', { syncedAt: NOW - 400 * DAY_MS, toldSince: NOW + DAY_MS }, false],
  ['of 400 days ago, told since no time', { syncedAt: NOW - 400 * DAY_MS, toldSince: 'x' }, false],
  ['that is nothing', { syncedAt: null }, false],
  ['that is missing', { syncedAt: undefined }, false],
])('a sync %s: whether it is forgotten that the copy expired', (_, record, expected) => {
  expect(isLongExpired(record as Parameters<typeof isLongExpired>[0], NOW)).toBe(expected);
});
