import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * For long work on the event loop: awaited between two steps, the returned function goes on at once until 8 ms have passed since the last turn, and else lets
 * other requests have theirs.
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
