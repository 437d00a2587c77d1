import { chmodSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Database as Connection, Statement } from 'better-sqlite3';
import {
  CompiledQuery,
  Kysely,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type Driver,
  type SqliteDialectConfig,
} from 'kysely';
import { LOCK_FILE } from '../data-folder.ts';
import { TransactionGone, lostWrite } from '../failures.ts';
import type { Tables } from '../schema/tables.ts';
import { createRequire } from 'node:module';
import type Engine from 'better-sqlite3';

/** Per connection. */
const MOST_STATEMENTS = 500;
const CACHE_KIB = { writer: 8 * 1024, reader: 32 * 1024 };
/** Length of the write-ahead log that triggers a checkpoint. */
export const CHECKPOINT_PAGES = 2000;
/** Size of the log after a restart. */
const LOG_BYTES = 16 * 1024 * 1024;

/** Takes the write lock at `begin`, so no transaction is repeated. */
class ImmediateDriver extends SqliteDriver {
  readonly #file: Connection;
  constructor(config: SqliteDialectConfig, file: Connection) {
    super(config);
    this.#file = file;
  }
  /** Does nothing if SQLite has rolled back by itself; the caller throws the cause. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#file.inTransaction) await super.rollbackTransaction(connection);
  }
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}

class ImmediateDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;
  readonly #file: Connection;
  constructor(file: Connection, config: SqliteDialectConfig) {
    super(config);
    this.#config = config;
    this.#file = file;
  }
  override createDriver(): Driver {
    return new ImmediateDriver(this.#config, this.#file);
  }
}

function withStatementCache(connection: Connection) {
  const cached = new Map<string, Statement<unknown[]>>();
  let isInOperation = false;
  return {
    /** @throws TransactionGone in an operation whose transaction has ended */
    prepare(text: string): Statement<unknown[]> {
      if (isInOperation && !connection.inTransaction) throw new TransactionGone();
      const known = cached.get(text);
      if (known?.busy === false) return known;
      const statement = connection.prepare<unknown[]>(text);
      if (cached.size >= MOST_STATEMENTS) cached.delete(cached.keys().next().value ?? '');
      cached.set(text, statement);
      return statement;
    },
    operation: async <T>(work: () => Promise<T>): Promise<T> => {
      isInOperation = true;
      try {
        return await work();
      } finally {
        isInOperation = false;
      }
    },
    close: () => connection.close(),
  };
}

export interface Writer {
  readonly connection: Connection;
  readonly queries: Kysely<Tables>;
  /** Statements after the transaction's end throw `TransactionGone`. */
  readonly operation: <T>(work: () => Promise<T>) => Promise<T>;
  /** Receives each error of a transaction before it is thrown. */
  readonly onFailure: (error: unknown) => void;
  /** Call it after each transaction. */
  readonly checkpoint: () => void;
}

/** Opens or creates the file for writing, safely (docs/spec/threats.md §5.2.3). */
export function openWriter(path: string, onFailure: (error: unknown) => void = () => {}): Writer {
  const connection = new BetterSqlite(path);
  chmodSync(path, 0o600);
  connection.pragma('busy_timeout = 5000');
  connection.pragma('journal_mode = WAL');
  connection.pragma('synchronous = FULL');
  connection.pragma('foreign_keys = ON');
  connection.pragma('secure_delete = ON');
  // Rollback data contains vault rows: keep it off the disk.
  connection.pragma('temp_store = MEMORY');
  connection.pragma(`cache_size = -${CACHE_KIB.writer}`);
  connection.pragma('wal_autocheckpoint = 0');
  connection.pragma(`journal_size_limit = ${LOG_BYTES}`);
  const statements = withStatementCache(connection);
  const queries = new Kysely<Tables>({ dialect: new ImmediateDialect(connection, { database: statements }) });
  const checkpoint = checkpointOf(connection, path, onFailure);
  return { connection, queries, operation: statements.operation, onFailure, checkpoint };
}

/**
 * SQLite's autocheckpoint ignores a failed fsync, and a later one succeeds without the lost pages. This one
 * reports it.
 */
function checkpointOf(connection: Connection, path: string, onFailure: (error: unknown) => void): () => void {
  const length = connection.prepare<[], number[]>('pragma wal_checkpoint(noop)').raw();
  let next = CHECKPOINT_PAGES;
  return () => {
    try {
      const [, pages = 0] = length.get() ?? [];
      if (pages < CHECKPOINT_PAGES) next = CHECKPOINT_PAGES;
      if (pages < next) return;
      // A reader may still need the log.
      next = pages + CHECKPOINT_PAGES;
      connection.pragma('wal_checkpoint(PASSIVE)');
    } catch (error) {
      if (lostWrite(error, dirname(path)) !== null) onFailure(error);
    }
  };
}

export class NoDatabase extends Error {
  constructor(dataDir: string) {
    super(`There is no database in ${dataDir}.`);
    this.name = 'NoDatabase';
  }
}

/** Opened by its first query: Kysely does not close what was never asked. */
export function openReader(path: string): Kysely<Tables> {
  const database = async () => {
    const connection = new BetterSqlite(path, { readonly: true });
    connection.pragma('busy_timeout = 5000');
    // A search for a frequent word among 100,000 entries reads some 20 MiB of pages.
    connection.pragma(`cache_size = -${CACHE_KIB.reader}`);
    return withStatementCache(connection);
  };
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database }) });
}

export class DataDirInUse extends Error {
  constructor(dataDir: string) {
    super(`Another process is using the data folder ${dataDir}.`);
    this.name = 'DataDirInUse';
  }
}

/**
 * Locks the data folder; returns the unlock. The system releases the lock with the process, also after
 * SIGKILL.
 */
export function lockDataDir(dataDir: string): () => void {
  const path = join(dataDir, LOCK_FILE);
  const isNew = !existsSync(path);
  const lock = new BetterSqlite(path, { timeout: 0 });
  if (isNew) chmodSync(path, 0o600);
  try {
    lock.pragma('journal_mode = MEMORY');
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    throw error instanceof BetterSqlite.SqliteError ? new DataDirInUse(dataDir) : error;
  }
  return () => {
    lock.close();
  };
}

/** Node 20 needs an older package (ADR 14). */
export const ENGINE = process.versions.node.startsWith('20.') ? 'better-sqlite3-node20' : 'better-sqlite3';

export const BetterSqlite = createRequire(import.meta.url)(ENGINE) as typeof Engine;
