import { expect, test } from 'vitest';
import { readSeen } from './copy-store.ts';

const NOW_MS = Date.UTC(2026, 10, 1);
const NOW = NOW_MS / 1000;
const HOUR = 3600;

test.each([
  ['with the current time', { step: 3, timestamp: NOW }],
  ['from a server whose clock is 23 hours ahead', { step: 3, timestamp: NOW + 23 * HOUR }],
])('a stored version %s is read back', (_, stored) => {
  expect(readSeen(stored, NOW_MS)).toEqual(stored);
});

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['a text', 'seen'],
  ['a record without a step', { timestamp: NOW }],
  ['a record without a time', { step: 3 }],
  ['a text as the time', { step: 3, timestamp: String(NOW) }],
  ['a step that is not a number', { step: Number.NaN, timestamp: NOW }],
  ['a fractional step', { step: 1.5, timestamp: NOW }],
  ['a negative step', { step: -1, timestamp: NOW }],
  ['a step that is too large', { step: Number.MAX_SAFE_INTEGER, timestamp: NOW }],
  ['a time two days ahead', { step: 3, timestamp: NOW + 48 * HOUR }],
])('%s counts as no stored version', (_, stored) => {
  expect(readSeen(stored, NOW_MS)).toBeNull();
});
