import { LIMITS } from '@passwordbroker/core/domain/limits';
import { expect, test } from 'vitest';
import { inPortions } from './use-entry-actions.ts';

test.each([
  [0, []],
  [3, [3]],
  [4, [4]],
  [9, [4, 4, 1]],
])('%i in fours', (count, sizes) => {
  const all = Array.from({ length: count }, (_, index) => index);
  expect(inPortions(all, 4).map((portion) => portion.length)).toEqual(sizes);
  expect(inPortions(all, 4).flat()).toEqual(all);
});

test('the default size is the limit of one call', () => {
  const all = Array.from({ length: LIMITS.bulkEntries + 1 }, () => 'entry');
  expect(inPortions(all).map((portion) => portion.length)).toEqual([LIMITS.bulkEntries, 1]);
});
