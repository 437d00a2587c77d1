import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * For long work on the event loop. Await the returned function between two steps: once 8 ms have
 * passed since the last yield, it yields to other requests; before, it returns at once.
 */
export function takeTurns(): () => Promise<void> {
  let until = performance.now() + MOST_MS;
  return async () => {
    if (performance.now() < until) return;
    await nextTurn();
    until = performance.now() + MOST_MS;
  };
}

const MOST_MS = 8;
