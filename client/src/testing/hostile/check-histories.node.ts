/** Checks generated histories of a hostile server (M80) on several pasts. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect } from 'vitest';
import { runsOf } from '@passwordbroker/core/testing/arbitraries';
import { hireAttackers } from './attackers.node.ts';
import { history } from './history.node.ts';
import { play } from './play.node.ts';
import { playPast, type Past } from './past.node.ts';

/** For one seed; the long tests check a second one. */
const RUNS = runsOf(75, 10_000);
const PASTS = runsOf(3, 20);

/** A past, and attackers with its material. */
interface World {
  readonly past: Past;
  readonly hire: Awaited<ReturnType<typeof hireAttackers>>;
}

/** Plays the pasts before the tests of a file; the array is filled then. */
export function startWorlds(): readonly World[] {
  const worlds: World[] = [];
  beforeAll(async () => {
    for (let seed = 1; seed <= PASTS; seed += 1) {
      const past = await playPast(seed);
      worlds.push({ past, hire: await hireAttackers(past) });
    }
  }, 300_000);
  afterAll(async () => {
    for (const { past } of worlds) await past.stop();
  });
  return worlds;
}

export async function checkHistories(worlds: readonly World[], seed: number): Promise<void> {
  let done = 0;
  // In parallel, because a history mostly waits. A failure names its past in the message.
  const checks = worlds.map((world) =>
    fc.assert(
      fc.asyncProperty(history, async (told) => {
        const { violations, done: acts } = await play(world, told);
        done += acts;
        expect(violations, `past ${world.past.seed}`).toEqual([]);
      }),
      { numRuns: RUNS / PASTS, seed: seed + world.past.seed },
    ),
  );
  // Waits for all, because the servers are stopped afterwards.
  const results = await Promise.allSettled(checks);
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  // Without successful operations the histories would prove nothing.
  expect(done).toBeGreaterThan(RUNS);
}
