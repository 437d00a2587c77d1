/**
 * Server instances that share a PostgreSQL server, with controllable network paths in front of them
 * and of the database.
 */
import { freePort, startServer, type RunningServer } from '../../e2e/testing/server/server.ts';
import { postgresPrograms, startCluster, type Cluster } from '../../server/src/testing/postgres-cluster.ts';
import { connectTo } from '../../server/src/testing/postgres-client.ts';
import type { FormerRelease } from './former-release.ts';
import { openWay, type Way } from './way.ts';

export const hasPostgres = postgresPrograms() !== null;
export const named = (name: string) => (hasPostgres ? name : `${name} (skipped: no PostgreSQL 15 on this machine)`);

export interface Shared {
  readonly cluster: Cluster;
  /** Direct URL of the database, for assertions. */
  readonly databaseUrl: string;
  /** Path from the instances to the database. */
  readonly toDatabase: Way;
  /** Path from people to the instances. */
  readonly toInstances: Way;
  readonly instances: readonly RunningServer[];
  /** Origin that people use. */
  readonly origin: string;
  stop(): Promise<void>;
}

/**
 * @param settings lines of postgresql.conf
 * @param program build to start; by default the one of this tree
 */
export async function startShared(
  count: number,
  settings: readonly string[] = [],
  program?: FormerRelease,
): Promise<Shared> {
  const cluster = await startCluster({ port: await freePort(), settings });
  await ask(cluster, 'create database vault', 'postgres');
  const toDatabase = await openWay(cluster.port);
  const toInstances = await openWay();
  const origin = `http://localhost:${toInstances.port}`;
  const DATABASE_URL = `postgres://vault@127.0.0.1:${toDatabase.port}/vault?connections=20`;
  const instances: RunningServer[] = [];
  for (let n = 0; n < count; n += 1) {
    instances.push(
      await startServer({
        publicUrl: origin,
        env: { LOG_LEVEL: 'warn', MAX_CONNECTIONS_PER_ADDRESS: '1000', DATABASE_URL },
        ...(program === undefined ? {} : { program }),
      }),
    );
  }
  toInstances.leadTo(...instances.map(({ port }) => port));
  return {
    cluster,
    databaseUrl: cluster.url('vault'),
    toDatabase,
    toInstances,
    instances,
    origin,
    async stop() {
      await toInstances.close();
      toDatabase.pass();
      await Promise.all(instances.map((instance) => instance.stop()));
      await toDatabase.close();
      await cluster.stop();
    },
  };
}

/** Runs one statement as database superuser. */
export async function ask(cluster: Cluster, statement: string, database = 'vault'): Promise<readonly unknown[]> {
  const client = await connectTo(cluster.url(database));
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}
