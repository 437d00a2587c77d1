/** A separate database connection that can hold table locks. */
import { connectTo } from './postgres-client.ts';
import type { PostgresClient } from './postgres-client.ts';
import type { TestApp } from './test-app.ts';

export interface Holder {
  readonly client: PostgresClient;
  /** Number of ungranted locks in the database. */
  readonly waiting: () => Promise<number>;
}

export async function openHolder({ environment }: Pick<TestApp, 'environment'>): Promise<Holder> {
  const client = await connectTo(environment['DATABASE_URL']);
  const waiting = `select count(*) n from pg_locks join pg_database on pg_database.oid = pg_locks.database
    where not granted and datname = current_database()`;
  return {
    client,
    async waiting() {
      const { rows } = await client.query<{ n: string }>(waiting);
      return Number(rows[0]?.n);
    },
  };
}
