/** When backups are due (docs/spec/decisions.md H6, R24). */
import { expect, test } from 'vitest';
import { archiveName, renamed } from './stored-archive.ts';
import { lastSlot } from './schedule.ts';

const ZONE = 'Europe/Berlin';
const slotAt = (hours: readonly number[], at: string) => lastSlot(hours, ZONE, Date.parse(at))?.slot;

test('the due slot is the newest scheduled hour in the configured time zone', () => {
  expect(lastSlot([], ZONE, 0)).toBeNull();
  expect(slotAt([3, 15], '2026-03-02T01:59:59.999Z')).toBe('2026-03-01T15');
  expect(slotAt([3, 15], '2026-03-02T02:00:00Z')).toBe('2026-03-02T03');
  expect(slotAt([0], '2026-03-01T23:00:00Z')).toBe('2026-03-02T00');
  expect(slotAt([23], '2026-12-31T22:00:00Z')).toBe('2026-12-31T23');
});

test("an hour skipped by daylight saving time is due after the jump and shares that hour's backup", () => {
  expect(slotAt([2], '2026-03-29T00:59:59Z')).toBe('2026-03-28T02');
  expect(slotAt([2], '2026-03-29T01:00:00Z')).toBe('2026-03-29T03');
  expect(slotAt([2, 3], '2026-03-29T01:30:00Z')).toBe('2026-03-29T03');
});

test('an hour that occurs twice in a night is one slot', () => {
  const seen = ['00:00', '00:30', '01:00', '01:59', '02:30'].map((time) => slotAt([2, 14], `2026-10-25T${time}:00Z`));
  expect(new Set(seen)).toEqual(new Set(['2026-10-25T02']));
});

test('archives are named by the time in the configured zone', () => {
  expect(archiveName(Date.parse('2026-03-02T02:00:00Z'), ZONE, true)).toBe('pb_backup_2026_03_02__03_00_00.tar.gz.age');
  expect(archiveName(Date.parse('2026-12-31T23:05:09Z'), ZONE, false)).toBe('pb_backup_2027_01_01__00_05_09.tar.gz');
  expect(renamed('a.tar.gz.age', false)).toBe('a.tar.gz');
  expect(renamed('a.tar.gz.age', true)).toBe('a.tar.gz.age');
});
