/** The embedded engine: two connections to one file, a reader and a writer, and the lock that keeps a second process out. */
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { CompiledQuery, Kysely, SqliteDialect, SqliteDriver } from 'kysely';
import type { DatabaseConnection, Driver, SqliteDialectConfig } from 'kysely';
import type { Ask } from './prepared.ts';
import type { Tables } from './schema.ts';

const STATEMENTS_KEPT = 500;

/** Begins every transaction as a writer, so that none has to be repeated because another one wrote in between. */
class ImmediateDriver extends SqliteDriver {
  readonly #file: BetterSqlite.Database;
  constructor(config: SqliteDialectConfig, file: BetterSqlite.Database) {
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
  readonly #file: BetterSqlite.Database;
  constructor(file: BetterSqlite.Database, config: SqliteDialectConfig) {
    super(config);
    this.#config = config;
    this.#file = file;
  }
  override createDriver(): Driver {
    return new ImmediateDriver(this.#config, this.#file);
  }
}

/** Keeps compiled statements: an import runs the same few texts many thousand times. */
function withStatementCache(connection: BetterSqlite.Database) {
  const statements = new Map<string, BetterSqlite.Statement<unknown[]>>();
  return {
    prepare(text: string) {
      const known = statements.get(text);
      if (known !== undefined && !known.busy) {
        // Whatever was not asked for longest goes first.
        statements.delete(text);
        statements.set(text, known);
        return known;
      }
      const statement = connection.prepare<unknown[]>(text);
      if (statements.size >= STATEMENTS_KEPT) statements.delete(statements.keys().next().value ?? '');
      statements.set(text, statement);
      return statement;
    },
    close: () => connection.close(),
  };
}

export interface Writer {
  readonly connection: BetterSqlite.Database;
  readonly queries: Kysely<Tables>;
  /** Runs a statement on this connection, past the query builder. */
  readonly ask: Ask;
}

/** Rows of many columns are made from lists: the engine's binding takes half as long again to give every member its name. */
const MANY_COLUMNS = 6;

function askingOf(statements: ReturnType<typeof withStatementCache>): Ask {
  const columns = new WeakMap<BetterSqlite.Statement, readonly string[]>();
  const columnsOf = (statement: BetterSqlite.Statement) => {
    const known = columns.get(statement);
    if (known !== undefined) return known;
    const names = statement.columns().map(({ name }) => name);
    columns.set(statement, names);
    return names;
  };
  return (text, parameters) => {
    const statement = statements.prepare(text);
    if (!statement.reader) {
      statement.run(parameters);
      return [];
    }
    const names = columnsOf(statement);
    if (names.length < MANY_COLUMNS) return statement.all(parameters);
    try {
      return (statement.raw(true).all(parameters) as unknown[][]).map((row) => named(names, row));
    } finally {
      // The query builder may have the same text, and the same statement.
      statement.raw(false);
    }
  };
}

function named(names: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (let at = 0; at < names.length; at += 1) row[names[at] ?? ''] = values[at];
  return row;
}

/** Opens the file for writing with every safety that the product relies on (threats §5.2.3); makes it when it is absent. */
export function openWriter(path: string): Writer {
  const connection = new BetterSqlite(path);
  chmodSync(path, 0o600);
  connection.pragma('busy_timeout = 5000');
  connection.pragma('journal_mode = WAL');
  connection.pragma('synchronous = FULL');
  connection.pragma('foreign_keys = ON');
  connection.pragma('secure_delete = ON');
  // What an act may have to undo is kept in memory: it is rows of the vault.
  connection.pragma('temp_store = MEMORY');
  const statements = withStatementCache(connection);
  const queries = new Kysely<Tables>({ dialect: new ImmediateDialect(connection, { database: statements }) });
  return { connection, queries, ask: askingOf(statements) };
}

/** There is no database to read. */
export class NoDatabase extends Error {
  constructor(dataDir: string) {
    super(`There is no database in ${dataDir}.`);
    this.name = 'NoDatabase';
  }
}

/** Work whose commits are not waited for on the disk; the next one that is takes them along. Nobody else may write through this connection meanwhile. */
export async function withoutWaiting<T>({ connection }: Writer, work: () => Promise<T>): Promise<T> {
  connection.pragma('synchronous = NORMAL');
  try {
    return await work();
  } finally {
    connection.pragma('synchronous = FULL');
  }
}

export function openReader(path: string): Writer {
  const connection = new BetterSqlite(path, { readonly: true });
  connection.pragma('busy_timeout = 5000');
  const statements = withStatementCache(connection);
  const queries = new Kysely<Tables>({ dialect: new SqliteDialect({ database: statements }) });
  return { connection, queries, ask: askingOf(statements) };
}

/** Another process has the data folder. */
export class DataDirInUse extends Error {
  constructor(dataDir: string) {
    super(`Another process is using the data folder ${dataDir}.`);
    this.name = 'DataDirInUse';
  }
}

/** Makes the folder, private to this account of the machine. */
export function preparePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  chmodSync(path, 0o700);
}

/**
 * Locks the data folder for this process; the returned function unlocks it. The lock is one of the operating system, taken by the engine on
 * a file of its own: it vanishes with the process, also after SIGKILL.
 */
export function lockDataDir(dataDir: string): () => void {
  const path = join(dataDir, 'process.lock');
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
