/** The random walk (docs/spec/threats.md §4.1) in short; in full in `random-walk.long.test.ts`. */
import { expect, test } from 'vitest';
import { walkAtRandom } from './testing/random-walk.ts';

test('300 random requests are answered as the table says', async () => {
  const { statuses, carriedOut } = await walkAtRandom(20_260_301, 300);
  // A walk that only ever hears one answer shows nothing.
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 401, 403, 404, 422]));
  expect(carriedOut.size).toBeGreaterThan(20);
});
