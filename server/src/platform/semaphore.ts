/** Bounds work that is expensive in memory or time: so many at once, so many waiting, the rest is sent away (`api.md` §1.6). */
import { AppError } from '@passwordbroker/core/contract/problem';

export interface Semaphore {
  /** Runs the work when there is room; throws `unavailable` (503) when too many wait already. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function semaphore(limits: { readonly atOnce: number; readonly waiting: number }): Semaphore {
  let running = 0;
  const queue: (() => void)[] = [];
  return {
    async run(work) {
      if (running >= limits.atOnce) {
        if (queue.length >= limits.waiting) throw new AppError('unavailable', { retryAfter: 2 });
        await new Promise<void>((resolve) => queue.push(resolve));
      } else {
        running += 1;
      }
      try {
        return await work();
      } finally {
        // The place goes to the next in line without being free in between.
        const next = queue.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}
