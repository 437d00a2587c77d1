/**
 * R1, R22 on a PostgreSQL server: a recovery killed in each of its steps leaves the vault empty or whole, whoever comes next is let in, and the lock under
 * which rows are copied is the one of the transaction that copies them.
 */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ARCHIVE_PASSWORD, archiveOf } from '../backups/testing/archive.ts';
import { enlarge } from '../backups/testing/large-vault.ts';
import { fillVault } from '../backups/testing/vault.ts';
import { EXIT } from '../commands/command.ts';
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
beforeAll(async () => {
  app = await startTestApp({ environment: { DATABASE_URL: '' } });
  await enlarge(app, await fillVault(app), { entries: ENTRIES, files: FILES, fileBytes: 100_000 });
  archive = await archiveOf(app);
}, 120_000);
afterAll(() => app.stop());

/** Asks about a database from beside it. */
async function watch(url: string) {
  const client = new pg.Client({ connectionString: url.replace(/connections=\d+&?/, '') });
  await client.connect();
  const number = async (statement: string) => Number(Object.values((await client.query(statement)).rows[0] ?? {})[0]);
  return {
    bodies: () => number('select count(*) from bodies'),
    users: () => number('select count(*) from users'),
    /** Connections that keep all others from acting: how many, and how many of them write in the same transaction. */
    alone: () =>
      number(`select count(*) from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and granted
        and database = (select oid from pg_database where datname = current_database())`),
    aloneAndWriting: () =>
      number(`select count(*) from pg_locks join pg_stat_activity using (pid) where locktype = 'advisory'
        and mode = 'ExclusiveLock' and granted and datname = current_database() and backend_xid is not null`),
    close: () => client.end(),
  };
}

test('rows are copied under a lock of their own transaction, when all files are there', async () => {
  const site = await startTestApp();
  const watched = await watch(site.deps.db.path);
  const seen = { writing: 0, bodies: new Set<number>() };
  let isOver = false;
  const origin = { address: 'test', agentHash: null, userAgent: '' };
  const recovery = recoverFrom(site.deps, { path: archive, password: ARCHIVE_PASSWORD, origin }).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    // Acts of the log and of leases are alone, too, for a moment: none of them writes while it copies.
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

/** As far as they can be seen in the folder, and the rest in the database. */
async function killedOnServer(step: StepName) {
  const database = await freshDatabase();
  const { environment } = database;
  const watched = await watch(environment['DATABASE_URL'] ?? '');
  // Leases are acts, too: rows are only copied when all files are there.
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
  const found = await killedRecovery(archive, { moment, environment });
  await watched.close();
  return { found, database };
}

test.each(isLong ? STEP_NAMES : (['the switch has begun'] as const))(
  'R1, R22: killed when %s',
  { timeout: 120_000 },
  async (step) => {
    const { found, database } = await killedOnServer(step);
    expect(found).toMatchObject({ wasReached: true, doctor: EXIT.done });
    // After a fixed time a fast machine is through: nobody was killed then, and all of it must be there.
    if (step !== 'the switch is nearly over') expect(found.wasKilled).toBe(true);
    else if (!found.wasKilled) expect(found.users).toBe(1);
    const { leaves } = STEPS[step];
    if (leaves !== 'either') expect(found.users).toBe(leaves === 'nothing' ? 0 : 1);
    expect([0, 1]).toContain(found.users);
    if (found.users === 0) {
      expect(found.rows).toBe(0);
      // The dead one held the lease: the next one waits for half a minute, until that is certain (here in the long run alone).
      if (isLong) expect(await recoveredAgain(archive, found.dataDir, database.environment)).toBe(EXIT.done);
      if (isLong) expect(leftIn(found.dataDir)).toEqual([]);
    } else {
      expect(found.rows).toBeGreaterThan(ENTRIES * 4);
    }
    await removeFolder(found.dataDir);
    await database.drop();
  },
);
