/** Bounds work that is expensive in memory or time: so many at once, so many waiting, the rest is sent away (docs/spec/api.md §1.6). */
import { AppError } from '@passwordbroker/core/contract/problem';

export interface Semaphore {
  /** Runs the work when there is room; throws `unavailable` (503) when too many wait already, or it waited too long. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Whether work would run at once. */
  hasRoom(): boolean;
}

export interface Room {
  readonly atOnce: number;
  readonly waiting: number;
  /** Milliseconds in the line, after which one is told to come again: an answer that nobody waits for any more helps no one. */
  readonly patience?: number;
}

export function semaphore({ atOnce, waiting, patience }: Room): Semaphore {
  let running = 0;
  const queue: (() => void)[] = [];
  const fullHouse = () => new AppError('unavailable', { retryAfter: 2 });

  /** Fulfilled with the place of whoever is done. */
  const inLine = () =>
    new Promise<void>((resolve, reject) => {
      const next = () => {
        clearTimeout(timer);
        resolve();
      };
      const leave = () => {
        queue.splice(queue.indexOf(next), 1);
        reject(fullHouse());
      };
      const timer = patience === undefined ? undefined : setTimeout(leave, patience);
      queue.push(next);
    });

  return {
    hasRoom: () => running < atOnce,
    async run(work) {
      if (running >= atOnce) {
        if (queue.length >= waiting) throw fullHouse();
        await inLine();
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
