/** The database of one test: a file of its data folder, or, where the run says so, a new database of the run's PostgreSQL server. */
import pg from 'pg';

/** Migrated already; nobody is connected to it. */
export const TEMPLATE = 'passwordbroker_template';

export const isOnPostgres = process.env['TEST_ENGINE'] === 'postgres';

export interface TestDatabase {
  /** What the server's environment says of it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Removes it; whoever is connected is cut off. */
  drop(): Promise<void>;
}

export async function freshDatabase(template = TEMPLATE): Promise<TestDatabase> {
  if (!isOnPostgres) return { environment: {}, async drop() {} };
  const server = process.env['TEST_POSTGRES'];
  if (server === undefined) throw new Error('The run of the tests has not started a PostgreSQL server');
  const name = `t_${crypto.randomUUID().replaceAll('-', '')}`;
  await once(server, `create database ${name} template ${template}`);
  const url = server.replace('/postgres?', `/${name}?connections=10&`);
  return { environment: { DATABASE_URL: url }, drop: () => once(server, `drop database ${name} with (force)`) };
}

async function once(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
