/**
 * The database of one test: a file in its data folder or, in a run on PostgreSQL, a new database of the run's
 * server.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import pg from 'pg';
import { openDatabase } from '../db/open.ts';

/** A migrated database without connections. */
export const TEMPLATE = 'passwordbroker_template';

export const isOnPostgres = process.env['TEST_ENGINE'] === 'postgres';

export interface TestDatabase {
  /** The variables that name the database. */
  readonly environment: Readonly<Record<string, string>>;
  /** Drops the database and cuts its connections. */
  drop(): Promise<void>;
}

/**
 * An empty migrated database for the server of that data folder, copied, as migrating takes as long as the
 * rest of a server's start.
 */
export async function databaseOf(dataDir: string): Promise<TestDatabase> {
  if (isOnPostgres) return freshDatabase();
  const { name, bytes } = await (migrated ??= migratedFile());
  await writeFile(join(dataDir, name), bytes, { mode: 0o600 });
  return EMBEDDED;
}

const EMBEDDED: TestDatabase = { environment: {}, async drop() {} };

interface File {
  readonly name: string;
  readonly bytes: Buffer;
}
let migrated: Promise<File> | null = null;

async function migratedFile(): Promise<File> {
  const dataDir = await mkdtemp(join(tmpdir(), 'passwordbroker-'));
  const db = await openDatabase({ dataDir, now: Date.now() });
  await db.close();
  const file = { name: basename(db.path), bytes: await readFile(db.path) };
  await rm(dataDir, { recursive: true });
  return file;
}

/** A database of the run's server without a data folder. */
export async function freshDatabase(template = TEMPLATE): Promise<TestDatabase> {
  if (!isOnPostgres) return EMBEDDED;
  const server = process.env['TEST_POSTGRES'];
  if (server === undefined) throw new Error('The run of the tests has not started a PostgreSQL server');
  const name = `t_${crypto.randomUUID().replaceAll('-', '')}`;
  // The default strategy, which uses the write-ahead log, takes twice as long.
  await told(server, `create database ${name} template ${template} strategy file_copy`);
  const url = server.replace('/postgres?', `/${name}?connections=10&`);
  return { environment: { DATABASE_URL: url }, drop: () => told(server, `drop database ${name} with (force)`) };
}

let telling: pg.Pool | null = null;

/**
 * Sends statements of one process over shared connections, as connecting takes as long as a statement; they
 * do not delay its exit.
 */
async function told(server: string, statement: string): Promise<void> {
  telling ??= teller(server);
  await telling.query(statement);
}

function teller(server: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: server, max: 2, idleTimeoutMillis: 0, allowExitOnIdle: true });
  // The server stops at the end of the run, before idle connections.
  pool.on('error', () => undefined);
  return pool;
}
