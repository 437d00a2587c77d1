/**
 * Counters of attempts, shared by all instances and kept over a restart. One row per 1/15 of the window; it
 * counts until `windowMs` after its last attempt.
 */
import { lockCounter } from '../../db/locks.ts';
import type { Database, Transact } from '../../db/database.ts';
import { prepared, preparedAmongRows } from '../../db/prepared.ts';
import type { Tables } from '../../db/schema/tables.ts';
import { latestPast } from '../clock.ts';
import { sha256Hex } from '../ids-and-digests.ts';

/** The precision of the counters. */
const PARTS = 15;

export interface CountedPart {
  /** Counts reveals too. */
  readonly failures: number;
  /** When these no longer count, Unix ms. */
  readonly blocked_until: number;
}

interface Range {
  readonly from: string;
  readonly to: string;
}

/** Hashed, because it may hold what a person typed. */
function rangeOf(key: string): Range {
  const name = sha256Hex(key);
  return { from: `${name} `, to: `${name}!` };
}

/** Attempts that count now, oldest first; none dated in the future. */
export async function readAttempts(
  { read }: Pick<Database, 'read'>,
  key: string,
  now: number,
): Promise<readonly CountedPart[]> {
  return countingAttempts(read, key, now);
}

/** As `readAttempts`, for several counters. */
export async function readAttemptsOfAll(
  { read }: Pick<Database, 'read'>,
  keys: readonly string[],
  now: number,
): Promise<readonly (readonly CountedPart[])[]> {
  const ranges = keys.map((key) => ({ ...rangeOf(key), now, latest: latestPast(now) }));
  const rows = await COUNTING_OF_ALL(read, ranges);
  return ranges.map(({ from, to }) => rows.filter(({ key }) => key >= from && key < to));
}

/** As `readAttempts`, also in a transaction. */
export const countingAttempts = (db: Database['read'], key: string, now: number): Promise<readonly CountedPart[]> =>
  countingIn(db, rangeOf(key), now);

/** Milliseconds. */
export const partOf = (windowMs: number): number => windowMs / PARTS;

const countingIn = (db: Database['read'], range: Range, now: number): Promise<readonly CountedPart[]> =>
  COUNTING.all(db, { ...range, now, latest: latestPast(now) });

interface Counting extends Range {
  readonly now: number;
  readonly latest: number;
}

const COUNTING = prepared((db, given: Counting) =>
  db
    .selectFrom('attempts')
    .select(['failures', 'blocked_until'])
    .where('key', '>=', given.from)
    .where('key', '<', given.to)
    .where('blocked_until', '>', given.now)
    .where('window_started_at', '<=', given.latest)
    .orderBy('blocked_until'),
);

const COUNTING_OF_ALL = preparedAmongRows((db, ranges: readonly Counting[]) =>
  db
    .selectFrom('attempts')
    .select(['key', 'failures', 'blocked_until'])
    .where((eb) =>
      eb.or(
        ranges.map(({ from, to, now, latest }) =>
          eb.and([
            eb('key', '>=', from),
            eb('key', '<', to),
            eb('blocked_until', '>', now),
            eb('window_started_at', '<=', latest),
          ]),
        ),
      ),
    )
    .orderBy('blocked_until'),
);

interface Counted {
  readonly failures: number;
  readonly parts: readonly CountedPart[];
}

/**
 * Counts one attempt and returns how many the window has, a unique number. Locks the counter until commit, so
 * call this late.
 */
export async function addAttempt(tx: Transact, key: string, windowMs: number, now: number): Promise<Counted> {
  await lockCounter(tx, key);
  await ONE_MORE.all(tx, onePart(key, windowMs, now));
  const parts = await countingIn(tx, rangeOf(key), now);
  return { failures: total(parts), parts };
}

const onePart = (key: string, windowMs: number, now: number) => ({
  key: rangeOf(key).from + String(Math.floor(now / partOf(windowMs))),
  window_started_at: now,
  blocked_until: now + windowMs,
});

/** Values of `oneMore` and `otherParts`, for a statement that counts and does more. */
export const countedInOne = (key: string, windowMs: number, now: number) => ({
  ...onePart(key, windowMs, now),
  ...rangeOf(key),
  latest: latestPast(now),
});
export type CountedInOne = ReturnType<typeof countedInOne>;

const ONE_MORE = prepared(oneMore);

export function oneMore(db: Pick<Transact, 'insertInto'>, given: Omit<Tables['attempts'], 'failures'>) {
  const { key, window_started_at, blocked_until } = given;
  return db
    .insertInto('attempts')
    .values({ key, window_started_at, blocked_until, failures: 1 })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => ({ failures: eb('attempts.failures', '+', 1), blocked_until })),
    );
}

/** Sum of the parts that count now, without the one of `oneMore`. */
export const otherParts = (db: Pick<Transact, 'selectFrom'>, given: CountedInOne) =>
  db
    .selectFrom('attempts')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('failures'), eb.lit(0)).as('failures'))
    .where('key', '>=', given.from)
    .where('key', '<', given.to)
    .where('key', '<>', given.key)
    .where('blocked_until', '>', given.window_started_at)
    .where('window_started_at', '<=', given.latest);

export const total = (parts: readonly CountedPart[]): number => parts.reduce((sum, { failures }) => sum + failures, 0);

/** Uncounts the newest attempt. */
export async function takeBackAttempt(tx: Transact, key: string, now: number): Promise<void> {
  await lockCounter(tx, key);
  const { from, to } = rangeOf(key);
  const newest = await tx
    .selectFrom('attempts')
    .select('key')
    .where('key', '>=', from)
    .where('key', '<', to)
    .where('failures', '>', 0)
    .where('window_started_at', '<=', latestPast(now))
    .orderBy('blocked_until', 'desc')
    .executeTakeFirst();
  if (newest === undefined) return;
  await tx
    .updateTable('attempts')
    .set((eb) => ({ failures: eb('failures', '-', 1) }))
    .where('key', '=', newest.key)
    .execute();
}

/** Until the transaction ends. */
export async function lockCounters(tx: Transact, keys: readonly string[]): Promise<void> {
  // The same order everywhere avoids deadlocks.
  for (const key of keys.toSorted()) await lockCounter(tx, key);
}

export async function deleteAttempts(tx: Transact, keys: readonly string[]): Promise<void> {
  await lockCounters(tx, keys);
  await FORGIVEN(tx, keys.map(rangeOf));
}

const FORGIVEN = preparedAmongRows((db, ranges: readonly Range[]) =>
  db
    .deleteFrom('attempts')
    .where((eb) => eb.or(ranges.map(({ from, to }) => eb.and([eb('key', '>=', from), eb('key', '<', to)])))),
);

export async function deleteOldAttempts(tx: Transact, now: number): Promise<void> {
  await tx.deleteFrom('attempts').where('blocked_until', '<=', now).execute();
}
