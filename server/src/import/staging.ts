/** Whose turn it is to write an import, and the removal of what one has left that was not finished (docs/adr/0016-imports-in-portions.md). */
import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Deps } from '../http/context.ts';
import { removeForGood } from '../operations/purge.ts';
import { Lease } from '../platform/lease.ts';
import { listStaged, markDropped } from './staged-repository.ts';

export interface StagingTurn {
  /**
   * Fulfilled when no other import writes, in any process: each time before rows are written. The first time it removes what others have left.
   * @throws AppError `unavailable` when others take too long, or have taken over; what the signal was aborted with
   */
  hold(signal: AbortSignal): Promise<void>;
  /** Removes what is left of an import that failed. */
  end(): Promise<void>;
}

const LOOK_EVERY_MS = 500;
/** Longer than an import of the largest size takes, and than a process that died is waited for. */
const PATIENCE_MS = 120_000;
const RETRY_AFTER = 30;

/** In one process imports take turns anyway (`Deps.imports`), and an embedded database has no other: several processes agree by a lease. */
export function stagingTurn(deps: Deps): StagingTurn {
  const lease = leaseOf(deps);
  let isBegun = false;
  return {
    async hold(signal) {
      if (lease !== null) await holdLease(lease, isBegun ? 0 : PATIENCE_MS, signal);
      if (isBegun) return;
      isBegun = true;
      await dropStaged(deps);
    },
    async end() {
      if (!isBegun) return;
      await dropStaged(deps);
      await lease?.release();
    },
  };
}

const leaseOf = ({ db }: Deps) => (db.dialect === 'sqlite' ? null : new Lease(db, 'import'));

async function holdLease(lease: Lease, patience: number, signal: AbortSignal): Promise<void> {
  for (const until = performance.now() + patience; !(await lease.hold());) {
    if (performance.now() >= until) throw new AppError('unavailable', { retryAfter: RETRY_AFTER });
    await wait(LOOK_EVERY_MS, undefined, { signal });
  }
}

/** Removes every import that is not finished. Only for the one whose turn it is. */
async function dropStaged(deps: Deps): Promise<void> {
  for (const operationId of await listStaged(deps.db)) {
    await deps.db.transact((tx) => markDropped(tx, operationId));
    await removeForGood(deps, operationId);
  }
}

/**
 * Removes what imports have left that were at work when their process died. Before an import stores its files: those of the same batch go with what is left of
 * it. Only for the one whose turn it is in this process (`Deps.imports`); it does nothing while another process imports.
 */
export async function dropLeftStaged(deps: Deps): Promise<void> {
  if ((await listStaged(deps.db)).length === 0) return;
  const lease = leaseOf(deps);
  if (lease !== null && !(await lease.hold())) return;
  await dropStaged(deps);
  await lease?.release();
}

/** As `dropLeftStaged`, from time to time. */
export async function collectStaged(deps: Deps): Promise<void> {
  if (deps.imports.hasRoom()) await deps.imports.run(() => dropLeftStaged(deps));
}
