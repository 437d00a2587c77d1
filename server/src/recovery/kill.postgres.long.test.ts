/**
 * R1, R22 on PostgreSQL: a recovery killed in any step leaves the vault empty or complete, another one can
 * follow, and rows are copied under the lock of their own transaction.
 */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ARCHIVE_PASSWORD, archiveOf } from '../backups/testing/archive.ts';
import { enlarge } from '../backups/testing/large-vault.ts';
import { fillVault } from '../backups/testing/vault.ts';
import { EXIT } from '../commands/command.ts';
import { type BuiltServer, buildServer } from '../testing/built-server.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { TestApp } from '../testing/test-app.ts';
import { freshDatabase } from '../testing/test-database.ts';
import { recoverFrom } from './recover.ts';
import { STEPS, STEP_NAMES, killedRecovery, leftIn, recoveredAgain, removeFolder } from './testing/killed.ts';
import type { Moment, StepName } from './testing/killed.ts';

const FILES = 20;
const isLong = process.env['TEST_LONG'] !== undefined;
const ENTRIES = isLong ? 1500 : 500;

let app: TestApp;
let archive: string;
let built: BuiltServer;
beforeAll(async () => {
  app = await startTestApp({ environment: { DATABASE_URL: '' } });
  await enlarge(app, await fillVault(app), { entries: ENTRIES, files: FILES, fileBytes: 100_000 });
  archive = await archiveOf(app);
  built = await buildServer();
}, 120_000);
afterAll(() => Promise.all([app.stop(), built.remove()]));

/** Observes a database over another connection. */
async function watch(url: string) {
  const client = new pg.Client({ connectionString: url.replace(/connections=\d+&?/, '') });
  await client.connect();
  const number = async (statement: string) => Number(Object.values((await client.query(statement)).rows[0] ?? {})[0]);
  return {
    bodies: () => number('select count(*) from bodies'),
    users: () => number('select count(*) from users'),
    /** Connections with the exclusive lock; the second counts those that also write in that transaction. */
    alone: () =>
      number(`select count(*) from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and granted
        and database = (select oid from pg_database where datname = current_database())`),
    aloneAndWriting: () =>
      number(`select count(*) from pg_locks join pg_stat_activity using (pid) where locktype = 'advisory'
        and mode = 'ExclusiveLock' and granted and datname = current_database() and backend_xid is not null`),
    close: () => client.end(),
  };
}

test('rows are copied after all files, in one transaction with the exclusive lock', async () => {
  const site = await startTestApp();
  const watched = await watch(site.deps.db.path);
  const seen = { writing: 0, bodies: new Set<number>() };
  let isOver = false;
  const origin = { address: 'test', agentHash: null, userAgent: '', client: null };
  const recovery = recoverFrom(site.deps, { path: archive, password: ARCHIVE_PASSWORD, origin }).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    // Other transactions with the exclusive lock do not write during the copying.
    if ((await watched.aloneAndWriting()) > 0) {
      seen.writing += 1;
      seen.bodies.add(await watched.bodies());
    }
    await pause(2);
  }
  await recovery;
  expect(seen.writing).toBeGreaterThan(3);
  expect([...seen.bodies]).toEqual([FILES + 1]);
  await watched.close();
  await site.stop();
});

/** Most steps are recognised in the folder, the others in the database. */
async function killedOnServer(step: StepName) {
  const database = await freshDatabase();
  const { environment } = database;
  const watched = await watch(environment['DATABASE_URL'] ?? '');
  // Lease updates hold the lock, too, but rows are copied only after all files.
  const isCopying = async () => (await watched.bodies()) === FILES + 1 && (await watched.aloneAndWriting()) > 0;
  const OF_SERVER: Partial<Readonly<Record<StepName, Moment>>> = {
    'files are taken over': async () => (await watched.bodies()) > 3,
    'the switch has begun': isCopying,
    'the switch is nearly over': async () => {
      if (!(await isCopying())) return false;
      await pause(400);
      return true;
    },
    'the switch is over': async () => (await watched.users()) > 0,
  };
  const moment = OF_SERVER[step] ?? STEPS[step].isReached;
  const found = await killedRecovery(archive, { cli: built.cli, moment, environment });
  await watched.close();
  return { found, database };
}

test.each(isLong ? STEP_NAMES : (['the switch has begun'] as const))(
  'R1, R22: a recovery killed when %s leaves the vault empty or complete',
  { timeout: 120_000 },
  async (step) => {
    const { found, database } = await killedOnServer(step);
    expect(found).toMatchObject({ wasReached: true, doctor: EXIT.done });
    // On a fast machine the recovery may have finished before; then everything must be there.
    if (step !== 'the switch is nearly over') expect(found.wasKilled).toBe(true);
    else if (!found.wasKilled) expect(found.users).toBe(1);
    const { leaves } = STEPS[step];
    if (leaves !== 'either') expect(found.users).toBe(leaves === 'nothing' ? 0 : 1);
    expect([0, 1]).toContain(found.users);
    if (found.users === 0) {
      expect(found.rows).toBe(0);
      // The next recovery waits half a minute for the dead process's lease, so only the long run tests it.
      if (isLong) expect(await recoveredAgain(archive, found.dataDir, database.environment)).toBe(EXIT.done);
      if (isLong) expect(leftIn(found.dataDir)).toEqual([]);
    } else {
      expect(found.rows).toBeGreaterThan(ENTRIES * 4);
    }
    await removeFolder(found.dataDir);
    await database.drop();
  },
);
