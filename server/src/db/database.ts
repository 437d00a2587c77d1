/** The interface to the database. Outside `db/`, use `dialect` only where the engines need other statements. */
import { type Kysely, type Transaction, PostgresAdapter } from 'kysely';
import type { BodyStore } from '../platform/storage/bodies.ts';
import type { Dialect } from './schema/migrate.ts';
import type { Tables } from './schema/tables.ts';

export type Transact = Transaction<Tables>;

export interface Database {
  readonly dialect: Dialect;
  /** Reads committed data, outside transactions. */
  readonly read: Kysely<Tables>;
  /**
   * Runs a transaction while no other one writes, in any process. Keep key derivation and files outside.
   * `work` may run again: it must change only rows.
   */
  transact<T>(work: (tx: Transact) => Promise<T>): Promise<T>;
  /**
   * As `transact`, but concurrent on PostgreSQL: checks in `work` need a lock of `locks.ts`, a unique column
   * or a condition in the write. On SQLite, read through `tx` only (ADR 12).
   */
  transactBeside<T>(work: (tx: Transact) => Promise<T>): Promise<T>;
  /** As `transact`; returns null instead of waiting. */
  transactIfFree<T>(work: (tx: Transact) => Promise<T>): Promise<T | null>;
  /** Runs `work` outside the database while no transaction runs. */
  exclusive<T>(work: () => Promise<T>): Promise<T>;
  /** Meanwhile a thread may write with its own `BulkWriter`. */
  lendWriter<T>(work: () => Promise<T>): Promise<T>;
  readonly bodies: BodyStore;
  /** @throws if the database is not writable */
  probe(): Promise<void>;
  /** Path of SQLite, or PostgreSQL URL with its password: keep it in this process. */
  readonly path: string;
  close(): Promise<void>;
}

export type DatabaseToRead = Pick<Database, 'read' | 'bodies' | 'close' | 'dialect'>;

/** Rolls a transaction back on purpose. */
export class RollBack extends Error {}

export const dialectOf = (db: Pick<Transact, 'getExecutor'>): Dialect =>
  db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
