import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Deps } from '../http/context.ts';
import { removeForGood } from '../operations/trash/purge.ts';
import { Lease } from '../platform/leases/lease.ts';
import { listStaged, markDropped } from './import-repository.ts';

export interface StagingLock {
  /**
   * Call before each transaction; the first call deletes staged rows of failed imports.
   * @throws AppError `unavailable` after 120 s or if the lease was lost; the signal's abort reason
   */
  acquire(signal: AbortSignal): Promise<void>;
  /** Deletes the import's staged rows if it failed. */
  release(): Promise<void>;
}

const RETRY_EVERY_MS = 500;
/** Longer than any import or a dead process's lease. */
const TIMEOUT_MS = 120_000;
const RETRY_AFTER = 30;

/** One import writes at a time (ADR 16). */
export function stagingLock(deps: Deps): StagingLock {
  const lease = leaseOf(deps);
  let isBegun = false;
  return {
    async acquire(signal) {
      if (lease !== null) await holdLease(lease, isBegun ? 0 : TIMEOUT_MS, signal);
      if (isBegun) return;
      isBegun = true;
      await dropStaged(deps);
    },
    async release() {
      if (!isBegun) return;
      await dropStaged(deps);
      await lease?.release();
    },
  };
}

const leaseOf = ({ db }: Deps) => (db.dialect === 'sqlite' ? null : new Lease(db, 'import'));

async function holdLease(lease: Lease, timeout: number, signal: AbortSignal): Promise<void> {
  for (const until = performance.now() + timeout; !(await lease.hold());) {
    if (performance.now() >= until) throw new AppError('unavailable', { retryAfter: RETRY_AFTER });
    await wait(RETRY_EVERY_MS, undefined, { signal });
  }
}

/** The caller holds the queue and the lease. */
async function dropStaged(deps: Deps): Promise<void> {
  for (const operationId of await listStaged(deps.db)) {
    await deps.db.transact((tx) => markDropped(tx, operationId));
    await removeForGood(deps, operationId);
  }
}

/**
 * Deletes what dead processes left. Run it in the queue `Deps.imports`, before an import stores files that
 * both may share.
 */
export async function dropLeftStaged(deps: Deps): Promise<void> {
  if ((await listStaged(deps.db)).length === 0) return;
  const lease = leaseOf(deps);
  if (lease !== null && !(await lease.hold())) return;
  await dropStaged(deps);
  await lease?.release();
}

/** For periodic jobs; does nothing while the queue is full. */
export async function collectStaged(deps: Deps): Promise<void> {
  if (deps.imports.hasRoom()) await deps.imports.run(() => dropLeftStaged(deps));
}
