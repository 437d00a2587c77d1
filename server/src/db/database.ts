/** The one place that knows which engine holds the data. Everything outside `db/` speaks through this interface. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Kysely, Transaction } from 'kysely';
import { MIGRATIONS } from './migrations/index.ts';
import { SchemaError, migrate, refuseOtherSchema } from './migrate.ts';
import type { Dialect, Migration } from './migrate.ts';
import { Mutex } from './mutex.ts';
import type { Tables } from './schema.ts';
import {
  DataDirInUse,
  NoDatabase,
  type Writer,
  lockDataDir,
  openReader,
  openWriter,
  preparePrivateFolder,
  withoutWaiting,
} from './sqlite.ts';

export type Transact = Transaction<Tables>;

export interface Database {
  readonly dialect: Dialect;
  /** Reads what is committed; never part of a transaction. */
  readonly read: Kysely<Tables>;
  /** One act: all of it or nothing. Others wait, so keep slow work (key derivation, files) outside. */
  transact<T>(work: (tx: Transact) => Promise<T>): Promise<T>;
  /**
   * As `transact`, for what only has to be remembered while the machine runs: the disk is not waited for, so a power failure may lose it. The process
   * may end as it likes.
   */
  note<T>(work: (tx: Transact) => Promise<T>): Promise<T>;
  /** Keeps every other writer of this process out while a worker thread writes with its own connection to `path`. */
  exclusive<T>(work: () => Promise<T>): Promise<T>;
  /** Throws when the engine does not take a write. Leaves nothing behind. */
  probe(): Promise<void>;
  readonly path: string;
  close(): Promise<void>;
}

interface OpenOptions {
  readonly dataDir: string;
  readonly now: number;
  /** For the tests of the migrations themselves. */
  readonly migrations?: readonly Migration[];
  /**
   * Also when a server has the folder: for short acts that touch no file. The engine lets one writer in after the other, and whoever waits, waits
   * for up to five seconds.
   */
  readonly beside?: boolean;
}

const FILE = 'passwordbroker.sqlite';

/**
 * Opens the embedded database in the data folder, making or migrating it as needed. Throws `DataDirInUse` when another process has it, `SchemaError`
 * when its schema is not ours.
 */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const { dataDir, now, migrations = MIGRATIONS, beside = false } = options;
  preparePrivateFolder(dataDir);
  const unlock = lockUnlessBeside(dataDir, beside);
  const path = join(dataDir, FILE);
  try {
    const writer = openWriter(path);
    try {
      // The schema of a running server is its own.
      if (unlock === null) await refuseOtherSchema(writer.queries, 'sqlite', migrations);
      else await migrate(writer.queries, 'sqlite', migrations, now);
    } catch (error) {
      await writer.queries.destroy();
      throw error;
    }
    const reader = openReader(path);
    return embedded(path, reader.queries, writer, unlock ?? (() => {}));
  } catch (error) {
    unlock?.();
    throw asSchemaError(error);
  }
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

/** Opens the database to look at it, whether a server has it or not; throws `NoDatabase`, `SchemaError`. */
export async function openToRead({
  dataDir,
  migrations = MIGRATIONS,
}: Pick<OpenOptions, 'dataDir' | 'migrations'>): Promise<Pick<Database, 'read' | 'close'>> {
  const path = join(dataDir, FILE);
  if (!existsSync(path)) throw new NoDatabase(dataDir);
  try {
    const { queries } = openReader(path);
    try {
      await refuseOtherSchema(queries, 'sqlite', migrations);
      return { read: queries, close: () => queries.destroy() };
    } catch (error) {
      await queries.destroy();
      throw error;
    }
  } catch (error) {
    throw asSchemaError(error);
  }
}

/** A file that is no database at all is told in one sentence, too. */
function asSchemaError(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT'
    ? new SchemaError('The database file is damaged or is not a database.')
    : error;
}

class RollBack extends Error {}

function embedded(path: string, read: Kysely<Tables>, writer: Writer, unlock: () => void): Database {
  const { queries: write } = writer;
  const turn = new Mutex();
  const transact = <T>(work: (tx: Transact) => Promise<T>) => turn.run(() => write.transaction().execute(work));
  return {
    dialect: 'sqlite',
    read,
    path,
    transact,
    note: (work) => turn.run(() => withoutWaiting(writer, () => write.transaction().execute(work))),
    exclusive: (work) => turn.run(work),
    async probe() {
      await read.selectFrom('site_settings').select('name').limit(1).execute();
      // A writer at work is proof enough, and waiting for a long import would call a healthy process unready.
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
