/**
 * Limits on attempts (`api.md` §1.6), over the time before now: no boundary doubles them. Where judging is slow and bounded (key derivations), a
 * failure is counted after it was judged; elsewhere an attempt is counted before, so that many at once are not one, and a success takes the
 * count back. Over the limit even the right answer is refused, until enough time has passed.
 */
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Database, Transact } from '../db/database.ts';
import { addAttempt, deleteAttempts, readAttempts, takeBackAttempt, total } from './attempts-repository.ts';
import type { CountedPart } from './attempts-repository.ts';

export interface AttemptLimit {
  readonly max: number;
  readonly windowMs: number;
}

const MINUTE = 60_000;

export const ATTEMPT_LIMITS = {
  signInOfAccount: { max: 10, windowMs: 15 * MINUTE },
  signInFromAddress: { max: 60, windowMs: 15 * MINUTE },
  /** In a row, from anywhere: then only a site admin lets anybody in again before the month is over. */
  signInStreak: { max: 100, windowMs: 30 * 24 * 60 * MINUTE },
  masterPassword: { max: 10, windowMs: 15 * MINUTE },
  inviteToken: { max: 20, windowMs: 15 * MINUTE },
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
  const parts = await readAttempts(deps.db, key, now);
  if (total(parts) >= limit.max) throw tooMany(parts, limit, now);
}

/** Counts one attempt; throws `too_many_requests` when it is one too many. */
export async function countAttempt(deps: Place, key: string, limit: AttemptLimit): Promise<void> {
  await refuseTooMany(deps, key, limit);
  const now = deps.clock.now();
  const { failures, parts } = await deps.db.transact((tx) => addAttempt(tx, key, limit.windowMs, now));
  if (failures > limit.max) throw tooMany(parts, limit, now);
}

/** The time until so many have run out that there is room for one more. */
function tooMany(parts: readonly CountedPart[], limit: AttemptLimit, now: number): AppError {
  let left = total(parts);
  let until = now;
  for (const { failures, blocked_until } of parts) {
    if (left < limit.max) break;
    left -= failures;
    until = blocked_until;
  }
  return new AppError('too_many_requests', { retryAfter: (until - now) / 1000 });
}

/** The attempt was right: it does not count. */
export const uncountAttempt = (tx: Transact, key: string) => takeBackAttempt(tx, key);

/** The attempt was right, and those before it are forgiven. */
export const forgiveAttempts = (tx: Transact, key: string) => deleteAttempts(tx, key);
