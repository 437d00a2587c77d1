import { expect, test } from 'vitest';
import { readSeen } from './copy-store.ts';

const NOW_MS = Date.UTC(2026, 10, 1);
const NOW = NOW_MS / 1000;
const HOUR = 3600;

test.each([
  ['of this moment', { step: 3, timestamp: NOW }],
  ['of a server that is 23 hours ahead', { step: 3, timestamp: NOW + 23 * HOUR }],
])('a piece %s is known', (_, stored) => {
  expect(readSeen(stored, NOW_MS)).toEqual(stored);
});

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['a text', 'seen'],
  ['no step', { timestamp: NOW }],
  ['no time', { step: 3 }],
  ['a text for a time', { step: 3, timestamp: String(NOW) }],
  ['a step that is no number', { step: Number.NaN, timestamp: NOW }],
  ['half a step', { step: 1.5, timestamp: NOW }],
  ['a step before the first', { step: -1, timestamp: NOW }],
  ['a step that nobody reaches', { step: Number.MAX_SAFE_INTEGER, timestamp: NOW }],
  ['a time two days ahead', { step: 3, timestamp: NOW + 48 * HOUR }],
])('%s is as if nothing had been seen', (_, stored) => {
  expect(readSeen(stored, NOW_MS)).toBeNull();
});
