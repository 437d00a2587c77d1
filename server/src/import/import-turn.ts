/** The queue of imports. A caller has the answer as soon as it is known; the place is given on when nothing of the import is left. */
import type { Semaphore } from '../platform/semaphore.ts';
import type { Stored } from './store-batch.ts';

export interface Storing {
  readonly stored: Stored;
  /** Fulfilled when no thread of this import is left. */
  readonly ended: Promise<unknown>;
}

/** Throws what the work throws, and `unavailable` when too many wait already. */
export function inTurn(imports: Semaphore, work: () => Promise<Storing>): Promise<Stored> {
  return new Promise((resolve, reject) => {
    imports
      .run(async () => {
        const { stored, ended } = await work();
        resolve(stored);
        await ended;
      })
      .catch(reject);
  });
}
