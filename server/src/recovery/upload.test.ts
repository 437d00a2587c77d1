/** Uploading a recovery file: unauthorised uploads write nothing, and no file remains. */
import { existsSync, readdirSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { archiveOf } from '../backups/testing/archive.ts';
import { ATTEMPT_LIMITS, countAttempt } from '../platform/passwords/attempts.ts';
import { readAttempts, total } from '../platform/passwords/attempts-repository.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { TestApp } from '../testing/test-app.ts';
import { openUpload } from './testing/slow-upload.ts';
import type { SlowUpload } from './testing/slow-upload.ts';

const MIB = 1024 * 1024;
const TOKEN = 'the token';

const started: TestApp[] = [];
const open: SlowUpload[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) one.die();
  for (const one of started.splice(0)) await one.stop();
});
async function site(environment: Readonly<Record<string, string>> = {}) {
  const app = await startTestApp({ environment });
  started.push(app);
  const origin = await app.listen();
  const guest = app.guest();
  await guest.request({ path: '/sanctum/csrf-cookie' });
  const folder = join(app.dataDir, 'uploads');
  return {
    app,
    /** Files being uploaded. */
    spooled: () => (existsSync(folder) ? readdirSync(folder).flatMap((name) => readdirSync(join(folder, name))) : []),
    wasWritten: () => existsSync(folder),
    /** Number of counted attempts of this address. */
    attempts: async () => total(await readAttempts(app.deps.db, 'recovery:127.0.0.1', app.clock.now())),
    upload: (announced: number | null = 1024 * MIB) => {
      const upload = openUpload({ origin, cookies: guest.cookies, announced });
      open.push(upload);
      return upload;
    },
  };
}

test('T107: a wrong setup token before the file is refused at its first bytes, and nothing is written', async () => {
  const { upload, wasWritten } = await site({ SETUP_TOKEN: TOKEN });
  const sent = upload();
  await sent.field('setup_token', 'another');
  await sent.beginFile();
  await sent.send(MIB);
  expect(await sent.answer).toEqual([403, 'setup_token_invalid']);
  expect(wasWritten()).toBe(false);
});

test('without a setup token a file is refused once it exceeds the buffer, and nothing is written', async () => {
  const { upload, wasWritten } = await site({ SETUP_TOKEN: TOKEN });
  const sent = upload(null);
  await sent.beginFile();
  await sent.send(MIB);
  expect(await sent.answer).toEqual([403, 'setup_token_invalid']);
  expect(wasWritten()).toBe(false);
});

test('a setup token may follow a small file; a wrong one writes nothing', async () => {
  const { app, wasWritten } = await site({ SETUP_TOKEN: TOKEN });
  const archive = await readFile(await archiveOf(app, { password: null }));
  expect(archive.length).toBeLessThan(200 * 1024);
  const behind = async (token: string) => {
    const multipart = new FormData();
    multipart.append('backupFile', new Blob([new Uint8Array(archive)]), 'pb.tar.gz');
    multipart.append('setup_token', token);
    return (await app.guest().request({ path: '/system/api/recovery', multipart })).status;
  };
  expect(await behind('another')).toBe(403);
  expect(wasWritten()).toBe(false);
  expect(await behind(TOKEN)).toBe(200);
});

test('after too many attempts a file is refused unread', async () => {
  const { app, upload, wasWritten } = await site();
  for (let n = 0; n < ATTEMPT_LIMITS.recovery.max; n += 1) {
    await countAttempt(app.deps, 'recovery:127.0.0.1', ATTEMPT_LIMITS.recovery);
  }
  const sent = upload();
  await sent.beginFile();
  await sent.send(MIB);
  expect(await sent.answer).toEqual([429, 'too_many_requests']);
  expect(wasWritten()).toBe(false);
});

test('one upload runs per address; it is removed if its sender disconnects, and the next one is accepted', async () => {
  const { attempts, upload, spooled } = await site();
  const first = upload();
  await first.beginFile();
  await first.send(MIB);
  await expect.poll(spooled, { timeout: 20_000 }).toEqual(['0']);
  const second = upload();
  await second.beginFile();
  await second.send(MIB);
  expect(await second.answer).toEqual([503, 'unavailable']);
  // A refused upload is not counted.
  expect(await attempts()).toBe(1);
  expect(spooled()).toEqual(['0']);
  first.die();
  await expect.poll(spooled, { timeout: 20_000 }).toEqual([]);
  const third = upload(null);
  await third.beginFile();
  await third.send(MIB);
  third.end();
  expect(await third.answer).toEqual([422, 'validation']);
  expect(spooled()).toEqual([]);
});

/** Logged server errors. */
const failures = ({ log }: TestApp) =>
  log
    .map((line) => JSON.parse(line) as { level: string; msg: string; error?: { code?: string } })
    .filter(({ level }) => level === 'error');

test('a disk error is reported as a server error and logged, for small and large files, until it is fixed', async () => {
  const { app, upload } = await site();
  const blocked = join(app.dataDir, 'uploads');
  await writeFile(blocked, 'a file where the folder should be');
  const large = upload();
  await large.beginFile();
  await large.send(MIB);
  expect(await large.answer).toEqual([500, 'internal']);
  const archive = await readFile(await archiveOf(app, { password: null }));
  const small = async () => {
    const multipart = new FormData();
    multipart.append('backupFile', new Blob([new Uint8Array(archive)]), 'pb.tar.gz');
    return (await app.guest().request({ path: '/system/api/recovery', multipart })).status;
  };
  expect(await small()).toBe(500);
  const failure = { msg: 'A request failed', error: { code: 'ENOTDIR' } };
  expect(failures(app)).toMatchObject([failure, failure]);
  await rm(blocked);
  expect(await small()).toBe(200);
});

test('a database error is reported as a server error, and nothing is written', async () => {
  const { app, upload, wasWritten } = await site();
  await app.deps.db.transact((tx) => sql`alter table attempts rename to attempts_aside`.execute(tx));
  const sent = upload();
  await sent.beginFile();
  await sent.send(MIB);
  expect(await sent.answer).toEqual([500, 'internal']);
  expect(failures(app)).toMatchObject([{ msg: 'A request failed' }]);
  expect(wasWritten()).toBe(false);
});
