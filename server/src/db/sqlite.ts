/** The embedded engine: two connections to one file, a reader and a writer, and the lock that keeps a second process out. */
import { chmodSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Database as Connection } from 'better-sqlite3';
import { CompiledQuery, Kysely, SqliteDialect, SqliteDriver } from 'kysely';
import type { DatabaseConnection, Driver, SqliteDialectConfig } from 'kysely';
import { LOCK_FILE } from './data-folder.ts';
import { lostWrite } from './failures.ts';
import { KeptStatement } from './kept-statement.ts';
import type { Tally } from './kept-statement.ts';
import type { Tables } from './schema.ts';
import { BetterSqlite } from './sqlite-engine.ts';

const STATEMENTS_KEPT = 500;
/** What the writer's connection remembers of the file, in KiB: acts and most reads find their pages there. */
const REMEMBERED_KIB = 8 * 1024;
/** Pages in the write-ahead log from which it is checkpointed after a transaction. */
export const CHECKPOINT_PAGES = 2000;
/** Bytes to which the write-ahead log is truncated when it restarts. */
const LOG_BYTES = 16 * 1024 * 1024;

/** Begins every transaction as a writer, so that none has to be repeated because another one wrote in between. */
class ImmediateDriver extends SqliteDriver {
  readonly #file: Connection;
  constructor(config: SqliteDialectConfig, file: Connection) {
    super(config);
    this.#file = file;
  }
  /** What the engine has rolled back by itself is not there any more; the failure that made it do so is the one to tell. */
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

/** Keeps compiled statements: an import runs the same few texts many thousand times. */
function withStatementCache(connection: Connection) {
  const tally: Tally = { writes: 0, isInAct: false };
  let recent = new Map<string, KeptStatement>();
  // Those that were asked for before the recent ones; whatever is not asked for again goes with them.
  let former = new Map<string, KeptStatement>();
  const keep = (text: string, statement: KeptStatement) => {
    if (recent.size >= STATEMENTS_KEPT / 2) {
      former = recent;
      recent = new Map();
    }
    recent.set(text, statement);
    return statement;
  };
  return {
    prepare(text: string): KeptStatement {
      const known = recent.get(text);
      if (known !== undefined && !known.busy) return known;
      const earlier = former.get(text);
      if (earlier !== undefined && !earlier.busy) return keep(text, earlier);
      return keep(text, new KeptStatement(connection.prepare<unknown[]>(text), tally));
    },
    writes: () => tally.writes,
    act: async <T>(work: () => Promise<T>): Promise<T> => {
      tally.isInAct = true;
      try {
        return await work();
      } finally {
        tally.isInAct = false;
      }
    },
    close: () => connection.close(),
  };
}

export interface Writer {
  readonly connection: Connection;
  readonly queries: Kysely<Tables>;
  /** How many statements that may write it has run: the same before and after says that nothing was written between. */
  readonly writes: () => number;
  /** The work of a transaction that has begun: when the engine ends it by itself, whatever would write behind that throws `TransactionGone`. */
  readonly act: <T>(work: () => Promise<T>) => Promise<T>;
  /** Called with each error of a transaction before it is thrown. */
  readonly onFailure: (error: unknown) => void;
  /** Checkpoints the write-ahead log if it is long. Call it after each transaction. */
  readonly checkpoint: () => void;
}

function asWriter(
  connection: Connection,
  queries: Kysely<Tables>,
  statements: ReturnType<typeof withStatementCache>,
  { onFailure, checkpoint }: Pick<Writer, 'onFailure' | 'checkpoint'>,
): Writer {
  const { writes, act } = statements;
  return { connection, queries, writes, act, onFailure, checkpoint };
}

/** Opens the file for writing with every safety that the product relies on (docs/spec/threats.md §5.2.3); makes it when it is absent. */
export function openWriter(path: string, onFailure: (error: unknown) => void = () => {}): Writer {
  const connection = new BetterSqlite(path);
  chmodSync(path, 0o600);
  connection.pragma('busy_timeout = 5000');
  connection.pragma('journal_mode = WAL');
  connection.pragma('synchronous = FULL');
  connection.pragma('foreign_keys = ON');
  connection.pragma('secure_delete = ON');
  // What an act may have to undo is kept in memory: it is rows of the vault.
  connection.pragma('temp_store = MEMORY');
  connection.pragma(`cache_size = -${REMEMBERED_KIB}`);
  connection.pragma('wal_autocheckpoint = 0');
  connection.pragma(`journal_size_limit = ${LOG_BYTES}`);
  const statements = withStatementCache(connection);
  const queries = new Kysely<Tables>({ dialect: new ImmediateDialect(connection, { database: statements }) });
  return asWriter(connection, queries, statements, {
    onFailure,
    checkpoint: checkpointOf(connection, path, onFailure),
  });
}

/**
 * SQLite's own autocheckpoint ignores a failed fsync, after which a later one succeeds without the
 * lost pages (T152). This one reports it; after other errors the log grows until the next attempt.
 */
function checkpointOf(connection: Connection, path: string, onFailure: (error: unknown) => void): () => void {
  const length = connection.prepare<[], number[]>('pragma wal_checkpoint(noop)').raw();
  let next = CHECKPOINT_PAGES;
  return () => {
    try {
      const [, pages = 0] = length.get() ?? [];
      if (pages < CHECKPOINT_PAGES) next = CHECKPOINT_PAGES;
      if (pages < next) return;
      // A log that a reader still needs is not emptied by this.
      next = pages + CHECKPOINT_PAGES;
      connection.pragma('wal_checkpoint(PASSIVE)');
    } catch (error) {
      if (lostWrite(error, dirname(path)) !== null) onFailure(error);
    }
  };
}

/** There is no database to read. */
export class NoDatabase extends Error {
  constructor(dataDir: string) {
    super(`There is no database in ${dataDir}.`);
    this.name = 'NoDatabase';
  }
}

export function openReader(path: string): Writer {
  const connection = new BetterSqlite(path, { readonly: true });
  connection.pragma('busy_timeout = 5000');
  const statements = withStatementCache(connection);
  const queries = new Kysely<Tables>({ dialect: new SqliteDialect({ database: statements }) });
  return asWriter(connection, queries, statements, { onFailure: () => {}, checkpoint: () => {} });
}

/** Another process has the data folder. */
export class DataDirInUse extends Error {
  constructor(dataDir: string) {
    super(`Another process is using the data folder ${dataDir}.`);
    this.name = 'DataDirInUse';
  }
}

/**
 * Locks the data folder for this process; the returned function unlocks it. The lock is one of the operating system, taken by the engine on
 * a file of its own: it vanishes with the process, also after SIGKILL.
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
