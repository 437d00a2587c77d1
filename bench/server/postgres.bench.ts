/**
 * The most frequent calls of `performance.bench.ts` on a PostgreSQL server of this machine, as durable as in
 * production, beside its commits of one row on one connection and on sixteen.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../../e2e/testing/server/server.ts';
import { startCluster } from '../../server/src/testing/postgres-cluster.ts';
import { connectTo } from '../../server/src/testing/postgres-client.ts';
import { watchMachineSpeed } from '../tools/machine-speed.ts';
import { processorTime } from '../tools/process.ts';
import { load } from '../performance/load.ts';
import { rate, time } from '../performance/measure.ts';
import { makeOrganisation } from '../performance/organisation.ts';
import { measureGroup, measureTree, searchTimes } from '../performance/reading.ts';
import { tableOf } from '../performance/report.ts';
import { ON_POSTGRES, measureReveals, measureWrites, revealRequests, told } from '../performance/reveals.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
const PEOPLE = 16;
const SECONDS = 5;

const speed = watchMachineSpeed();
await speed.measure();
const dataDir = mkdtempSync(join(tmpdir(), 'passwordbroker-postgres-bench-'));
const cluster = await startCluster();
try {
  const databaseUrl = await emptyDatabase();
  const groups = numbers(2000);
  const groupsOf = (person: number) => (person === 0 ? groups : numbers(100).map((at) => at * 20));
  const shape = { users: PEOPLE + 1, groups: 2000, entries: 20_000, groupsOf };
  const organisation = await makeOrganisation(dataDir, shape, databaseUrl);
  await vacuum(databaseUrl);
  const [commits, commitsOfMany] = [await commitsASecond(1), await commitsASecond(PEOPLE)];
  const server = await startServer({ dataDir, env: { LOG_LEVEL: 'warn', DATABASE_URL: databaseUrl } });
  try {
    const { origin } = server;
    // One person for each connection, because reveals of one person wait for each other.
    const ofAll = new Set(groupsOf(1).map((at) => organisation.groupIds[at]));
    const fields = organisation.fields.filter(({ entry_group_id }) => ofAll.has(entry_group_id));
    const [field] = revealRequests({ ...organisation, fields }, 1);
    const ofEach = organisation.people
      .slice(1)
      .map(({ cookie }) => ({ method: 'GET' as const, path: field?.path ?? '', headers: { cookie } }));
    await load({ origin, connections: PEOPLE, seconds: 2, requests: ofEach });
    const before = processorTime(process.pid);
    const many = await load({ origin, connections: PEOPLE, seconds: SECONDS, requests: ofEach });
    const processor = (processorTime(process.pid) - before) / (many.aSecond * SECONDS);
    const measures = [
      rate('durable commits of one row over sixteen connections', commitsOfMany, {
        text: 'over one',
        aSecond: commits,
      }),
      ...told('reveal, 16 people', many, { commits, connections: PEOPLE, goals: ON_POSTGRES }),
      time('processor time of such a reveal: bench, server and database', processor, null),
      ...(await measureReveals({ origin, organisation, commits, goals: ON_POSTGRES })),
      ...(await measureWrites({ origin, organisation, commits, goals: ON_POSTGRES })),
      ...(await measureGroup(origin, organisation)),
      time('search in 20,000 entries: p50', (await searchTimes(origin, organisation, 'large')).found, null),
      ...(await measureTree(origin, organisation, { person: 1, groups: 100, most: 2 })),
      ...(await measureTree(origin, organisation, { person: 0, groups: 2000, most: 30 })),
    ];
    await speed.measure();
    console.log(tableOf(measures, speed.slowness()));
  } finally {
    await server.end();
  }
} finally {
  await cluster.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function emptyDatabase(): Promise<string> {
  const client = await connectTo(cluster.url('postgres'));
  await client.query('create database vault');
  await client.end();
  return cluster.url('vault');
}

/** What autovacuum does within minutes of so many inserts. */
async function vacuum(databaseUrl: string): Promise<void> {
  const client = await connectTo(databaseUrl);
  await client.query('vacuum analyze');
  await client.end();
}

/** Durable one-row transactions a second. */
async function commitsASecond(connections: number, seconds = 2): Promise<number> {
  const clients = await Promise.all(numbers(connections).map(() => connectTo(cluster.url('postgres'))));
  await clients[0]?.query('create table if not exists rows (id bigserial primary key, text text not null)');
  const until = performance.now() + seconds * 1000;
  let count = 0;
  const insert = async (client: (typeof clients)[number]) => {
    const query = { name: 'insert', text: 'insert into rows (text) values ($1)', values: ['a row of some length'] };
    for (; performance.now() < until; count += 1) await client.query(query);
  };
  await Promise.all(clients.map(insert));
  await Promise.all(clients.map((client) => client.end()));
  return count / seconds;
}
