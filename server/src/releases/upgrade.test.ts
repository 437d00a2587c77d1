/**
 * The built server upgrades the SQLite database of release 1.0.0: a verified copy is made first and
 * removed at the next start (T153).
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../db/open.ts';
import { MIGRATIONS } from '../db/schema/migrations/index.ts';
import { BetterSqlite } from '../db/sqlite/connections.ts';
import { buildServer } from '../testing/built-server.ts';
import type { BuiltServer } from '../testing/built-server.ts';
import { RELEASES } from './testing/released.ts';

const TARGET = MIGRATIONS.at(-1)?.name ?? '';
const LAST_OF_1_0 = '0010-stale-checks';
const COPY = `${LAST_OF_1_0}-to-${TARGET}.sqlite`;

let built: BuiltServer;
beforeAll(async () => {
  built = await buildServer();
});
afterAll(() => built.remove());

let dataDir: string;
let child: ChildProcess | null = null;
const database = () => join(dataDir, 'passwordbroker.sqlite');
const copies = () => join(dataDir, 'before-upgrade');
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'passwordbroker-upgrade-'));
  const packed = readFileSync(join(RELEASES, '1.0.0', 'database.sqlite.gz'));
  writeFileSync(database(), gunzipSync(packed), { mode: 0o600 });
});
afterEach(async () => {
  if (child !== null && child.exitCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  child = null;
  rmSync(dataDir, { recursive: true });
});

/**
 * Starts the server and stops it when it is ready. Returns its log.
 * @throws Error if it does not get ready
 */
async function startAndEnd(program = built.main, args: readonly string[] = []): Promise<string> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'warn' };
  const process_ = spawn(process.execPath, [program, ...args], { env });
  child = process_;
  let output = '';
  process_.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  process_.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exited = once(process_, 'exit');
  const ready = async () => (await fetch(`http://127.0.0.1:${port}/ready`).catch(() => null))?.status === 200;
  while (process_.exitCode === null && !(await ready())) await new Promise((resolve) => setTimeout(resolve, 20));
  process_.kill('SIGTERM');
  const [code] = await exited;
  if (code !== 0) throw new Error(output);
  return output;
}

const SCHEMA = 'select name from schema_migrations order by name';
const TABLES = `select name from sqlite_master where type = 'table' and sql not like 'create virtual%' order by name`;

/** Every row of every table, as sorted text. */
function contentOf(path: string): Record<string, string[]> {
  const file = new BetterSqlite(path, { readonly: true });
  try {
    expect(file.pragma('integrity_check', { simple: true })).toBe('ok');
    const tables = file.prepare<[], string>(TABLES).pluck().all();
    const rows = (table: string) =>
      file
        .prepare(`select * from "${table}"`)
        .all()
        .map((row) => JSON.stringify(row))
        .toSorted();
    return Object.fromEntries(tables.map((table) => [table, rows(table)]));
  } finally {
    file.close();
  }
}

function migrationsOf(path: string): readonly string[] {
  const file = new BetterSqlite(path, { readonly: true });
  try {
    return file.prepare<[], string>(SCHEMA).pluck().all();
  } finally {
    file.close();
  }
}

test('T153: an upgrade copies the database first, logs the path, and keeps the copy until the next start succeeds', async () => {
  const before = contentOf(database());
  const log = await startAndEnd();
  const copy = join(copies(), COPY);
  expect(log).toContain(JSON.stringify(copy));
  expect(readdirSync(copies())).toEqual([COPY]);
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  expect(contentOf(copy)).toEqual(before);
  expect(migrationsOf(database()).at(-1)).toBe(TARGET);
  expect(await startAndEnd()).not.toContain('before-upgrade');
  expect(existsSync(copies())).toBe(false);
});

test('T153: a start that fails after the migrations keeps the copy', async () => {
  await startAndEnd();
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  const { port } = blocker.address() as { port: number };
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'warn' };
  const failing = spawn(process.execPath, [built.main], { env });
  child = failing;
  expect((await once(failing, 'exit'))[0]).toBe(1);
  blocker.close();
  expect(readdirSync(copies())).toEqual([COPY]);
});

test('T153: an interrupted upgrade reuses its copy; a restored database is copied again', async () => {
  const before = contentOf(database());
  const whole = readFileSync(database());
  mkdirSync(copies());
  writeFileSync(join(copies(), COPY), whole);
  // As after a kill before the last migration.
  const halfWay = await openDatabase({ dataDir, now: 1, migrations: MIGRATIONS.slice(0, -1), isScratch: true });
  await halfWay.close();
  await startAndEnd();
  expect(readFileSync(join(copies(), COPY)).equals(whole)).toBe(true);
  // After the copy was restored by hand, the database is copied again.
  writeFileSync(database(), whole);
  for (const rest of ['-wal', '-shm']) rmSync(database() + rest, { force: true });
  writeFileSync(join(copies(), COPY), 'something else');
  writeFileSync(join(copies(), `${COPY}.part`), 'half of it');
  await startAndEnd();
  expect(readdirSync(copies())).toEqual([COPY]);
  expect(contentOf(join(copies(), COPY))).toEqual(before);
});

test('T153: the command migrate makes a copy too; a new database is not copied', async () => {
  const out = await run('migrate');
  expect(out).toContain(join(copies(), COPY));
  expect(migrationsOf(join(copies(), COPY)).at(-1)).toBe(LAST_OF_1_0);
  rmSync(dataDir, { recursive: true });
  mkdirSync(dataDir, { mode: 0o700 });
  expect(await run('migrate')).toContain('The database is up to date.');
  expect(readdirSync(dataDir)).not.toContain('before-upgrade');
});

async function run(...args: readonly string[]): Promise<string> {
  const process_ = spawn(process.execPath, [built.cli, ...args], {
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir },
  });
  let output = '';
  process_.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  process_.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  expect((await once(process_, 'exit'))[0], output).toBe(0);
  return output;
}
