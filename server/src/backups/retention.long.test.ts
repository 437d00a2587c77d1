/** Retention keeps the newest good backups, whatever the state of others (docs/spec/decisions.md H5). */
import { existsSync } from 'node:fs';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as backups from '@passwordbroker/core/contract/site/backups';
import type { Backup } from '@passwordbroker/core/contract/site/backups';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { Lease } from '../platform/leases/lease.ts';
import { HOUR } from '../testing/test-clock.ts';
import { removeSurplus } from './retention.ts';
import { madeBackup } from './testing/made-backup.ts';

let app: TestApp;
let ada: SignedIn;
beforeEach(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  const body = { schedule: [3], enable: false, email_enable: false, keep: 2 };
  await ada.call(backups.changeSettings, { body });
});
afterEach(() => app.stop());

const make = () => madeBackup(app, ada);
const DAY = 24 * HOUR;

/** Saves the number and the age of archives to keep. */
async function keep(keep: number, keep_days: number) {
  await ada.request({ path: '/identity/api/confirmPassword', json: { password: ada.password } });
  await ada.call(backups.changeSettings, {
    body: { schedule: [3], enable: false, email_enable: false, keep, keep_days },
  });
}

/** Signs in again, as sessions end after 12 hours. */
async function later(ms: number) {
  app.clock.advance(ms);
  ada = await app.signIn(ada);
}

/** Runs the hourly job. */
async function removeOld() {
  const lease = new Lease(app.deps.db, 'backup-retention');
  await lease.hold();
  await removeSurplus(app.deps, lease);
  await lease.release();
}
const pathOf = ({ file_name }: Backup) => join(app.deps.config.backupDir, file_name);
const states = async () => (await ada.call(backups.listAll, {})).data.map(({ state }) => state).toReversed();

test('only the newest backups are kept; removed ones are marked as deleted', async () => {
  const [first, second, third] = [await make(), await make(), await make()];
  expect(await states()).toEqual(['deleted', 'created', 'created']);
  expect((await readdir(app.deps.config.backupDir)).toSorted()).toEqual(
    [second, third].map(({ file_name }) => file_name).toSorted(),
  );
  const gone = await ada.call(backups.get, { params: { id: first.backup_id } });
  expect(gone.backup_deleted).not.toBeNull();
  expect((await ada.request({ path: `/system/api/backups/${first.backup_id}/download` })).status).toBe(404);
});

test('a damaged backup displaces no good one and is removed once it is older than all kept ones', async () => {
  const [good, bad] = [await make(), await make()];
  const bytes = await readFile(pathOf(bad));
  bytes[200] = (bytes[200] ?? 0) ^ 1;
  await writeFile(pathOf(bad), bytes);
  const verified = await ada.request({ path: `/system/api/backups/${bad.backup_id}/verify`, json: {} });
  expect(verified.status).toBe(409);
  await make();
  expect([existsSync(pathOf(good)), await states()]).toEqual([true, ['created', 'created', 'created']]);
  await make();
  expect(await states()).toEqual(['deleted', 'deleted', 'created', 'created']);
});

test('a backup whose file is missing or truncated displaces no good one', async () => {
  const [first, lost, cut] = [await make(), await make(), await make()];
  // Retention keeps two, so the first is already removed.
  expect(existsSync(pathOf(first))).toBe(false);
  await rm(pathOf(cut));
  await make();
  expect(existsSync(pathOf(lost))).toBe(true);
  await writeFile(pathOf(lost), 'cut');
  const last = await make();
  expect(await states()).toEqual(['deleted', 'deleted', 'deleted', 'created', 'created']);
  expect(existsSync(pathOf(last))).toBe(true);
});

test('days to keep: older archives are removed even without a new backup, except the newest good one', async () => {
  await keep(30, 7);
  const first = await make();
  await later(2 * DAY);
  const second = await make();
  await later(5 * DAY - HOUR);
  await removeOld();
  expect(await states()).toEqual(['created', 'created']);
  await later(2 * HOUR);
  await removeOld();
  expect(await states()).toEqual(['deleted', 'created']);
  expect([existsSync(pathOf(first)), existsSync(pathOf(second))]).toEqual([false, true]);
  await later(100 * DAY);
  await removeOld();
  expect(await states()).toEqual(['deleted', 'created']);
});

test('days to keep: a newer damaged archive does not count as the newest good one', async () => {
  await keep(30, 7);
  const [good, bad] = [await make(), await make()];
  await writeFile(pathOf(bad), 'cut');
  await later(30 * DAY);
  await removeOld();
  expect([await states(), existsSync(pathOf(good))]).toEqual([['created', 'created'], true]);
  await make();
  expect([await states(), existsSync(pathOf(good))]).toEqual([['deleted', 'deleted', 'created'], false]);
});

test('days to keep: 0 is no limit', async () => {
  await keep(30, 0);
  await make();
  await make();
  await later(5000 * DAY);
  await removeOld();
  expect(await states()).toEqual(['created', 'created']);
});
