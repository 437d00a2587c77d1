/** Bounds expensive work (docs/spec/api.md §1.6). */
import { AppError } from '@passwordbroker/core/contract/problem';
import { setImmediate as nextTurn } from 'node:timers/promises';

export interface Semaphore {
  /** Runs `work` in a free slot. @throws AppError `unavailable` if too many wait, or after `patience` */
  run<T>(work: () => Promise<T>): Promise<T>;
  hasRoom(): boolean;
}

interface Room {
  readonly atOnce: number;
  readonly waiting: number;
  /** Milliseconds. */
  readonly patience?: number;
}

export function semaphore({ atOnce, waiting, patience }: Room): Semaphore {
  let running = 0;
  const queue: (() => void)[] = [];
  const fullHouse = () => new AppError('unavailable', { retryAfter: 2 });

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
        // The slot passes on without becoming free.
        const next = queue.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}

/** For long work on the event loop: await the returned function between steps to yield every 8 ms. */
export function takeTurns(): () => Promise<void> {
  let until = performance.now() + MOST_MS;
  return async () => {
    if (performance.now() < until) return;
    await nextTurn();
    until = performance.now() + MOST_MS;
  };
}

const MOST_MS = 8;
