import { expect, test } from 'vitest';
import { isAhead, isExpired, isLongExpired } from './copy-age.ts';

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 10, 1);
const OPEN = { expired: false, ahead: false };
const EXPIRED = { expired: true, ahead: false };
const AHEAD = { expired: false, ahead: true };

test.each<[string, unknown, typeof OPEN]>([
  ['with the current time', NOW, OPEN],
  ['29 days and 23 hours ago', NOW - (30 * 24 - 1) * HOUR_MS, OPEN],
  ['30 days ago', NOW - 30 * 24 * HOUR_MS, EXPIRED],
  ['one hour ahead, after the clock was corrected', NOW + HOUR_MS, OPEN],
  ['two days ahead, after the clock was set back', NOW + 48 * HOUR_MS, AHEAD],
  ['decades ahead, after the clock was reset', NOW + 56 * 365 * 24 * HOUR_MS, AHEAD],
  ['that is not a time', 'yesterday', EXPIRED],
  ['that is missing', undefined, EXPIRED],
  ['that is null', null, EXPIRED],
])('a sync %s', (_, syncedAt, expected) => {
  const record = { syncedAt: syncedAt as number };
  expect({ expired: isExpired(record, NOW), ahead: isAhead(record, NOW) }).toEqual(expected);
});

const DAY_MS = 24 * HOUR_MS;

test.each<[string, { syncedAt: unknown; toldSince?: unknown }, boolean]>([
  ['400 days ago, reported since today', { syncedAt: NOW - 400 * DAY_MS, toldSince: NOW }, false],
  ['400 days ago, reported since 29 days ago', { syncedAt: NOW - 400 * DAY_MS, toldSince: NOW - 29 * DAY_MS }, false],
  ['400 days ago, reported since 30 days ago', { syncedAt: NOW - 400 * DAY_MS, toldSince: NOW - 30 * DAY_MS }, true],
  ['60 days ago, reported since the expiry', { syncedAt: NOW - 60 * DAY_MS, toldSince: NOW - 30 * DAY_MS }, true],
  ['400 days ago, never reported', { syncedAt: NOW - 400 * DAY_MS }, false],
  ['31 days ago, reported for an earlier expiry', { syncedAt: NOW - 31 * DAY_MS, toldSince: NOW - 40 * DAY_MS }, false],
  [
    '400 days ago, reported by a clock that was ahead',
    { syncedAt: NOW - 400 * DAY_MS, toldSince: NOW + DAY_MS },
    false,
  ],
  ['400 days ago, reported since an invalid time', { syncedAt: NOW - 400 * DAY_MS, toldSince: 'x' }, false],
  ['that is null', { syncedAt: null }, false],
  ['that is missing', { syncedAt: undefined }, false],
])('a sync %s: whether the expiry is no longer reported', (_, record, expected) => {
  expect(isLongExpired(record as Parameters<typeof isLongExpired>[0], NOW)).toBe(expected);
});
