import { expect, test } from 'vitest';
import { pagesAround } from './pager.tsx';

test.each([
  [1, 1, [1]],
  [1, 3, [1, 2, 3]],
  [1, 9, [1, 2, null, 9]],
  [5, 9, [1, null, 4, 5, 6, null, 9]],
  [9, 9, [1, null, 8, 9]],
  [3, 4, [1, 2, 3, 4]],
])('page %d of %d', (page, last, pages) => {
  expect(pagesAround(page, last)).toEqual(pages);
});
