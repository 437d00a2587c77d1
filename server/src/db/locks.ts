/**
 * Locks on PostgreSQL, held until the transaction ends, valid in all processes (ADR 11). On SQLite, which has
 * one writer, these functions do nothing.
 */
import { sql } from 'kysely';
import { type Transact, dialectOf } from './database.ts';
import { prepared } from './prepared.ts';

/** Keys of advisory locks: 'PB' and a number. `migrate.ts` has number 2. */
const VAULT = 0x5042_0001;
/** The second key is the hash of the counter's name. */
const COUNTERS = 0x5042_0003;

/** First statements of the kinds of transactions on PostgreSQL. */
export const FIRST = {
  alone: `select pg_advisory_xact_lock(${VAULT})`,
  beside: `select pg_advisory_xact_lock_shared(${VAULT})`,
  /** As `alone`, and may be idle for ten minutes. */
  exclusive: `set local idle_in_transaction_session_timeout = '10min'; select pg_advisory_xact_lock(${VAULT})`,
} as const;

/** Takes the shared lock of the vault: what is checked after this cannot change. */
export async function lockVaultShared(tx: Transact): Promise<void> {
  if (dialectOf(tx) === 'postgres') await sql.raw(FIRST.beside).execute(tx);
}

/**
 * Like `lockVaultShared`, without waiting; PostgreSQL only. @returns false if the exclusive lock is taken or
 * waited for
 */
export async function tryLockVaultShared(tx: Transact): Promise<boolean> {
  const lock = sql<{ readonly is_free: number }>`select pg_try_advisory_xact_lock_shared(${sql.lit(VAULT)}) as is_free`;
  return (await lock.execute(tx)).rows[0]?.is_free === 1;
}

/** Takes the exclusive lock of the vault; waits for up to a minute. */
export async function lockVault(tx: Transact): Promise<void> {
  if (dialectOf(tx) === 'postgres') await sql.raw(`set local lock_timeout = '1min'; ${FIRST.alone}`).execute(tx);
}

/** Locks an entry's row, and so its fields and its row of the search index. */
export async function lockEntry(tx: Transact, entryId: string): Promise<void> {
  if (dialectOf(tx) === 'postgres') await ENTRY.all(tx, { entryId });
}

const ENTRY = prepared((db, given: { readonly entryId: string }) =>
  db.selectFrom('entries').select('entry_id').where('entry_id', '=', given.entryId).forNoKeyUpdate(),
);

/** Locks a counter. Lock several in the order of their names. */
export async function lockCounter(tx: Transact, name: string): Promise<void> {
  if (dialectOf(tx) === 'postgres') await COUNTER.all(tx, { name });
}

const COUNTER = prepared((db, given: { readonly name: string }) =>
  db.selectNoFrom(sql`pg_advisory_xact_lock(${sql.lit(COUNTERS)}, hashtext(${given.name}))`.as('locked')),
);
