import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openBulkWriter } from '../bulk/writer.ts';
import { openDatabase } from '../open.ts';
import type { Database } from '../database.ts';
import { CHECKPOINT_PAGES, BetterSqlite } from './connections.ts';

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

/** 16 pages of the file. */
const VALUE = 'x'.repeat(64 * 1024);
const PAGES_EACH = 16;
const PAGE = 4096;
const put = (name: string) =>
  db.transactBeside((tx) => tx.insertInto('site_settings').values({ name, value: VALUE, updated_at: 1 }).execute());

const walSize = () => statSync(`${db.path}-wal`).size;
/** The log reaches its limit, plus the pages of one commit, here of at most four values. */
const BOUND = (CHECKPOINT_PAGES + 4 * PAGES_EACH + 100) * (PAGE + 24);

test('continuous writes keep the write-ahead log bounded', async () => {
  let longest = 0;
  const EACH = 400;
  const write = async (writer: number) => {
    for (let count = 0; count < EACH; count += 1) {
      await put(`${writer}.${count}`);
      longest = Math.max(longest, walSize());
    }
  };
  await Promise.all([1, 2, 3, 4].map(write));
  expect(longest).toBeLessThan(BOUND);
  expect(await db.read.selectFrom('site_settings').select('name').execute()).toHaveLength(4 * EACH);
});

test('a bulk writer keeps the write-ahead log bounded', async () => {
  const writer = await openBulkWriter(db.path);
  let longest = 0;
  for (let count = 0; count < 400; count += 1) {
    const rows = [{ name: String(count), value: VALUE, updated_at: 1 }];
    await db.lendWriter(() => writer.transact((_, insert) => insert('site_settings', rows)));
    longest = Math.max(longest, walSize());
  }
  await writer.close();
  expect(longest).toBeLessThan(BOUND);
});

test('the log grows while a reader needs it, and is truncated after the reader ends', async () => {
  const reader = new BetterSqlite(db.path, { readonly: true });
  reader.exec('begin');
  reader.prepare('select count(*) from site_settings').get();
  for (let at = 0; at < 400; at += 1) await put(`kept ${at}`);
  expect(walSize()).toBeGreaterThan(400 * PAGES_EACH * PAGE);
  expect(reader.prepare('select count(*) from site_settings').pluck().get()).toBe(0);
  reader.exec('commit');
  reader.close();
  // The next checkpoint empties the log, and the commit after it truncates the file.
  for (let at = 0; at < 200; at += 1) await put(`later ${at}`);
  expect(walSize()).toBeLessThanOrEqual(16 * 1024 * 1024);
  expect(
    await db.read.selectFrom('site_settings').select('name').where('name', 'like', 'kept %').execute(),
  ).toHaveLength(400);
});

test('SIGKILL around checkpoints: acknowledged rows are there, and the file is intact (R2)', async () => {
  await db.close();
  const program = fileURLToPath(new URL('./testing/write-pages-until-killed.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', program, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const told: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    told.push(line);
    // More than twice the pages of a checkpoint.
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
