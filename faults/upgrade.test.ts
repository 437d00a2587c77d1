/**
 * Kills processes during an upgrade of 100,000 entries of release 1.0.0: no acknowledged write is
 * lost (R66, R67).
 */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { PROCESS_ENVIRONMENT, freePort, startServer, type RunningServer } from '../e2e/testing/server/server.ts';
import { BetterSqlite } from '../server/src/db/sqlite/connections.ts';
import { addGroup, signUp, type Caller } from './testing/caller.ts';
import { MB, canInsert, fillUp, insertDisk } from './testing/disk.ts';
import { examine } from './testing/doctor.ts';
import { formerRelease, noFormerRelease, type FormerRelease } from './testing/former-release.ts';
import { newLedger, type Ledger } from './testing/ledger.ts';
import { printLedger } from './testing/print-ledger.ts';
import { hasPostgres, startShared, type Shared } from './testing/shared.ts';

const MAIN = fileURLToPath(new URL('../server/dist/main.cjs', import.meta.url));
const ENTRIES = 100_000;
const KILLS = 10;
const WRITERS = 8;
const WRITES_FOR_MS = 3000;

const isWithoutFormer = noFormerRelease !== '';
const isWithoutServer = isWithoutFormer || !hasPostgres;
const isWithoutDisk = !canInsert();
const noPostgres = hasPostgres ? noFormerRelease : ' (skipped: no PostgreSQL 15 on this machine)';

let former: FormerRelease;
beforeAll(async () => {
  if (!isWithoutFormer) former = await formerRelease();
}, 900_000);

const leftOver: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of leftOver.splice(0).toReversed()) await end();
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'passwordbroker-upgrade-'));
  leftOver.push(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

interface Written {
  readonly ada: Caller;
  readonly groupId: string;
  readonly ledger: Ledger;
}

/** Writes as several people until `meanwhile` is settled. */
async function writeDuring(
  server: Pick<RunningServer, 'origin'>,
  ada: Caller,
  meanwhile: () => Promise<unknown>,
): Promise<Written> {
  const groupId = await addGroup(ada, 'Ledger');
  const ledger = newLedger();
  const stop = new AbortController();
  const writing = ledger.write(ada, groupId, WRITERS, stop.signal);
  try {
    await meanwhile();
  } finally {
    stop.abort();
    await writing;
  }
  expect(ledger.acknowledged).toBeGreaterThan(WRITERS * 5);
  expect(ledger.surprises).toEqual([]);
  return { ada, groupId, ledger };
}

/** Data folder of release 1.0.0 after it was killed during writes. */
async function formerFolder(dataDir: string, port: number): Promise<Written> {
  const server = await startServer({ dataDir, port, program: former, env: { LOG_LEVEL: 'warn' } });
  leftOver.push(() => server.kill());
  const ada = await signUp(server);
  await server.end();
  await former.fill(dataDir, ENTRIES);
  await server.restart();
  return writeDuring(server, ada, async () => {
    await wait(WRITES_FOR_MS);
    await server.kill();
  });
}

/** Starts this tree's server and kills it after `ms`. */
async function startAndKill(environment: Readonly<Record<string, string>>, afterMs: number): Promise<void> {
  const env = { ...process.env, ...PROCESS_ENVIRONMENT, LOG_LEVEL: 'warn', ...environment };
  const child = spawn(process.execPath, [MAIN], { env, stdio: 'ignore' });
  const gone = once(child, 'exit');
  await wait(afterMs);
  child.kill('SIGKILL');
  await gone;
}

/** Applied migrations and number of entries of a database file. */
function lookInto(path: string): { readonly migrations: readonly string[]; readonly entries: number } {
  const file = new BetterSqlite(path, { readonly: true });
  try {
    expect(file.pragma('integrity_check', { simple: true })).toBe('ok');
    const migrations = file.prepare<[], string>('select name from schema_migrations order by name').pluck().all();
    return { migrations, entries: file.prepare<[], number>('select count(*) from entries').pluck().get() ?? 0 };
  } finally {
    file.close();
  }
}

test.skipIf(isWithoutFormer)(
  `R66: the upgrade of ${ENTRIES.toLocaleString('en')} entries of release 1.0.0, killed at ${KILLS} random points: the next start finishes it, no acknowledged write is lost, and the copy is older than the upgrade${noFormerRelease}`,
  async () => {
    const port = await freePort();
    const original = folder();
    const { ada, groupId, ledger } = await formerFolder(original, port);
    const before = lookInto(join(original, 'passwordbroker.sqlite'));
    expect(before.entries).toBeGreaterThanOrEqual(ENTRIES);

    let upgrades = 0;
    const upgrade = async (dataDir: string) => {
      const began = performance.now();
      const server = await startServer({ dataDir, port, env: { LOG_LEVEL: 'warn' } });
      const ms = performance.now() - began;
      leftOver.push(() => server.kill());
      expect(await ledger.compare(ada, groupId)).toEqual([]);
      // A start that finds the upgrade finished removes the copy, once it listens.
      const isUpgrade = server.output().includes('"upgrade_copy"');
      const copies = join(dataDir, 'before-upgrade');
      await expect.poll(() => existsSync(copies), { timeout: 5000 }).toBe(isUpgrade);
      if (isUpgrade) {
        upgrades += 1;
        const [copy = ''] = readdirSync(copies);
        expect(lookInto(join(copies, copy))).toEqual(before);
      }
      expect(await server.end()).toBe(0);
      return ms;
    };
    const whole = folder();
    cpSync(original, whole, { recursive: true });
    const ms = await upgrade(whole);
    expect(upgrades).toBe(1);
    const points: number[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const dataDir = folder();
      cpSync(original, dataDir, { recursive: true });
      // One kill in each tenth of the duration of an upgrade.
      const point = randomInt(Math.round((kill / KILLS) * ms), Math.round(((kill + 1) / KILLS) * ms));
      points.push(point);
      await startAndKill({ DATA_DIR: dataDir, PORT: String(port) }, point);
      await upgrade(dataDir);
      const { code, output } = await examine(dataDir);
      expect(code, output).toBe(0);
      rmSync(dataDir, { recursive: true });
    }
    expect(upgrades).toBeGreaterThan(KILLS / 2);
    printLedger(`an upgrade of ${Math.round(ms)} ms killed after ${points.join(', ')} ms`, ledger);
  },
);

test.skipIf(isWithoutServer)(
  `R67: an instance of release 1.0.0 serves while a new one upgrades ${ENTRIES.toLocaleString('en')} entries on PostgreSQL and is killed: no acknowledged write is lost, no 500${noPostgres}`,
  async () => {
    const shared: Shared = await startShared(1, [], former);
    leftOver.push(() => shared.stop());
    const [older] = shared.instances;
    if (older === undefined) throw new Error('No instance was started');
    const first = await signUp(shared);
    await former.fill(folder(), ENTRIES, shared.databaseUrl);
    const environment = { LOG_LEVEL: 'warn', DATABASE_URL: shared.databaseUrl };
    const start = (env: Readonly<Record<string, string>>) =>
      startServer({ publicUrl: shared.origin, env: { ...environment, ...env } });
    const { ada, groupId, ledger } = await writeDuring(shared, first, async () => {
      await wait(WRITES_FOR_MS);
      const began = performance.now();
      await expect(start({})).rejects.toThrow('have its administrator make a backup (pg_dump)');
      const refusedAfter = performance.now() - began;
      const dataDir = folder();
      for (let kill = 0; kill < KILLS / 2; kill += 1) {
        const confirmed = { ...environment, CONFIRM_UPGRADE: 'yes', DATA_DIR: dataDir, PORT: String(await freePort()) };
        // The unconfirmed start was refused; a confirmed one begins to upgrade.
        await startAndKill(confirmed, randomInt(Math.round(refusedAfter * 0.7), Math.round(refusedAfter * 1.3)));
      }
      const newer = await start({ CONFIRM_UPGRADE: 'yes' });
      leftOver.push(() => newer.stop());
      shared.toInstances.leadTo(older.port, newer.port);
      await wait(WRITES_FOR_MS);
      // The old instance stops, as in a rolling upgrade: its tables are upgraded.
      shared.toInstances.leadTo(newer.port);
      expect(await older.end()).toBe(0);
      await expect(older.restart()).rejects.toThrow('newer version of the program');
      await wait(WRITES_FOR_MS);
    });
    expect(ledger.statuses.get(500)).toBeUndefined();
    expect(await ledger.compare(ada, groupId)).toEqual([]);
    const { code, output } = await examine(older.dataDir, shared.databaseUrl);
    expect(code, output).toBe(0);
    printLedger('an instance of release 1.0.0 beside an upgrade', ledger);
  },
);

test.skipIf(isWithoutDisk)(
  `T153: an upgrade without disk space for the copy is refused before it begins${isWithoutDisk ? ' (skipped: this account cannot mount a disk)' : ''}`,
  async () => {
    const disk = insertDisk(160);
    leftOver.push(() => disk.remove());
    rmSync(join(disk.folder, 'lost+found'), { recursive: true });
    const packed = readFileSync(
      new URL('../server/src/releases/testing/fixtures/1.0.0/database.sqlite.gz', import.meta.url),
    );
    const path = join(disk.folder, 'passwordbroker.sqlite');
    writeFileSync(path, gunzipSync(packed), { mode: 0o600 });
    const ballast = join(disk.folder, 'ballast');
    // Less than the margin, which is 5 % of the disk.
    fillUp(ballast, 4 * MB);
    const start = () => startServer({ dataDir: disk.folder, env: { LOG_LEVEL: 'warn' } });
    await expect(start()).rejects.toThrow(
      /The upgrade first copies the database \(\d+ MB\), and .* has no room for that/,
    );
    expect(existsSync(join(disk.folder, 'before-upgrade'))).toBe(false);
    expect(lookInto(path).migrations.at(-1)).toBe('0010-stale-checks');
    rmSync(ballast);
    const server = await start();
    leftOver.push(() => server.kill());
    expect(readdirSync(join(disk.folder, 'before-upgrade'))).toHaveLength(1);
    expect(await server.end()).toBe(0);
  },
);
