/**
 * A short form of the random walk (docs/spec/threats.md §4.1); the full one is
 * `random-walk.long.test.ts`.
 */
import { expect, test } from 'vitest';
import { walkAtRandom } from './testing/random-walk.ts';

test('300 random requests get the responses of the table', async () => {
  const { statuses, carriedOut } = await walkAtRandom(20_260_301, 300);
  // A walk that gets only one kind of response proves nothing.
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 401, 403, 404, 422]));
  expect(carriedOut.size).toBeGreaterThan(20);
});
