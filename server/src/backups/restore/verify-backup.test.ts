/** Verification of a stored backup: its reports, its records, and the limit of password attempts. */
import { readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as audit from '@passwordbroker/core/contract/site/audit';
import * as backups from '@passwordbroker/core/contract/site/backups';
import type { Backup } from '@passwordbroker/core/contract/site/backups';
import { startTestApp } from '../../testing/test-app.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { MINUTE } from '../../testing/test-clock.ts';
import { madeBackup } from '../testing/made-backup.ts';
import { fillVault } from '../testing/vault.ts';

const PASSWORD = 'proof';
let app: TestApp;
let ada: SignedIn;
let backup: Backup;
beforeAll(async () => {
  app = await startTestApp();
  ({ ada } = await fillVault(app));
  const body = { schedule: [3], enable: true, email_enable: false, archive_password: PASSWORD };
  await ada.call(backups.changeSettings, { body });
});
afterAll(() => app.stop());
beforeEach(async () => {
  // Failed attempts of the previous test have expired, and the sign-in is fresh.
  app.clock.advance(16 * MINUTE);
  await ada.request({ path: '/identity/api/confirmPassword', json: { password: ada.password } });
  backup = await madeBackup(app, ada);
});

const pathOf = ({ file_name }: Backup) => join(app.deps.config.backupDir, file_name);
const verify = (password?: string, of = backup) =>
  ada.request({ path: `/system/api/backups/${of.backup_id}/verify`, json: { password } });
const shown = () => ada.call(backups.get, { params: { id: backup.backup_id } });

test('verification needs the archive password; a damaged file is reported and recorded', async () => {
  expect((await verify()).json<{ errors: unknown }>().errors).toEqual({
    password: ['The backup needs a password or the password is wrong.'],
  });
  expect((await verify('wrong')).status).toBe(422);
  app.clock.advance(MINUTE);
  const proven = await verify(PASSWORD);
  expect([proven.status, proven.json<Backup>().verified_at]).toEqual([200, new Date(app.clock.now()).toISOString()]);
  const bytes = await readFile(pathOf(backup));
  bytes[bytes.length - 100] = (bytes.at(-100) ?? 0) ^ 1;
  await writeFile(pathOf(backup), bytes);
  const damaged = await verify(PASSWORD);
  expect([damaged.status, damaged.json<{ message: string }>().message]).toEqual([409, 'The backup is damaged']);
  expect(await shown()).toMatchObject({ state: 'created', error_message: 'The backup is damaged', verified_at: null });
  const events = await ada.call(audit.list, { query: { event_type: 'backup_verified', target_id: backup.backup_id } });
  expect(events.total).toBe(2);
});

test('a missing file is reported and recorded; verification succeeds once the file is back', async () => {
  await rename(pathOf(backup), `${pathOf(backup)}.away`);
  const gone = await verify(PASSWORD);
  expect([gone.status, gone.json<{ message: string }>().message]).toEqual([
    409,
    'The file of this backup is no longer on the server',
  ]);
  expect(await shown()).toMatchObject({
    error_message: 'The file of this backup is no longer on the server',
    verified_at: null,
  });
  await rename(`${pathOf(backup)}.away`, pathOf(backup));
  expect((await verify(PASSWORD)).status).toBe(200);
  expect(await shown()).toMatchObject({ error_message: null });
});

test('neither download nor verification follows a link in place of the file', async () => {
  const elsewhere = join(app.dataDir, 'elsewhere');
  await rename(pathOf(backup), elsewhere);
  await symlink(elsewhere, pathOf(backup));
  expect((await ada.request({ path: `/system/api/backups/${backup.backup_id}/download` })).status).toBe(404);
  expect((await verify(PASSWORD)).status).toBe(409);
  await rm(pathOf(backup));
});

test('after ten wrong passwords in 15 minutes the right one must wait, too; right passwords are not counted', async () => {
  for (let tries = 0; tries < 2; tries += 1) expect((await verify(PASSWORD)).status).toBe(200);
  const statuses: number[] = [];
  for (let tries = 0; tries < 10; tries += 1) statuses.push((await verify('wrong')).status);
  expect(new Set(statuses)).toEqual(new Set([422]));
  const refused = await verify(PASSWORD);
  expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
  app.clock.advance(16 * MINUTE);
  expect((await verify(PASSWORD)).status).toBe(200);
});

test('verifications run one at a time, four wait, and others are refused without being counted', async () => {
  let letGo = () => {};
  const first = app.deps.archiveKeys.run(() => new Promise<void>((resolve) => (letGo = resolve)));
  const answers = Array.from({ length: 9 }, () => verify('wrong'));
  const statuses: number[] = [];
  for (const answer of answers) void answer.then(({ status }) => statuses.push(status));
  await expect.poll(() => statuses, { timeout: 20_000 }).toEqual([503, 503, 503, 503, 503]);
  letGo();
  await Promise.all([first, ...answers]);
  expect(statuses.slice(5)).toEqual([422, 422, 422, 422]);
  // Only the four verified attempts were counted.
  for (let tries = 4; tries < 10; tries += 1) expect((await verify('wrong')).status).toBe(422);
  expect((await verify('wrong')).status).toBe(429);
});
