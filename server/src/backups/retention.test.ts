/** What is kept: the newest good ones, whatever became of others (decision H5). */
import { existsSync } from 'node:fs';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as backups from '@passwordbroker/core/contract/backups';
import type { Backup } from '@passwordbroker/core/contract/backups';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
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
const pathOf = ({ file_name }: Backup) => join(app.deps.config.backupDir, file_name);
const states = async () => (await ada.call(backups.listAll, {})).data.map(({ state }) => state).toReversed();

test('only the newest are kept; those that went say so', async () => {
  const [first, second, third] = [await make(), await make(), await make()];
  expect(await states()).toEqual(['deleted', 'created', 'created']);
  expect((await readdir(app.deps.config.backupDir)).toSorted()).toEqual(
    [second, third].map(({ file_name }) => file_name).toSorted(),
  );
  const gone = await ada.call(backups.get, { params: { id: first.backup_id } });
  expect(gone.backup_deleted).not.toBeNull();
  expect((await ada.request({ path: `/system/api/backups/${first.backup_id}/download` })).status).toBe(404);
});

test('one that was found damaged pushes no good one out, and goes when it is older than all that are kept', async () => {
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

test('nor one whose file is not there any more, or was cut short', async () => {
  const [first, lost, cut] = [await make(), await make(), await make()];
  // With room for two, the first is gone by now: begin with the one that is left.
  expect(existsSync(pathOf(first))).toBe(false);
  await rm(pathOf(cut));
  await make();
  expect(existsSync(pathOf(lost))).toBe(true);
  await writeFile(pathOf(lost), 'cut');
  const last = await make();
  expect(await states()).toEqual(['deleted', 'deleted', 'deleted', 'created', 'created']);
  expect(existsSync(pathOf(last))).toBe(true);
});
