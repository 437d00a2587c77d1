/**
 * PostgreSQL locks until the transaction ends, across processes (ADR 11). SQLite has one writer and needs
 * none.
 */
import { sql } from 'kysely';
import { type Transact, dialectOf } from './database.ts';
import { prepared } from './prepared.ts';

/** Advisory lock keys: 'PB' and a number; `migrate.ts` has 2. */
const VAULT = 0x5042_0001;
/** The second key is the hash of the name. */
const COUNTERS = 0x5042_0003;

/** First statements of transactions. */
export const FIRST = {
  alone: `select pg_advisory_xact_lock(${VAULT})`,
  beside: `select pg_advisory_xact_lock_shared(${VAULT})`,
  /** May be idle for ten minutes. */
  exclusive: `set local idle_in_transaction_session_timeout = '10min'; select pg_advisory_xact_lock(${VAULT})`,
} as const;

/** Takes the shared vault lock: later checks hold until the transaction ends. */
export async function lockVaultShared(tx: Transact): Promise<void> {
  if (dialectOf(tx) === 'postgres') await sql.raw(FIRST.beside).execute(tx);
}

/**
 * As `lockVaultShared` without waiting, PostgreSQL only. @returns false if the exclusive lock is taken or
 * waited for
 */
export async function tryLockVaultShared(tx: Transact): Promise<boolean> {
  const lock = sql<{ readonly is_free: number }>`select pg_try_advisory_xact_lock_shared(${sql.lit(VAULT)}) as is_free`;
  return (await lock.execute(tx)).rows[0]?.is_free === 1;
}

/** Takes the exclusive vault lock; waits up to a minute. */
export async function lockVault(tx: Transact): Promise<void> {
  if (dialectOf(tx) === 'postgres') await sql.raw(`set local lock_timeout = '1min'; ${FIRST.alone}`).execute(tx);
}

/** Locks an entry's row, with its fields and search row. */
export async function lockEntry(tx: Transact, entryId: string): Promise<void> {
  if (dialectOf(tx) === 'postgres') await ENTRY.all(tx, { entryId });
}

const ENTRY = prepared((db, given: { readonly entryId: string }) =>
  db.selectFrom('entries').select('entry_id').where('entry_id', '=', given.entryId).forNoKeyUpdate(),
);

/** Locks a counter. Lock several in name order. */
export async function lockCounter(tx: Transact, name: string): Promise<void> {
  if (dialectOf(tx) === 'postgres') await COUNTER.all(tx, { name });
}

const COUNTER = prepared((db, given: { readonly name: string }) => db.selectNoFrom(counterLock(given.name)));

/** `lockCounter` as a column of a query, PostgreSQL only: each row that it returns takes the lock. */
export function counterLock(name: string) {
  return sql<unknown>`pg_advisory_xact_lock(${sql.lit(COUNTERS)}, hashtext(${name}))`.as('locked');
}
