/**
 * Limits on attempts in a sliding window (docs/spec/api.md §1.6). Slow verifications count failures
 * afterwards; codes are counted or accepted in one transaction, under the counters' locks; others count before.
 * So parallel attempts count, and over the limit even the right secret is refused.
 */
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Database, Transact } from '../../db/database.ts';
import { networkOf } from '../networks.ts';
import {
  addAttempt,
  deleteAttempts,
  lockCounters,
  readAttempts,
  readAttemptsOfAll,
  takeBackAttempt,
  total,
} from './attempts-repository.ts';
import type { CountedPart } from './attempts-repository.ts';

export interface AttemptLimit {
  readonly max: number;
  readonly windowMs: number;
  /** Each failure after `after` doubles the delay. */
  readonly delays?: { readonly after: number; readonly firstMs: number; readonly mostMs: number };
}

const MINUTE = 60_000;

export const ATTEMPT_LIMITS = {
  signInOfAccount: { max: 10, windowMs: 15 * MINUTE },
  signInFromAddress: { max: 60, windowMs: 15 * MINUTE },
  /** Failures in a row; at the limit only a site admin can let the person in. */
  signInStreak: {
    max: 100,
    windowMs: 30 * 24 * 60 * MINUTE,
    delays: { after: 10, firstMs: 1000, mostMs: 15 * MINUTE },
  },
  /** Codes of second factors. */
  factorCode: { max: 5, windowMs: 5 * MINUTE },
  /** Failures in a row; at the limit only a site admin can let the person in. */
  factorStreak: {
    max: 50,
    windowMs: 30 * 24 * 60 * MINUTE,
    delays: { after: 5, firstMs: 1000, mostMs: 15 * MINUTE },
  },
  newAuthenticator: { max: 10, windowMs: 15 * MINUTE },
  masterPassword: { max: 10, windowMs: 15 * MINUTE },
  inviteToken: { max: 20, windowMs: 15 * MINUTE },
  /** Of identity providers, by network. A provider may sign out many people at once. */
  logoutToken: { max: 300, windowMs: 15 * MINUTE },
  setupToken: { max: 20, windowMs: 15 * MINUTE },
  archivePassword: { max: 10, windowMs: 15 * MINUTE },
  recovery: { max: 20, windowMs: 15 * MINUTE },
  keyBundle: { max: 60, windowMs: 60 * MINUTE },
  document: { max: 600, windowMs: 60 * MINUTE },
} as const satisfies Record<string, AttemptLimit>;

/** Failed sign-ins of any kind from a network. */
export const addressCounter = ({ address }: { readonly address: string }): Counter => ({
  key: `login:address:${networkOf(address)}`,
  limit: ATTEMPT_LIMITS.signInFromAddress,
});

interface CounterDeps {
  readonly db: Database;
  readonly clock: { now(): number };
}

export interface Counter {
  readonly key: string;
  readonly limit: AttemptLimit;
}

/** Checks limits and delays with one read; counts nothing. @throws AppError `too_many_requests` */
export async function refuseTooMany(deps: CounterDeps, ...counters: readonly Counter[]): Promise<void> {
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

function delayedUntil(parts: readonly CountedPart[], { windowMs, delays }: AttemptLimit): number {
  const last = parts.at(-1);
  if (delays === undefined || last === undefined) return 0;
  const over = total(parts) - delays.after;
  if (over <= 0) return 0;
  return last.blocked_until - windowMs + Math.min(delays.firstMs * 2 ** (over - 1), delays.mostMs);
}

/** Counts an attempt before it is verified. @throws AppError `too_many_requests` */
export async function countAttempt(deps: CounterDeps, key: string, limit: AttemptLimit): Promise<void> {
  const now = deps.clock.now();
  refuseUntil(fullUntil(await readAttempts(deps.db, key, now), limit, now), now);
  await countJudged(deps, [{ key, limit }]);
}

/**
 * Counts a failed attempt on every counter, in one transaction with `record`, and then `tell`, which gets the new
 * count of each by key; no other attempt gets the same number. @throws AppError `too_many_requests` after the commit
 */
export async function countJudged(
  deps: CounterDeps,
  counters: readonly Counter[],
  record: (tx: Transact) => Promise<void> = () => Promise.resolve(),
  tell: (tx: Transact, counts: ReadonlyMap<string, number>) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const now = deps.clock.now();
  // The same order avoids deadlocks.
  const inOrder = counters.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const until = await deps.db.transactBeside(async (tx) => {
    await record(tx);
    const counts = new Map<string, number>();
    let until = now;
    for (const { key, limit } of inOrder) {
      const { failures, parts } = await addAttempt(tx, key, limit.windowMs, now);
      counts.set(key, failures);
      if (failures > limit.max) until = Math.max(until, fullUntil(parts, limit, now));
    }
    await tell(tx, counts);
    return until;
  });
  refuseUntil(until, now);
}

/** Whether the limit is reached. */
export async function isLimitReached(deps: CounterDeps, { key, limit }: Counter): Promise<boolean> {
  return total(await readAttempts(deps.db, key, deps.clock.now())) >= limit.max;
}

/** When one more attempt is allowed. */
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

/** Uncounts a successful attempt. */
export const uncountAttempt = (deps: CounterDeps, key: string): Promise<void> =>
  deps.db.transactBeside((tx) => takeBackAttempt(tx, key, deps.clock.now()));

/**
 * Call it in the transaction of a success: refuses it as one attempt too many, else forgets the attempts. It locks the
 * counters, so of parallel attempts no more than the limit are answered.
 * @throws AppError `too_many_requests`
 */
export async function forgiveWithinLimit(
  tx: Transact,
  { clock }: Pick<CounterDeps, 'clock'>,
  counters: readonly Counter[],
): Promise<void> {
  const now = clock.now();
  const keys = counters.map(({ key }) => key);
  await lockCounters(tx, keys);
  const counted = await readAttemptsOfAll({ read: tx }, keys, now);
  refuseUntil(Math.max(now, ...counters.map(({ limit }, at) => fullUntil(counted[at] ?? [], limit, now))), now);
  await deleteAttempts(tx, keys);
}

/** Forgets attempts after a success. */
export const forgiveAttempts = (tx: Transact, keys: readonly string[]) => deleteAttempts(tx, keys);
