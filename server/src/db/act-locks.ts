/**
 * Who may act at the same time on PostgreSQL, in all processes together (`docs/adr/0011-postgresql.md`). SQLite has one writer, so every act there is alone; what was
 * written for that stays right here: an act takes the vault for itself, unless it says that it may run beside others of its kind.
 */
import { sql } from 'kysely';
import type { Transact } from './database.ts';
import { dialectOf } from './dialect-of.ts';
import { nameOfText } from './kept-query.ts';
import type { Statement } from './postgres-batch.ts';
import { prepared } from './prepared.ts';

/** Keys of the engine's advisory locks: 'PB', and which. */
const ACTS = 0x5042_0001;
const MIGRATIONS = 0x5042_0002;
/** With a second key of the engine's own making for each counter. */
const COUNTERS = 0x5042_0003;

/** Statements with which a transaction begins. Locks end with it, after its commit. */
export const FIRST = {
  alone: `select pg_advisory_xact_lock(${ACTS})`,
  beside: `select pg_advisory_xact_lock_shared(${ACTS})`,
  /** As `beside`; nobody waits for the disk. */
  note: `set local synchronous_commit = off; select pg_advisory_xact_lock_shared(${ACTS})`,
  /** Nobody waits for the disk, and whether somebody has the vault for himself is asked within: see `joinIfFree`. */
  noteIfFree: 'set local synchronous_commit = off',
  /** Takes the vault for as long as something outside of it needs that. */
  exclusive: `set local idle_in_transaction_session_timeout = '10min'; select pg_advisory_xact_lock(${ACTS})`,
  /** Waits for another migration, but for tables less than PostgreSQL's deadlock timeout of 1 s: see `retried` in `migrate.ts`. */
  migrating: `set local lock_timeout = '10min'; select pg_advisory_xact_lock(${MIGRATIONS}); set local lock_timeout = '500ms'`,
  /** Judges at its end: see `joinActs`. */
  free: 'set local idle_in_transaction_session_timeout = 0',
} as const;

/** From here to its end the transaction runs beside others of its kind: what it judges now stays as it is. For long ones that began without. */
export async function joinActs(tx: Transact): Promise<void> {
  if (dialectOf(tx) === 'postgres') await sql.raw(FIRST.beside).execute(tx);
}

/** As `joinActs`, without waiting. PostgreSQL alone. @returns whether nobody is alone, or waits to be */
export async function joinIfFree(tx: Transact): Promise<boolean> {
  const lock = sql<{ readonly is_free: number }>`select pg_try_advisory_xact_lock_shared(${sql.lit(ACTS)}) as is_free`;
  return (await lock.execute(tx)).rows[0]?.is_free === 1;
}

/** From here to its end the transaction is alone: for those that find a vault empty and fill it. */
export async function takeActs(tx: Transact): Promise<void> {
  if (dialectOf(tx) === 'postgres') await sql.raw(FIRST.alone).execute(tx);
}

/**
 * From here to its end nobody else acts, in any process. The lock is that of the transaction itself: it lasts as long as that one can commit, however long
 * that is, and not a moment longer. On an embedded database whoever writes is alone anyway.
 */
export async function actAlone(tx: Transact): Promise<void> {
  if (dialectOf(tx) === 'postgres') await sql.raw(`set local lock_timeout = '1min'; ${FIRST.alone}`).execute(tx);
}

/** What an act holds from its first statement to its end, so that no other transaction that keeps the same goes on meanwhile. */
export type Kept =
  /** With its fields and its row of the search index: what is read after this is how the entry stands. */
  | { readonly entry: string }
  /**
   * The counter of that name: everybody who counts sees what the others have counted, whichever row it went to. Acts that share a transaction keep it together,
   * and count side by side: see `inTurn`.
   */
  | { readonly counter: string };

export const nameOfKept = (kept: Kept): string => ('entry' in kept ? `entry ${kept.entry}` : `counter ${kept.counter}`);

/** Nothing on an embedded database, where whoever writes is alone. */
export async function keep(tx: Transact, kept: Kept): Promise<void> {
  if ('entry' in kept) await lockEntry(tx, kept.entry);
  else await lockCounter(tx, kept.counter);
}

type Turn = <T>(work: () => Promise<T>) => Promise<T>;
const turns = new WeakMap<Transact, Turn>();

/** For acts that share a transaction. */
export function setTurn(tx: Transact, turn: Turn): void {
  turns.set(tx, turn);
}

/** Nobody else of the acts that share this one's transaction is within such a piece of work meanwhile. */
export function inTurn<T>(tx: Transact, work: () => Promise<T>): Promise<T> {
  const turn = turns.get(tx);
  return turn === undefined ? work() : turn(work);
}

/** As `keep`, of several: in an order that is everybody's, so that nobody waits for somebody who waits for him. */
export function keepingAll(all: readonly Kept[]): readonly Statement[] {
  const entries = all.flatMap((kept) => ('entry' in kept ? kept.entry : []));
  const counters = all.flatMap((kept) => ('counter' in kept ? kept.counter : []));
  return [
    { ...ENTRIES, values: [entries] },
    { ...COUNTERS_KEPT, values: [counters] },
  ].filter(({ values }) => values.some((list) => list.length > 0));
}

const silent = (text: string) => ({ text, name: nameOfText(text), isSilent: true });

const ENTRIES = silent('select from entries where entry_id = any($1::text[]) order by entry_id for no key update');
/** The order is that of the keys: two names may have the same. */
const COUNTERS_KEPT = silent(`select pg_advisory_xact_lock(${COUNTERS}, key)
  from (select distinct hashtext(name) as key from unnest($1::text[]) as name order by key) as keys`);

/** The first statement of an act that runs beside others; see `Kept`. */
export async function lockEntry(tx: Transact, entryId: string): Promise<void> {
  if (dialectOf(tx) === 'postgres') await ENTRY.later(tx, { entryId });
}

const ENTRY = prepared((db, given: { readonly entryId: string }) =>
  db.selectFrom('entries').select('entry_id').where('entry_id', '=', given.entryId).forNoKeyUpdate(),
);

/**
 * Until the act ends; see `Kept`. Who takes several takes them in the order of their names, and none of those that acts keep while they share a transaction: they
 * are taken in another order (`keepingAll`).
 */
export async function lockCounter(tx: Transact, name: string): Promise<void> {
  if (dialectOf(tx) === 'postgres') await COUNTER.later(tx, { name });
}

const COUNTER = prepared((db, given: { readonly name: string }) =>
  db.selectNoFrom(sql`pg_advisory_xact_lock(${sql.lit(COUNTERS)}, hashtext(${given.name}))`.as('locked')),
);
