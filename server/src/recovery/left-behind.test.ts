/** Files of a killed recovery are removed after the start and before the next recovery; files in use stay. */
import { existsSync } from 'node:fs';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startBackups } from '../backups/start-backups.ts';
import { archiveOf } from '../backups/testing/archive.ts';
import { Lease } from '../platform/leases/lease.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { TestApp } from '../testing/test-app.ts';
import { listLeft, recoveryFolder, removeLeft, startClearing } from './left-behind.ts';
import { recoverFrom } from './recover.ts';

let app: TestApp;
beforeEach(async () => {
  app = await startTestApp();
});
afterEach(() => app.stop());

const TWENTY_MINUTES = 20 * 60_000;

/** Creates a file with this age. */
async function left(path: string, age = 0): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, 'titles and addresses');
  const then = new Date(Date.now() - age);
  await utimes(dirname(path), then, then);
  return path;
}
const restored = (id = 'dead') => left(join(recoveryFolder(app.dataDir, id), 'passwordbroker.sqlite'));
const upload = (name: string, age = 0) => left(join(app.dataDir, 'uploads', name, '0'), age);

test('restored rows are removed at once, uploads when they are old', async () => {
  const [rows, old, young] = [await restored(), await upload('old', TWENTY_MINUTES), await upload('young')];
  const left = await listLeft(app.dataDir);
  // A recovery that starts after the listing is kept.
  const own = await restored('own');
  await removeLeft(left);
  expect([rows, old, young, own].map(existsSync)).toEqual([false, false, true, true]);
});

test('files are removed at the start, on PostgreSQL once no process holds the recovery lease', async () => {
  const other = new Lease(app.deps.db, 'recovery');
  const isShared = app.deps.db.dialect === 'postgres';
  if (isShared) await other.hold();
  const rows = await restored();
  const first = startClearing(app.deps);
  if (isShared) {
    await first.stop();
    expect(existsSync(rows)).toBe(true);
    await other.release();
  }
  const second = startClearing(app.deps);
  await expect.poll(() => existsSync(rows), { timeout: 20_000 }).toBe(false);
  await Promise.all([first.stop(), second.stop()]);
});

test('files that this process creates right after its start stay', async () => {
  if (app.deps.db.dialect !== 'sqlite') return;
  const [rows, young] = [await restored(), await upload('young')];
  const backups = startBackups(app.deps);
  const own = await upload('own');
  await expect.poll(() => [rows, young].map(existsSync), { timeout: 20_000 }).toEqual([false, false]);
  await backups.stop();
  expect(existsSync(own)).toBe(true);
});

test('files are removed before the next recovery, which leaves none itself', async () => {
  const full = await startTestApp();
  await full.signUp('ada');
  const path = await archiveOf(full, { password: null });
  const rows = await restored();
  const origin = { address: 'test', agentHash: null, userAgent: '', client: null };
  await recoverFrom(app.deps, { path, password: null, origin });
  await full.stop();
  expect(existsSync(dirname(rows))).toBe(false);
});
