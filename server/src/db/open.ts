import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openBodyStore, putBackMovedAside, type BodyStore } from '../platform/storage/bodies.ts';
import { DATABASE_FILE, prepareDataFolder } from './data-folder.ts';
import { type Database, type DatabaseToRead, type Transact, RollBack } from './database.ts';
import { isDamage, lostWrite } from './failures.ts';
import { MIGRATIONS } from './schema/migrations/index.ts';
import { SchemaError, countApplied, migrate, refuseOtherSchema, type Migration } from './schema/migrate.ts';
import { readPostgresUrl } from './postgres/address.ts';
import { DataDirInUse, NoDatabase, lockDataDir, openReader, openWriter, type Writer } from './sqlite/connections.ts';
import { copyBeforeUpgrade } from './sqlite/upgrade-copy.ts';
import type { Kysely } from 'kysely';
import { groupCommit, inTransaction } from './sqlite/group-commit.ts';
import { Mutex } from './mutex.ts';
import type { Tables } from './schema/tables.ts';

interface OpenOptions {
  readonly dataDir: string;
  readonly backupDir?: string;
  readonly databaseUrl?: string | null;
  readonly now: number;
  /** A backup of PostgreSQL exists, so it may be upgraded. */
  readonly confirmUpgrade?: boolean;
  /** Receives the path of the verified copy. */
  readonly onUpgradeCopy?: (path: string) => void;
  /** The data exists elsewhere, so upgrades make no copy. */
  readonly isScratch?: boolean;
  /** For tests. */
  readonly migrations?: readonly Migration[];
  /** Short transactions beside a running server; a writer waits up to 5 s. */
  readonly isSecondProcess?: boolean;
  /** Receives an error of `lostWrite`. */
  readonly onLostWrite?: (code: string) => void;
}

/**
 * Opens, creates or migrates the database, SQLite without a URL. @throws DataDirInUse, DataDirShared,
 * SchemaError
 */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const { dataDir, databaseUrl = null, now, migrations = MIGRATIONS, isSecondProcess = false } = options;
  prepareDataFolder(options);
  if (databaseUrl !== null) {
    // Loaded on use: SQLite starts faster.
    const { openPostgres } = await import('./postgres/database.ts');
    const { confirmUpgrade = false } = options;
    return openPostgres({
      address: addressOf(databaseUrl),
      url: databaseUrl,
      now,
      migrations,
      isSecondProcess,
      confirmUpgrade,
    });
  }
  const unlock = lockUnlessSecond(dataDir, isSecondProcess);
  const path = join(dataDir, DATABASE_FILE);
  try {
    const writer = openWriter(path, (error) => {
      const code = lostWrite(error, dataDir);
      if (code !== null) options.onLostWrite?.(code);
    });
    try {
      // Only the running server migrates.
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

async function upgrade(writer: Writer, options: OpenOptions, migrations: readonly Migration[]): Promise<void> {
  const { dataDir, now, onUpgradeCopy, isScratch = false } = options;
  const applied = await countApplied(writer.queries, 'sqlite', migrations);
  if (applied > 0 && applied < migrations.length && !isScratch) {
    onUpgradeCopy?.(await copyBeforeUpgrade({ dataDir, connection: writer.connection, migrations, applied }));
  }
  await migrate(writer.queries, 'sqlite', migrations, now);
}

/** Null beside a running server. */
function lockUnlessSecond(dataDir: string, isSecondProcess: boolean): (() => void) | null {
  try {
    return lockDataDir(dataDir);
  } catch (error) {
    if (isSecondProcess && error instanceof DataDirInUse) return null;
    throw error;
  }
}

/** Opens the database for reading, also beside a server. @throws NoDatabase, SchemaError */
export async function openToRead({
  dataDir,
  databaseUrl = null,
  migrations = MIGRATIONS,
}: Pick<OpenOptions, 'dataDir' | 'databaseUrl' | 'migrations'>): Promise<DatabaseToRead> {
  if (databaseUrl !== null) {
    const { openPostgresToRead } = await import('./postgres/database.ts');
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

function asSchemaError(error: unknown): unknown {
  return isDamage(error) ? new SchemaError('The database file is damaged or is not a database.') : error;
}

interface Parts {
  readonly path: string;
  readonly read: Kysely<Tables>;
  readonly writer: Writer;
  readonly bodies: BodyStore;
  readonly unlock: () => void;
}

/** `Database` on SQLite: one writer and one reader (ADR 3). */
function embedded({ path, read, writer, bodies, unlock }: Parts): Database {
  const { queries: write, checkpoint } = writer;
  const turn = new Mutex();
  const transact = <T>(work: (tx: Transact) => Promise<T>) =>
    turn.run(() => inTransaction(writer, work).finally(checkpoint));
  return {
    dialect: 'sqlite',
    read,
    path,
    bodies,
    transact,
    transactBeside: groupCommit(writer, turn),
    transactIfFree: async (work) => (turn.isBusy ? null : transact(work)),
    exclusive: (work) => turn.run(work),
    lendWriter: (work) => turn.run(work),
    async probe() {
      await read.selectFrom('site_settings').select('name').limit(1).execute();
      // A running writer is proof enough; waiting for a long import would report a healthy process as
      // unready.
      if (turn.isBusy) return;
      await transact(async (tx) => {
        await tx.insertInto('site_settings').values({ name: 'probe', value: '', updated_at: 0 }).execute();
        throw new RollBack();
      }).catch((error: unknown) => {
        if (!(error instanceof RollBack)) throw error;
      });
    },
    async close() {
      await turn.run(async () => {
        await read.destroy();
        await write.destroy();
      });
      unlock();
    },
  };
}
