import { expect, test } from 'vitest';
import { validate, version } from 'uuid';
import { monotonicIds } from './import/import-fields.ts';

test('ids contain the time, ascend, and are unique', () => {
  const now = Date.UTC(2026, 2, 1, 9, 30);
  const newId = monotonicIds(now);
  const ids = Array.from({ length: 10_000 }, newId);
  expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true);
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  const time = now.toString(16).padStart(12, '0');
  expect(ids.every((id) => id.replace('-', '').startsWith(time))).toBe(true);
  expect(monotonicIds(now)()).not.toBe(ids[0]);
});
