import { expect, test } from 'vitest';
import { readKeepassTime } from './raw.ts';

test.each<[string, string | null]>([
  ['2023-03-01T08:00:00Z', '2023-03-01T08:00:00.000Z'],
  ['2023-03-01T08:00:00+02:00', '2023-03-01T06:00:00.000Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  // Seconds since the year 1, little-endian, as KDBX 4 writes them.
  ['UDCT4g4AAAA=', '2026-11-21T06:25:20.000Z'],
  ['AAAAAAAAAAA=', '0001-01-01T00:00:00.000Z'],
  ['AIA/1/8A', null],
  ['//////////8=', '0000-12-31T23:59:59.000Z'],
  ['/////////38=', null],
  ['', null],
  ['yesterday', null],
  ['2023-13-45', null],
  ['99999-01-01T00:00:00Z', null],
])('%j', (text, iso) => {
  const ms = readKeepassTime(text);
  expect(ms === null ? null : new Date(ms).toISOString()).toBe(iso);
});
