/**
 * Limits on attempts (`api.md` §1.6). An attempt is counted before it is judged, so that many at once are not one; a success takes the count
 * back. Over the limit even the right answer is refused, until the window is over.
 */
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Database, Transact } from '../db/database.ts';
import { addAttempt, deleteAttempts, readAttempts, takeBackAttempt } from './attempts-repository.ts';
import type { AttemptRow } from './attempts-repository.ts';

export interface AttemptLimit {
  readonly max: number;
  readonly windowMs: number;
}

const MINUTE = 60_000;

export const ATTEMPT_LIMITS = {
  signInOfAccount: { max: 10, windowMs: 15 * MINUTE },
  signInFromAddress: { max: 60, windowMs: 15 * MINUTE },
  masterPassword: { max: 10, windowMs: 15 * MINUTE },
  setupToken: { max: 20, windowMs: 15 * MINUTE },
  keyBundle: { max: 60, windowMs: 60 * MINUTE },
} as const satisfies Record<string, AttemptLimit>;

interface Place {
  readonly db: Database;
  readonly clock: { now(): number };
}

/** Throws `too_many_requests` (429, with `Retry-After`) when the limit is reached. Counts nothing: a flood costs one read each. */
export async function refuseTooMany(deps: Place, key: string, limit: AttemptLimit): Promise<void> {
  const now = deps.clock.now();
  const present = await readAttempts(deps.db, key);
  if (present !== undefined && now < present.window_started_at + limit.windowMs && present.failures >= limit.max) {
    throw tooMany(present, limit, now);
  }
}

/** Counts one attempt; throws `too_many_requests` when it is one too many. */
export async function countAttempt(deps: Place, key: string, limit: AttemptLimit): Promise<void> {
  await refuseTooMany(deps, key, limit);
  const now = deps.clock.now();
  const row = await deps.db.transact((tx) => addAttempt(tx, key, limit.windowMs, now));
  if (row.failures > limit.max) throw tooMany(row, limit, now);
}

function tooMany(row: AttemptRow, limit: AttemptLimit, now: number): AppError {
  return new AppError('too_many_requests', { retryAfter: (row.window_started_at + limit.windowMs - now) / 1000 });
}

/** The attempt was right: it does not count. */
export const uncountAttempt = (tx: Transact, key: string) => takeBackAttempt(tx, key);

/** The attempt was right, and those before it are forgiven. */
export const forgiveAttempts = (tx: Transact, key: string) => deleteAttempts(tx, key);
