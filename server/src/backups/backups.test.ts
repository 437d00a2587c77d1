/** Backups through the API, made by the scheduler (T81, T82, T89, R23, R52, R53). */
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as audit from '@passwordbroker/core/contract/site/audit';
import * as backups from '@passwordbroker/core/contract/site/backups';
import type { Backup } from '@passwordbroker/core/contract/site/backups';
import { sendDueMail } from '../mail/sender.ts';
import { startMailCatcher } from '../testing/mail-catcher.ts';
import type { MailCatcher } from '../testing/mail-catcher.ts';
import { createEntryIn } from '../testing/sealed-place.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { MINUTE } from '../testing/test-clock.ts';
import { changeBackup } from './backup-repository.ts';
import { makeWaiting } from './run/make-backup.ts';
import { restoreInto } from './testing/archive.ts';
import { CANARY, fillVault } from './testing/vault.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let mail: MailCatcher;
beforeAll(async () => {
  mail = await startMailCatcher();
  app = await startTestApp({ environment: { SMTP_URL: mail.url } });
  ({ ada } = await fillVault(app, ['ada', 'bob']));
  bob = await app.signIn(bobOf(await import('../testing/test-person.ts').then(({ testPerson }) => testPerson('bob'))));
});
const bobOf = <T>(person: T): T => person;
afterAll(async () => {
  await app.stop();
  await mail.stop();
});
beforeEach(async () => {
  await ada.request({ path: '/identity/api/confirmPassword', json: { password: ada.password } });
});

const SAVED = { schedule: [3, 15], enable: true, email_enable: false };
const save = (more: object = {}) => ada.call(backups.changeSettings, { body: { ...SAVED, ...more } });
const folder = () => app.deps.config.backupDir;

/** Requests a backup, runs the queue and returns the backup, also a failed one. */
async function make(): Promise<Backup> {
  const asked = await ada.call(backups.create);
  expect(asked).toMatchObject({ state: 'await', size: null, password: null, counts: null, progress: null });
  await makeWaiting(app.deps);
  return ada.call(backups.get, { params: { id: asked.backup_id } });
}

test('T89: the settings are returned as saved, without the archive password', async () => {
  expect(await ada.call(backups.settings)).toMatchObject({ schedule: [], enable: false, keep: 30, email: null });
  const saved = await save({ schedule: ['15', 3, 3], archive_password: CANARY, email: 'ops@example.org', keep: 5 });
  expect(saved).toEqual({
    schedule: [3, 15],
    enable: true,
    email_enable: false,
    email: 'ops@example.org',
    archive_password: null,
    archive_password_set: true,
    email_possible: true,
    timezone: 'UTC',
    keep: 5,
    keep_days: 0,
    updated_at: new Date(app.clock.now()).toISOString(),
  });
  expect(await ada.call(backups.settings)).toEqual(saved);
  const row = await app.deps.db.read.selectFrom('backup_settings').selectAll().executeTakeFirstOrThrow();
  expect(JSON.stringify(row) + String(row.sealed_identity)).not.toContain(CANARY);
  const log = await ada.call(audit.list, { query: { event_type: 'settings_changed' } });
  expect(log.data[0]).toMatchObject({ target_type: 'backup', login: 'ada@example.org' });
  const { archive_password_set: isSet } = await save({ archive_password: null, email: null });
  expect(isSet).toBe(true);
  expect((await save({ archive_password: '' })).archive_password_set).toBe(false);
  const refused = await ada.request({ path: backups.changeSettings.path, json: { ...SAVED, schedule: [] } });
  expect([refused.status, refused.json<{ message: string }>().message]).toEqual([422, 'Picking time is required']);
});

test('a backup is created, verified by a restore, counted, listed, downloaded and mailed', async () => {
  await save({ email_enable: true, email: 'ops@example.org', archive_password: 'long ago' });
  const backup = await make();
  expect(backup).toMatchObject({
    state: 'created',
    has_password: true,
    error_message: null,
    progress: null,
    counts: { users: 2, entry_groups: 1, entries: 3, fields: 2, revisions: 3, files: 1 },
  });
  expect(backup.file_name).toMatch(/^pb_backup_2026_03_01__09_3\d_\d\d\.tar\.gz\.age$/);
  expect(backup.verified_at).not.toBeNull();
  const { data, total } = await ada.call(backups.listAll, { query: { perPage: 1 } });
  expect([data, total]).toEqual([[backup], 1]);
  const download = await ada.request({ path: `/system/api/backups/${backup.backup_id}/download` });
  expect(download.headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${backup.file_name}"`,
    'content-length': String(backup.size),
    'cache-control': 'no-store',
  });
  expect(download.bytes.equals(await readFile(join(folder(), backup.file_name)))).toBe(true);
  expect(await readdir(join(app.dataDir, 'backup-work')).catch(() => [])).toEqual([]);
  const events = (await ada.call(audit.list, { query: { target_id: backup.backup_id } })).data;
  expect(events.map(({ event_type, login }) => [event_type, login])).toEqual([
    ['backup_downloaded', 'ada@example.org'],
    ['backup_created', null],
    ['backup_requested', 'ada@example.org'],
  ]);
  await sendDueMail(app.deps);
  const sent = mail.mails.at(-1);
  expect([sent?.to, sent?.subject]).toEqual([['ops@example.org'], 'A backup was made (localhost:8080)']);
  expect(sent?.raw.replaceAll('\r\n', '')).toContain(download.bytes.toString('base64').slice(0, 2000));
});

test('T81: only an admin downloads a backup, with a recently confirmed password; paths as ids are not found', async () => {
  const { data } = await ada.call(backups.listAll, {});
  const id = data.find(({ state }) => state === 'created')?.backup_id ?? '';
  expect((await ada.request({ path: `/system/api/backups/${id}/download` })).status).toBe(200);
  for (const path of ['../', '..%2f..%2fetc%2fpasswd', '%2e%2e', 'x']) {
    expect((await ada.request({ path: `/system/api/backups/${path}/download` })).status, path).toBe(404);
  }
  expect((await bob.request({ path: `/system/api/backups/${id}/download` })).status).toBe(403);
  expect((await app.guest().request({ path: `/system/api/backups/${id}/download` })).status).toBe(401);
  app.clock.advance(11 * MINUTE);
  const late = await ada.request({ path: `/system/api/backups/${id}/download` });
  expect([late.status, late.json<{ code: string }>().code]).toEqual([403, 'reauth_required']);
});

test('R20: a backup contains concurrent writes completely or not at all, and everything written before', async () => {
  const count = async () => (await app.deps.db.read.selectFrom('entries').select('entry_id').execute()).length;
  const g = (await app.deps.db.read.selectFrom('entry_groups').select('entry_group_id').executeTakeFirstOrThrow())
    .entry_group_id;
  const before = await count();
  let isOver = false;
  const writing = (async () => {
    while (!isOver) await createEntryIn(ada, g, 'written meanwhile');
  })();
  const backup = await make();
  isOver = true;
  await writing;
  expect(backup.state).toBe('created');
  expect(backup.counts?.entries).toBeGreaterThanOrEqual(before);
  expect(backup.counts?.entries).toBeLessThanOrEqual(await count());
  expect(await count()).toBeGreaterThan(before);
});

test('R52, T82: each archive opens only with the password of its time, and an unencrypted one is marked as such', async () => {
  const made: [Backup, string | null][] = [];
  for (const password of ['the first one', null]) {
    await save({ archive_password: password ?? '', email_enable: true, email: 'ops@example.org' });
    made.push([await make(), password]);
  }
  // The mail about an unencrypted backup has no attachment.
  await sendDueMail(app.deps);
  expect(mail.mails.at(-1)?.text).toContain('not encrypted and so is not sent');
  for (const [backup, password] of made) {
    const path = join(folder(), backup.file_name);
    expect([backup.has_password, backup.file_name.endsWith('.age')]).toEqual([password !== null, password !== null]);
    const { counts, scratchDir } = await restoreInto(path, password);
    expect(counts).toEqual(backup.counts);
    await rm(scratchDir, { recursive: true });
    if (password === null) continue;
    await expect(restoreInto(path, 'another one')).rejects.toMatchObject({ fault: 'password' });
    const bytes = await readFile(path, 'latin1');
    for (const word of [CANARY, password, 'PostgreSQL primary', 'ada@example.org', 'PRIVATE KEY', 'SQLite']) {
      expect(bytes).not.toContain(word);
    }
  }
});

describe('failed backups', () => {
  test('R23: an unwritable backup folder causes an error with its reason and a mail; older backups stay', async () => {
    await save({ email_enable: true, email: 'ops@example.org' });
    const { backupDir } = app.deps.config;
    const before = await readdir(backupDir);
    const { rename } = await import('node:fs/promises');
    await rename(backupDir, `${backupDir}-away`);
    await writeFile(backupDir, '');
    const backup = await make();
    await rm(backupDir);
    await rename(`${backupDir}-away`, backupDir);
    expect(backup).toMatchObject({ state: 'error', error_message: 'The folder for backups cannot be written to.' });
    expect(await readdir(backupDir)).toEqual(before);
    await sendDueMail(app.deps);
    expect(mail.mails.at(-1)?.subject).toBe('A backup could not be made (localhost:8080)');
    const failed = await ada.call(audit.list, { query: { event_type: 'backup_failed' } });
    expect(failed.data[0]).toMatchObject({ target_id: backup.backup_id });
  });

  test('R53: a backup whose restore fails ends as an error, never as created', async () => {
    const { db } = app.deps;
    const change = (changes: { value?: Buffer; body_sha256?: string }, body: string) =>
      db.transact((tx) => tx.updateTable('field_revisions').set(changes).where('body_sha256', '=', body).execute());
    const row = await db.read
      .selectFrom('field_revisions')
      .select(['value', 'body_sha256 as named'])
      .where('body_sha256', 'is not', null)
      .executeTakeFirstOrThrow();
    const named = row.named ?? '';
    await change({ value: Buffer.alloc(row.value.length) }, named);
    const backup = await make();
    const reason = 'It could not be restored: a sealed value in field_revisions.';
    expect(backup).toMatchObject({ state: 'error', error_message: reason });
    const gone = 'f'.repeat(64);
    await change({ value: row.value, body_sha256: gone }, named);
    const missing = await make();
    expect(missing).toMatchObject({ state: 'error', error_message: `The sealed file ${gone} is missing.` });
    await change({ body_sha256: named }, gone);
    expect((await make()).state).toBe('created');
    expect(existsSync(join(folder(), backup.file_name))).toBe(false);
    expect((await db.read.selectFrom('leases').select('owner').where('name', '=', 'backups').execute())[0]).toEqual({
      owner: null,
    });
  });

  test('a backup that a dead process began is retried, at most three times, and its temporary files are removed', async () => {
    const { db } = app.deps;
    const { backup_id: id } = await ada.call(backups.create);
    await db.transact((tx) => changeBackup(tx, id, { state: 'creating', attempts: 1 }));
    await mkdir(join(app.dataDir, 'backup-work', id), { recursive: true });
    await writeFile(join(folder(), `.${id}.part`), 'left');
    expect(await makeWaiting(app.deps)).toBe(1);
    expect((await ada.call(backups.get, { params: { id } })).state).toBe('created');
    expect((await readdir(folder())).filter((name) => name.startsWith('.'))).toEqual([]);
    await db.transact((tx) => changeBackup(tx, id, { state: 'creating', attempts: 3 }));
    expect(await makeWaiting(app.deps)).toBe(0);
    expect(await ada.call(backups.get, { params: { id } })).toMatchObject({
      state: 'error',
      error_message: 'The server stopped while the backup was made.',
    });
  });
});
