import { expect, test } from 'vitest';
import { firstFreeName } from './write-batch.ts';

test.each([
  [[], 'keepass'],
  [['Other'], 'keepass'],
  [['keepass'], 'keepass (2)'],
  [['keepass (2)'], 'keepass'],
  [['keepass', 'keepass (2)', 'keepass (4)'], 'keepass (3)'],
])('if %j exist, the next tree is called %s', (taken, name) => {
  expect(firstFreeName('keepass', taken)).toBe(name);
});
