/**
 * The random walk (docs/spec/threats.md §4.1): 2,000 requests for each of several seeds, one of
 * them new in every run.
 */
import { expect, test } from 'vitest';
import { walkAtRandom } from './testing/random-walk.ts';
import { treesAreTrue } from './testing/true-trees.ts';
import { WALKED } from './testing/walk-requests.ts';

test.each([1, 2, Date.now()])(
  '2000 random requests with seed %i get the responses of the table, and trees are correct after each',
  { timeout: 600_000 },
  async (seed) => {
    const { carriedOut } = await walkAtRandom(seed, 2000, treesAreTrue);
    expect(carriedOut.size).toBeGreaterThan(WALKED.length / 2);
  },
);
