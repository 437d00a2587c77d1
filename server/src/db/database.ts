/** The interface to the database, the same for SQLite and PostgreSQL. Only `db/` knows which it is. */
import { type Kysely, type Transaction, PostgresAdapter } from 'kysely';
import type { BodyStore } from '../platform/storage/bodies.ts';
import type { Dialect } from './schema/migrate.ts';
import type { Tables } from './schema/tables.ts';

export type Transact = Transaction<Tables>;

export interface Database {
  readonly dialect: Dialect;
  /** Reads what is committed; never part of a transaction. */
  readonly read: Kysely<Tables>;
  /**
   * Runs a transaction while no other one writes, in any process. Others wait, so keep key derivation and
   * files outside. `work` may run again after a conflict: it must change nothing but rows.
   */
  transact<T>(work: (tx: Transact) => Promise<T>): Promise<T>;
  /**
   * As `transact`, for frequent operations. On PostgreSQL they run concurrently: each check in `work` needs a
   * lock of `locks.ts`, a unique column or a condition in the write; after a conflict `work` runs again
   * alone. On SQLite several share one commit (ADR 12), so `work` reads through `tx` only.
   */
  transactBeside<T>(work: (tx: Transact) => Promise<T>): Promise<T>;
  /** As `transact`; returns null without running `work` if it would have to wait. */
  transactIfFree<T>(work: (tx: Transact) => Promise<T>): Promise<T | null>;
  /** Runs `work`, which acts outside the database, while no transaction runs. */
  exclusive<T>(work: () => Promise<T>): Promise<T>;
  /** While `work` runs, a thread of this process may write with its own `BulkWriter`. */
  lendWriter<T>(work: () => Promise<T>): Promise<T>;
  readonly bodies: BodyStore;
  /** Tries a write and rolls it back. @throws if the database cannot be written */
  probe(): Promise<void>;
  /** Path of SQLite, or URL of PostgreSQL with its password: only for threads of this process. */
  readonly path: string;
  close(): Promise<void>;
}

export type DatabaseToRead = Pick<Database, 'read' | 'bodies' | 'close' | 'dialect'>;

/** Thrown in a transaction to roll it back on purpose. */
export class RollBack extends Error {}

export const dialectOf = (db: Pick<Transact, 'getExecutor'>): Dialect =>
  db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
