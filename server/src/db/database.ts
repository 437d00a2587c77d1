/** The one place that knows which engine holds the data. Everything outside `db/` speaks through this interface. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Kysely, Transaction } from 'kysely';
import { openBodyStore, putBackMovedAside } from '../platform/storage/bodies.ts';
import type { BodyStore } from '../platform/storage/bodies.ts';
import { DATABASE_FILE, prepareDataFolder } from './data-folder.ts';
import { embedded } from './embedded.ts';
import { isDamage, lostWrite } from './failures.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { SchemaError, countApplied, migrate, refuseOtherSchema } from './migrate.ts';
import type { Dialect, Migration } from './migrate.ts';
import { readPostgresUrl } from './postgres-address.ts';
import type { Tables } from './schema.ts';
import { DataDirInUse, NoDatabase, lockDataDir, openReader, openWriter } from './sqlite.ts';
import type { Writer } from './sqlite.ts';
import { copyBeforeUpgrade } from './upgrade-copy.ts';

export type Transact = Transaction<Tables>;

export interface Database {
  readonly dialect: Dialect;
  /** Reads what is committed; never part of a transaction. */
  readonly read: Kysely<Tables>;
  /**
   * One act: all of it or nothing, and no other act at the same time, in any process. Others wait, so keep slow work (key derivation, files) outside.
   * What crosses it undoes it as a whole, and it is done again: `work` must leave nothing behind but rows.
   */
  transact<T>(work: (tx: Transact) => Promise<T>): Promise<T>;
  /**
   * As `transact`, for the few acts that are frequent: on an engine with many writers it runs beside others of its kind, on the embedded one it shares
   * its commit with those of the same moment, so it reads through `tx` alone. What it judges must be held by a lock of `locks.ts`, a unique column or
   * a comparison in the write itself; where it is overtaken all the same, it is done again alone.
   */
  transactBeside<T>(work: (tx: Transact) => Promise<T>): Promise<T>;
  /** As `transact`, unless it would have to wait for another transaction: then returns null and does nothing. */
  transactIfFree<T>(work: (tx: Transact) => Promise<T>): Promise<T | null>;
  /** Nobody acts while `work` does something outside of the database. */
  exclusive<T>(work: () => Promise<T>): Promise<T>;
  /** While `work` lasts, a thread of this process may write with a `BulkWriter` of its own. */
  lendWriter<T>(work: () => Promise<T>): Promise<T>;
  /** Sealed file bodies, which belong to the vault as its rows do. */
  readonly bodies: BodyStore;
  /** Throws when the engine does not take a write. Leaves nothing behind. */
  probe(): Promise<void>;
  /** File of the embedded database, or address of the server: with its password, so for threads of this process alone. */
  readonly path: string;
  close(): Promise<void>;
}

interface OpenOptions {
  readonly dataDir: string;
  /** Absent: not below `dataDir`, or `backups` there. */
  readonly backupDir?: string;
  /** `postgres://…`; absent or null for the embedded database. */
  readonly databaseUrl?: string | null;
  readonly now: number;
  /** The administrator has confirmed a backup of the PostgreSQL database, so it may be upgraded. */
  readonly confirmUpgrade?: boolean;
  /** Called before an upgrade of the embedded database with the path of its verified copy. */
  readonly onUpgradeCopy?: (path: string) => void;
  /** The data exists elsewhere, so an upgrade makes no copy. */
  readonly isScratch?: boolean;
  /** For the tests of the migrations themselves. */
  readonly migrations?: readonly Migration[];
  /**
   * Also when a server has the folder: for short acts that touch no file. The engine lets one writer in after the other, and whoever waits, waits
   * for up to five seconds.
   */
  readonly beside?: boolean;
  /**
   * Called with an I/O error of the embedded engine after which its state on disk is unknown
   * (`lostWrite`).
   */
  readonly onLostWrite?: (code: string) => void;
}

/**
 * Opens the database, the embedded one in the data folder unless there is a URL, making or migrating it as needed. Throws `DataDirInUse` when another
 * process has the folder of an embedded one, `DataDirShared` when that is not ours, `SchemaError` when the schema is not.
 */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const { dataDir, databaseUrl = null, now, migrations = MIGRATIONS, beside = false } = options;
  prepareDataFolder(options);
  if (databaseUrl !== null) {
    // Who keeps an embedded database does not wait for what the other one needs.
    const { openPostgres } = await import('./postgres.ts');
    const { confirmUpgrade = false } = options;
    return openPostgres({ address: addressOf(databaseUrl), url: databaseUrl, now, migrations, beside, confirmUpgrade });
  }
  const unlock = lockUnlessBeside(dataDir, beside);
  const path = join(dataDir, DATABASE_FILE);
  try {
    const writer = openWriter(path, (error) => {
      const code = lostWrite(error, dataDir);
      if (code !== null) options.onLostWrite?.(code);
    });
    try {
      // The schema of a running server is its own.
      if (unlock === null) await refuseOtherSchema(writer.queries, 'sqlite', migrations);
      else await upgrade(writer, options, migrations);
    } catch (error) {
      await writer.queries.destroy();
      throw error;
    }
    const read = openReader(path);
    if (unlock !== null) putBackMovedAside(dataDir);
    const bodies = openBodyStore(dataDir);
    return embedded({ path, read, writer, bodies, unlock: unlock ?? (() => {}) });
  } catch (error) {
    unlock?.();
    throw asSchemaError(error);
  }
}

/** Copies the database if an upgrade is due, then migrates it. */
async function upgrade(writer: Writer, options: OpenOptions, migrations: readonly Migration[]): Promise<void> {
  const { dataDir, now, onUpgradeCopy, isScratch = false } = options;
  const applied = await countApplied(writer.queries, 'sqlite', migrations);
  if (applied > 0 && applied < migrations.length && !isScratch) {
    onUpgradeCopy?.(await copyBeforeUpgrade({ dataDir, connection: writer.connection, migrations, applied }));
  }
  await migrate(writer.queries, 'sqlite', migrations, now);
}

/** Null when a server has the folder and that is all right. */
function lockUnlessBeside(dataDir: string, beside: boolean): (() => void) | null {
  try {
    return lockDataDir(dataDir);
  } catch (error) {
    if (beside && error instanceof DataDirInUse) return null;
    throw error;
  }
}

export type DatabaseToRead = Pick<Database, 'read' | 'bodies' | 'close' | 'dialect'>;

/** Opens the database to look at it, whether a server has it or not; throws `NoDatabase`, `SchemaError`. */
export async function openToRead({
  dataDir,
  databaseUrl = null,
  migrations = MIGRATIONS,
}: Pick<OpenOptions, 'dataDir' | 'databaseUrl' | 'migrations'>): Promise<DatabaseToRead> {
  if (databaseUrl !== null) {
    const { openPostgresToRead } = await import('./postgres.ts');
    return openPostgresToRead(addressOf(databaseUrl), migrations);
  }
  const path = join(dataDir, DATABASE_FILE);
  if (!existsSync(path)) throw new NoDatabase(dataDir);
  try {
    const queries = openReader(path);
    try {
      await refuseOtherSchema(queries, 'sqlite', migrations);
      const bodies = openBodyStore(dataDir);
      return { dialect: 'sqlite', read: queries, bodies, close: () => queries.destroy() };
    } catch (error) {
      await queries.destroy();
      throw error;
    }
  } catch (error) {
    throw asSchemaError(error);
  }
}

function addressOf(url: string) {
  const address = readPostgresUrl(url);
  if (address === null) throw new SchemaError('DATABASE_URL is no address of a PostgreSQL database.');
  return address;
}

/** A file that is no database at all is told in one sentence, too. */
function asSchemaError(error: unknown): unknown {
  return isDamage(error) ? new SchemaError('The database file is damaged or is not a database.') : error;
}
