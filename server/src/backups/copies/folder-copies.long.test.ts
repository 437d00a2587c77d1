/** Copies of backups in another folder: made, compared, retried, removed with their backups. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as audit from '@passwordbroker/core/contract/site/audit';
import * as backups from '@passwordbroker/core/contract/site/backups';
import type { Backup } from '@passwordbroker/core/contract/site/backups';
import { sha256 } from '../../platform/ids-and-digests.ts';
import { startTestApp } from '../../testing/test-app.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { HOUR, MINUTE } from '../../testing/test-clock.ts';
import { madeBackup } from '../testing/made-backup.ts';
import { copyDue, copyLease, queueAtStart } from './copy-due.ts';
import { changeCopy } from './copy-repository.ts';

const SETTINGS = { schedule: [3], enable: false, email_enable: false };

let parent: string;
let folder: string;
let app: TestApp;
let ada: SignedIn;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'passwordbroker-copies-'));
  folder = join(parent, 'second');
  await mkdir(folder);
  app = await startTestApp({ environment: { BACKUP_COPY: folder } });
  ada = await app.signUp('ada');
});
afterEach(async () => {
  await app.stop();
  await rm(parent, { recursive: true, force: true });
});

const make = () => madeBackup(app, ada);
const shown = ({ backup_id: id }: Backup) => ada.call(backups.get, { params: { id } });
const copyAgain = ({ backup_id: id }: Backup) => ada.call(backups.copy, { params: { id } });
const copyOf = async (backup: Backup) => (await shown(backup)).copy;
const first = ({ file_name }: Backup) => join(app.deps.config.backupDir, file_name);
const second = ({ file_name }: Backup) => join(folder, file_name);
const events = async ({ backup_id }: Backup) =>
  (await ada.call(audit.list, { query: { target_id: backup_id } })).data.map(({ event_type }) => event_type);

test('a verified archive is copied, read back, compared, and listed as copied', async () => {
  const backup = await make();
  const waiting = { target: folder, state: 'waiting', copied_at: null, error_message: null };
  expect(backup).toMatchObject({ state: 'created', copy: { ...waiting, next_try_at: expect.any(String) as string } });
  expect(existsSync(second(backup))).toBe(false);
  expect(await copyDue(app.deps)).toBe(1);
  const bytes = readFileSync(first(backup));
  expect(readFileSync(second(backup)).equals(bytes)).toBe(true);
  expect(backup.sha256).toBe(sha256(bytes).toString('hex'));
  const copied_at = new Date(app.clock.now()).toISOString();
  expect(await copyOf(backup)).toEqual({
    target: folder,
    state: 'copied',
    copied_at,
    error_message: null,
    next_try_at: null,
  });
  expect(readdirSync(folder)).toEqual([backup.file_name]);
  expect(await events(backup)).toEqual(['backup_copied', 'backup_created', 'backup_requested']);
  expect(await copyDue(app.deps)).toBe(0);
});

test('a folder that is BACKUP_DIR itself, behind a link, holds no copy', async () => {
  const { backupDir } = app.deps.config;
  const backup = await make();
  await rm(folder, { recursive: true });
  await symlink(backupDir, folder);
  expect(await copyDue(app.deps)).toBe(0);
  const itself = 'The folder of the second target is BACKUP_DIR itself. Choose another one, better on another disk.';
  expect(await copyOf(backup)).toMatchObject({ state: 'failed', error_message: itself });
});

test('a missing folder is not created: the backup stays good, the copy is retried with growing pauses', async () => {
  await rename(folder, `${folder}-away`);
  const backup = await make();
  expect(await copyDue(app.deps)).toBe(0);
  const missing = 'The folder of the second target is not there. Is its disk mounted?';
  expect(await shown(backup)).toMatchObject({
    state: 'created',
    error_message: null,
    copy: { state: 'failed', error_message: missing, next_try_at: new Date(app.clock.now() + MINUTE).toISOString() },
  });
  expect(existsSync(folder)).toBe(false);
  for (const minutes of [1, 5, 15, 60, 60]) {
    app.clock.advance(minutes * MINUTE - 1);
    await copyDue(app.deps);
    const before = await app.deps.db.read.selectFrom('backup_copies').selectAll().executeTakeFirstOrThrow();
    app.clock.advance(1);
    await copyDue(app.deps);
    const after = await app.deps.db.read.selectFrom('backup_copies').selectAll().executeTakeFirstOrThrow();
    expect([minutes, after.attempts]).toEqual([minutes, before.attempts + 1]);
  }
  await rename(`${folder}-away`, folder);
  app.clock.advance(HOUR);
  expect(await copyDue(app.deps)).toBe(1);
  ada = await app.signIn(ada);
  expect(await copyOf(backup)).toMatchObject({ state: 'copied', error_message: null });
  expect(await events(backup)).toEqual(['backup_copied', 'backup_copy_failed', 'backup_created', 'backup_requested']);
});

test('while the target is away only one copy is tried; when it is back the newest goes first', async () => {
  await rename(folder, `${folder}-away`);
  const made = [await make(), await make(), await make()];
  await copyDue(app.deps);
  const attempts = async () =>
    (await app.deps.db.read.selectFrom('backup_copies').select('attempts').orderBy('backup_id').execute()).map(
      (row) => row.attempts,
    );
  expect(await attempts()).toEqual([0, 0, 1]);
  expect(await copyDue(app.deps)).toBe(0);
  await rename(`${folder}-away`, folder);
  app.clock.advance(MINUTE);
  expect(await copyDue(app.deps)).toBe(3);
  expect(readdirSync(folder).length).toBe(3);
  const times = await app.deps.db.read
    .selectFrom('audit_log')
    .select(['target_id', 'audit_id'])
    .where('event_type', '=', 'backup_copied')
    .orderBy('audit_id')
    .execute();
  expect(times.map(({ target_id }) => target_id)).toEqual(made.map(({ backup_id }) => backup_id).toReversed());
});

test.each([
  ['a file', (path: string) => writeFile(path, 'of somebody else')],
  ['a link', (path: string) => symlink('/etc/passwd', path)],
  ['a pipe', async (path: string) => void execFileSync('mkfifo', [path])],
  ['a folder', (path: string) => mkdir(path)],
])('%s of that name is never replaced; after it is gone the copy can be made', async (_, put) => {
  const backup = await make();
  await put(second(backup));
  expect(await copyDue(app.deps)).toBe(0);
  expect(await copyOf(backup)).toMatchObject({
    state: 'failed',
    error_message: 'There is another file of this name in the second target.',
    next_try_at: null,
  });
  await rm(second(backup), { recursive: true });
  app.clock.advance(2 * HOUR);
  expect(await copyDue(app.deps)).toBe(0);
  ada = await app.signIn(ada);
  expect(await copyAgain(backup)).toMatchObject({ copy: { state: 'waiting', error_message: null } });
  expect(await copyDue(app.deps)).toBe(1);
  expect(readFileSync(second(backup)).equals(readFileSync(first(backup)))).toBe(true);
});

test('an archive that changed or vanished after verification is not copied', async () => {
  const [changed, gone] = [await make(), await make()];
  const bytes = readFileSync(first(changed));
  bytes[100] = (bytes[100] ?? 0) ^ 1;
  await writeFile(first(changed), bytes);
  await rm(first(gone));
  expect(await copyDue(app.deps)).toBe(0);
  expect(await copyOf(changed)).toMatchObject({
    state: 'failed',
    error_message: 'The archive has changed since it was proven, so it is not copied.',
  });
  expect(await copyOf(gone)).toMatchObject({ error_message: 'The archive is not in BACKUP_DIR any more.' });
  expect(readdirSync(folder)).toEqual([]);
});

test('copying again finds a copy that was removed or changed', async () => {
  const backup = await make();
  await copyDue(app.deps);
  await copyAgain(backup);
  expect(await copyDue(app.deps)).toBe(1);
  await rm(second(backup));
  await copyAgain(backup);
  expect(await copyDue(app.deps)).toBe(1);
  expect(existsSync(second(backup))).toBe(true);
  await writeFile(second(backup), 'other bytes');
  await copyAgain(backup);
  expect(await copyDue(app.deps)).toBe(0);
  expect(await copyOf(backup)).toMatchObject({ state: 'failed' });
});

test('retention removes the copies of removed backups, but never the newest copy', async () => {
  await ada.request({ path: '/identity/api/confirmPassword', json: { password: ada.password } });
  await ada.call(backups.changeSettings, { body: { ...SETTINGS, keep: 1 } });
  const [one, two] = [await make(), await make()];
  await copyDue(app.deps);
  // Retention removed the first before it was copied.
  expect([readdirSync(folder), await copyOf(one)]).toEqual([
    [two.file_name],
    expect.objectContaining({ state: 'waiting' }),
  ]);
  await rename(folder, `${folder}-away`);
  const three = await make();
  await copyDue(app.deps);
  await rename(`${folder}-away`, folder);
  // The second backup is removed, but its copy stays while it is the newest copy.
  expect([existsSync(first(two)), existsSync(second(two))]).toEqual([false, true]);
  app.clock.advance(MINUTE);
  expect(await copyDue(app.deps)).toBe(1);
  expect(readdirSync(folder)).toEqual([three.file_name]);
  expect(await copyOf(two)).toMatchObject({ state: 'deleted' });
});

test('a copy that a dead process began is made again, and its partial file is removed', async () => {
  const backup = await make();
  await writeFile(join(folder, `.${backup.backup_id}.abcdefghijkl.part`), 'left');
  await app.deps.db.transact((tx) =>
    changeCopy(tx, { backup_id: backup.backup_id, target: folder }, { state: 'copying', attempts: 1 }),
  );
  expect(await copyDue(app.deps)).toBe(1);
  expect(readdirSync(folder)).toEqual([backup.file_name]);
});

test('several processes copy an archive only once', async () => {
  await make();
  const counts = await Promise.all([copyDue(app.deps), copyDue(app.deps), copyDue(app.deps)]);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
});

test('a stop of the server during a copy leaves it pending', async () => {
  const backup = await make();
  const stopping = new AbortController();
  const copying = copyDue(app.deps, { stopping: stopping.signal });
  await expect.poll(async () => (await copyOf(backup))?.state, { interval: 5 }).toBe('copying');
  stopping.abort();
  await expect(copying).rejects.toThrow();
  expect(await copyOf(backup)).toMatchObject({ state: 'waiting' });
  const lease = copyLease(app.deps.db);
  expect(await lease.hold()).toBe(true);
  await lease.release();
  expect(await copyDue(app.deps)).toBe(1);
});

test('a new target gets the newest backup at the start of the server and later ones; the old target keeps its copies', async () => {
  const [, newest] = [await make(), await make()];
  await copyDue(app.deps);
  const other = join(parent, 'third');
  await mkdir(other);
  const deps = { ...app.deps, config: { ...app.deps.config, backupCopy: { kind: 'folder', path: other } as const } };
  await queueAtStart(deps);
  expect(await copyDue(deps)).toBe(1);
  expect(readdirSync(other)).toEqual([newest.file_name]);
  expect(readdirSync(folder).length).toBe(2);
});

test('without a second target nothing is copied, and a request to copy is refused', async () => {
  const none = await startTestApp();
  const eve = await none.signUp('eve');
  const backup = await madeBackup(none, eve);
  expect(backup.copy).toBeNull();
  const refused = await eve.request({ method: 'POST', path: `/system/api/backups/${backup.backup_id}/copy`, json: {} });
  expect([refused.status, refused.json<{ message: string }>().message]).toEqual([
    409,
    'No second target is set (BACKUP_COPY).',
  ]);
  await none.stop();
});
