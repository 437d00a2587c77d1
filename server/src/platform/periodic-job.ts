import type { Deps } from '../http/context.ts';
import { Lease, whileHolding } from './leases/lease.ts';

interface JobOptions {
  readonly name: string;
  /** Milliseconds between two runs. */
  readonly every: number;
  readonly work: (signal: AbortSignal) => Promise<void>;
  readonly lease?: Lease;
}

/**
 * Returns a function that runs a due job unless another process does, and tells whether it ran. A failed run
 * is due at once.
 */
export function periodicJob({ db, clock }: Pick<Deps, 'db' | 'clock'>, options: JobOptions) {
  const { every, work, lease = new Lease(db, options.name) } = options;
  return async (stopping?: AbortSignal): Promise<boolean> => {
    if (!(await lease.hold(clock.now(), every))) return false;
    let isDone = false;
    try {
      await whileHolding(lease, work, stopping);
      isDone = true;
    } finally {
      await lease.release(isDone ? clock.now() + every : 0);
    }
    return true;
  };
}
