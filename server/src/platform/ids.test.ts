import { expect, test } from 'vitest';
import { risingUuids } from './ids-and-digests.ts';

test('ids are unique and ascending, also within one millisecond and after the clock is set back', () => {
  const times = [1_000, 1_000, 1_001, 500, 500, 2_000];
  let calls = 0;
  const next = risingUuids(() => times[Math.floor((calls += 1) / 200) % times.length] ?? 0);
  const ids = Array.from({ length: 1000 }, next);
  expect(ids).toEqual([...ids].sort());
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('the last 48 bits are random, so that two processes create different ids', () => {
  const ids = [risingUuids(() => 1), risingUuids(() => 1)].flatMap((next) => Array.from({ length: 500 }, next));
  expect(new Set(ids.map((id) => id.slice(-12))).size).toBe(ids.length);
});
