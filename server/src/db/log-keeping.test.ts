import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openDatabase } from './database.ts';
import type { Database } from './database.ts';
import { BetterSqlite } from './sqlite-engine.ts';

let dataDir: string;
let db: Database;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'passwordbroker-log-'));
  db = await openDatabase({ dataDir, now: 1 });
});
afterEach(async () => {
  await db.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Sixteen pages of the file. */
const VALUE = 'x'.repeat(64 * 1024);
const PAGES_EACH = 16;
const PAGE = 4096;
const put = (name: string, value = VALUE) =>
  db.transactBeside((tx) => tx.insertInto('site_settings').values({ name, value, updated_at: 1 }).execute());

/** Pages in the log, and how many of them are in their places, as another connection sees it. */
function log(): { readonly pages: number; readonly inPlace: number } {
  const other = new BetterSqlite(db.path, { readonly: true });
  try {
    other.prepare('select count(*) from site_settings').get();
    const [found] = other.pragma('wal_checkpoint(noop)') as { log: number; checkpointed: number }[];
    return { pages: found?.log ?? -1, inPlace: found?.checkpointed ?? -1 };
  } finally {
    other.close();
  }
}

/** As each next commit finds it. */
const beginsAnew = () =>
  vi.waitFor(async () => {
    await put(`later ${performance.now()}`, 'x');
    expect(log().pages).toBeLessThan(1000);
  }, 10_000);

test('a short log is left alone; a long one comes into the file beside the commits, and the next commit begins it anew', async () => {
  await put('short');
  const { pages } = log();
  expect(pages).toBeGreaterThan(PAGES_EACH);
  expect(log().inPlace).toBe(0);
  // Nobody waits: the acts go on while pages are on their way.
  for (let at = 0; at < 255; at += 1) await put(`long ${at}`);
  await beginsAnew();
  expect(statSync(db.path).size).toBeGreaterThan(3000 * PAGE);
});

test('whoever reads an older moment keeps the log, and it comes into the file when he has gone', async () => {
  const reader = new BetterSqlite(db.path, { readonly: true });
  reader.exec('begin');
  reader.prepare('select count(*) from site_settings').get();
  const { pages } = log();
  for (let at = 0; at < 255; at += 1) await put(`kept ${at}`);
  await vi.waitFor(() => expect(log().inPlace).toBe(pages), 10_000);
  expect(reader.prepare('select count(*) from site_settings').pluck().get()).toBe(0);
  reader.exec('commit');
  reader.close();
  await vi.waitFor(async () => {
    await put(`later ${performance.now()}`, 'x');
    expect(log().pages).toBeLessThan(1000);
  }, 10_000);
  expect(
    await db.read.selectFrom('site_settings').select('name').where('name', 'like', 'kept %').execute(),
  ).toHaveLength(255);
});

test('the log stays bounded under whoever writes without a pause', async () => {
  let longest = 0;
  const EACH = 400;
  const write = async (writer: number) => {
    for (let count = 0; count < EACH; count += 1) {
      await put(`${writer}.${count}`);
      longest = Math.max(longest, statSync(`${db.path}-wal`).size);
    }
  };
  await Promise.all([1, 2, 3, 4].map(write));
  // From so many pages on they wait; and what a commit or two of all of them may add to it.
  expect(longest).toBeLessThan((12_000 + 1000) * (PAGE + 24));
  expect(await db.read.selectFrom('site_settings').select('name').execute()).toHaveLength(4 * EACH);
});

test('a database that is closed while pages are on their way has everything', async () => {
  for (let at = 0; at < 255; at += 1) await put(`all ${at}`);
  await db.close();
  db = await openDatabase({ dataDir, now: 1 });
  expect((await db.read.selectFrom('site_settings').select('name').execute()).length).toBe(255);
});

test('a process that has nothing else to do is not over before its database is closed', async () => {
  await db.close();
  const program = fileURLToPath(new URL('./testing/write-pages-and-close.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', program, dataDir]);
  expect(stdout).toBe('closed');
  db = await openDatabase({ dataDir, now: 1 });
});

test('SIGKILL while pages are on their way into the file: what was told is there, and the file is whole (R2)', async () => {
  await db.close();
  const program = fileURLToPath(new URL('./testing/write-pages-until-killed.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', program, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const told: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    told.push(line);
    // Behind the begin of the thread, wherever it is by then.
    if (told.length === 320) child.kill('SIGKILL');
  }
  db = await openDatabase({ dataDir, now: 1 });
  const found = await db.read.selectFrom('site_settings').select(['name', 'value']).execute();
  const whole = new Set(found.filter(({ value }) => value === VALUE).map(({ name }) => name));
  expect(whole.size).toBe(found.length);
  expect(told.filter((name) => !whole.has(name))).toEqual([]);
  const file = new BetterSqlite(db.path, { readonly: true });
  expect(file.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  file.close();
});
