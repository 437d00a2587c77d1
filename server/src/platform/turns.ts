import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * For long work on the event loop: await the returned function between steps. It yields to other requests if
 * 8 ms have passed since the last yield.
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
