/** A connection to a PostgreSQL server behind the back of the program. */
import pg from 'pg';

export type PostgresClient = pg.Client;

export async function connectTo(url: string | undefined): Promise<PostgresClient> {
  const client = new pg.Client({ connectionString: url });
  // Cut off when the server goes, which tests do on purpose.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
