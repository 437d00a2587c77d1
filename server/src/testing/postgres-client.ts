/** A separate connection to a PostgreSQL server. */
import pg from 'pg';

export type PostgresClient = pg.Client;

export async function connectTo(url: string | undefined): Promise<PostgresClient> {
  const client = new pg.Client({ connectionString: url });
  // Tests stop the server on purpose, which cuts connections.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
