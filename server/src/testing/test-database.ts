/** The database of one test: a file of its data folder, or, where the run says so, a new database of the run's PostgreSQL server. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import pg from 'pg';
import { openDatabase } from '../db/open.ts';

/** Migrated already; nobody is connected to it. */
export const TEMPLATE = 'passwordbroker_template';

export const isOnPostgres = process.env['TEST_ENGINE'] === 'postgres';

export interface TestDatabase {
  /** What the server's environment says of it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Removes it; whoever is connected is cut off. */
  drop(): Promise<void>;
}

/** For the server of that data folder: migrated, with nobody in it. To run the migrations for each would take as much as to start all else of a server. */
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

/** A database of the run's server that belongs to no data folder yet. */
export async function freshDatabase(template = TEMPLATE): Promise<TestDatabase> {
  if (!isOnPostgres) return EMBEDDED;
  const server = process.env['TEST_POSTGRES'];
  if (server === undefined) throw new Error('The run of the tests has not started a PostgreSQL server');
  const name = `t_${crypto.randomUUID().replaceAll('-', '')}`;
  // Through the log, as is the default, a copy takes twice as long as from file to file.
  await told(server, `create database ${name} template ${template} strategy file_copy`);
  const url = server.replace('/postgres?', `/${name}?connections=10&`);
  return { environment: { DATABASE_URL: url }, drop: () => told(server, `drop database ${name} with (force)`) };
}

let telling: pg.Pool | null = null;

/** To connect takes as long as to do it: those of one process are told by one connection, which holds nothing up at its end. */
async function told(server: string, statement: string): Promise<void> {
  telling ??= teller(server);
  await telling.query(statement);
}

function teller(server: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: server, max: 2, idleTimeoutMillis: 0, allowExitOnIdle: true });
  // The server goes at the end of the run, before those who are idle.
  pool.on('error', () => undefined);
  return pool;
}
