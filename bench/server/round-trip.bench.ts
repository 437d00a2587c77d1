/**
 * Backs up and recovers entries with histories and files from SQLite to PostgreSQL and back, then opens and
 * compares every value of every revision. Starts its own PostgreSQL server.
 * `npx tsx bench/server/round-trip.bench.ts [entries]`, default 5,000.
 */
import { memoryOf } from '../tools/process.ts';
import { printTable } from '../tools/table.ts';

const MB = 1_000_000;
const entries = Number(process.argv[2] ?? 5000);

// Set before the imports below read it: by default each test server gets a database on that server.
process.env['TEST_ENGINE'] = 'postgres';
const { default: startPostgres } = await import('../../server/src/testing/postgres-run.ts');
const { startTestApp } = await import('../../server/src/testing/test-app.ts');
const { roundTrip } = await import('../../server/src/backups/testing/round-trip.ts');
const { fillSealed } = await import('../../server/src/backups/testing/sealed-vault.ts');

const stopPostgres = await startPostgres();
const embedded = { environment: { DATABASE_URL: '' } };
const apps = [await startTestApp(embedded), await startTestApp(), await startTestApp(embedded)] as const;
try {
  const [first, second, third] = apps;
  const ada = await first.signUp('ada');
  const groupId = await fillSealed(first, ada, entries);
  const there = await roundTrip(first, second, { person: ada, groupId });
  const back = await roundTrip(second, third, { person: await second.signIn(ada), groupId });
  const rowOf = (way: string, { archive, making, recovering, opening, opened }: typeof there) => ({
    way,
    'archive MB': archive / MB,
    'made and proven s': making / 1000,
    'recovered s': recovering / 1000,
    'opened s': opening / 1000,
    values: opened.values,
    files: opened.files,
  });
  printTable(`${entries} entries`, [rowOf('SQLite to PostgreSQL', there), rowOf('PostgreSQL to SQLite', back)]);
  console.log(
    `peak memory of the process, which is all three servers: ${(await memoryOf(process.pid)).peak.toFixed(0)} MB`,
  );
} finally {
  for (const app of apps) await app.stop();
  await stopPostgres();
}
