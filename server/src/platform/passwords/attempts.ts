/**
 * Limits on attempts (docs/spec/api.md §1.6), over the time before now: no boundary doubles them. Where judging is slow and bounded (key derivations), a
 * failure is counted after it was judged; elsewhere an attempt is counted before, so that many at once are not one, and a success takes the
 * count back. Over the limit even the right answer is refused, until enough time has passed.
 */
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Database, Transact } from '../../db/database.ts';
import {
  addAttempt,
  deleteAttempts,
  readAttempts,
  readAttemptsOfAll,
  takeBackAttempt,
  total,
} from './attempts-repository.ts';
import type { CountedPart } from './attempts-repository.ts';

export interface AttemptLimit {
  readonly max: number;
  readonly windowMs: number;
  /** Each failure after so many has to be waited out, twice as long every time. */
  readonly delays?: { readonly after: number; readonly firstMs: number; readonly mostMs: number };
}

const MINUTE = 60_000;

export const ATTEMPT_LIMITS = {
  signInOfAccount: { max: 10, windowMs: 15 * MINUTE },
  signInFromAddress: { max: 60, windowMs: 15 * MINUTE },
  /** In a row, from anywhere: then only a site admin lets anybody in again before the month is over. */
  signInStreak: {
    max: 100,
    windowMs: 30 * 24 * 60 * MINUTE,
    delays: { after: 10, firstMs: 1000, mostMs: 15 * MINUTE },
  },
  masterPassword: { max: 10, windowMs: 15 * MINUTE },
  inviteToken: { max: 20, windowMs: 15 * MINUTE },
  setupToken: { max: 20, windowMs: 15 * MINUTE },
  archivePassword: { max: 10, windowMs: 15 * MINUTE },
  recovery: { max: 20, windowMs: 15 * MINUTE },
  keyBundle: { max: 60, windowMs: 60 * MINUTE },
  document: { max: 600, windowMs: 60 * MINUTE },
} as const satisfies Record<string, AttemptLimit>;

interface Place {
  readonly db: Database;
  readonly clock: { now(): number };
}

export interface Counter {
  readonly key: string;
  readonly limit: AttemptLimit;
}

/**
 * Throws `too_many_requests` (429, with `Retry-After`) when one of the limits is reached, or a failure has not been waited out. Counts nothing: a flood
 * costs one read.
 */
export async function refuseTooMany(deps: Place, ...counters: readonly Counter[]): Promise<void> {
  const now = deps.clock.now();
  const counted = await readAttemptsOfAll(
    deps.db,
    counters.map(({ key }) => key),
    now,
  );
  const ends = counters.flatMap(({ limit }, at) => {
    const parts = counted[at] ?? [];
    return [fullUntil(parts, limit, now), delayedUntil(parts, limit)];
  });
  refuseUntil(Math.max(now, ...ends), now);
}

function refuseUntil(until: number, now: number): void {
  if (now < until) throw new AppError('too_many_requests', { retryAfter: (until - now) / 1000 });
}

/** When the last failure has been waited out. */
function delayedUntil(parts: readonly CountedPart[], { windowMs, delays }: AttemptLimit): number {
  const last = parts.at(-1);
  if (delays === undefined || last === undefined) return 0;
  const over = total(parts) - delays.after;
  const delay = over > 0 ? Math.min(delays.firstMs * 2 ** (over - 1), delays.mostMs) : 0;
  return last.blocked_until - windowMs + delay;
}

/** Counts one attempt before it is judged; throws `too_many_requests` when it is one too many. A flood costs one read each. */
export async function countAttempt(deps: Place, key: string, limit: AttemptLimit): Promise<void> {
  const now = deps.clock.now();
  refuseUntil(fullUntil(await readAttempts(deps.db, key, now), limit, now), now);
  await countJudged(deps, [{ key, limit }]);
}

/**
 * Counts an attempt that was judged and wrong on every one of the counters, in one act with `record`, and only then throws `too_many_requests` when it was
 * one too many. What was judged beside another failure waits for no delay: it counts.
 */
export async function countJudged(
  deps: Place,
  counters: readonly Counter[],
  record: (tx: Transact) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const now = deps.clock.now();
  // Two that count the same ones never wait for each other crosswise.
  const inOrder = counters.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const until = await deps.db.transactBeside(async (tx) => {
    await record(tx);
    let latest = now;
    for (const { key, limit } of inOrder) {
      const { failures, parts } = await addAttempt(tx, key, limit.windowMs, now);
      if (failures > limit.max) latest = Math.max(latest, fullUntil(parts, limit, now));
    }
    return latest;
  });
  refuseUntil(until, now);
}

/** Whether one of the limits is reached. */
export async function isSpent(deps: Place, { key, limit }: Counter): Promise<boolean> {
  return total(await readAttempts(deps.db, key, deps.clock.now())) >= limit.max;
}

/** When so many have run out that there is room for one more. */
function fullUntil(parts: readonly CountedPart[], limit: AttemptLimit, now: number): number {
  let left = total(parts);
  let until = now;
  for (const { failures, blocked_until } of parts) {
    if (left < limit.max) break;
    left -= failures;
    until = blocked_until;
  }
  return until;
}

/** The attempt was right: it does not count. */
export const uncountAttempt = (deps: Place, key: string): Promise<void> =>
  deps.db.transactBeside((tx) => takeBackAttempt(tx, key, deps.clock.now()));

/** The attempt was right, and those before it are forgiven. */
export const forgiveAttempts = (tx: Transact, keys: readonly string[]) => deleteAttempts(tx, keys);
