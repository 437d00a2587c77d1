/**
 * Warnings when no backup, or no copy of one, has succeeded for a day: status, metrics, log, mail.
 */
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import * as backups from '@passwordbroker/core/contract/site/backups';
import * as people from '@passwordbroker/core/contract/users/people';
import { sendDueMail } from '../mail/sender.ts';
import { startMailCatcher } from '../testing/mail-catcher.ts';
import type { MailCatcher } from '../testing/mail-catcher.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { HOUR, MINUTE } from '../testing/test-clock.ts';
import { warnIfOverdue } from './backup-status.ts';
import { copyDue } from './copies/copy-due.ts';
import { madeBackup } from './testing/made-backup.ts';

let mail: MailCatcher;
let parent: string;
let folder: string;
let app: TestApp;
let ada: SignedIn;
beforeAll(async () => {
  mail = await startMailCatcher();
});
afterAll(() => mail.stop());
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'passwordbroker-warnings-'));
  folder = join(parent, 'second');
  await mkdir(folder);
  app = await startTestApp({ environment: { SMTP_URL: mail.url, BACKUP_COPY: folder } });
  ada = await app.signUp('ada');
});
afterEach(async () => {
  app.deps.mailer?.close();
  await app.stop();
  await rm(parent, { recursive: true, force: true });
});

const save = (enable: boolean) =>
  ada.call(backups.changeSettings, { body: { schedule: [3], enable, email_enable: false } });
const status = () => ada.call(backups.status);
const make = () => madeBackup(app, ada);

/** Signs in again, as sessions end after 12 hours. */
async function later(ms: number) {
  app.clock.advance(ms);
  ada = await app.signIn(ada);
}

/** Mails, and log lines by event, that one check causes. */
async function warned(): Promise<{ readonly mails: string[]; readonly events: string[] }> {
  const [mails, lines] = [mail.mails.length, app.log.length];
  await warnIfOverdue(app.deps);
  await sendDueMail(app.deps);
  const said = app.log
    .slice(lines)
    .map((line) => JSON.parse(line) as { readonly level: string; readonly event?: string });
  return {
    mails: mail.mails
      .slice(mails)
      .map(({ to, subject }) => `${to.join()}: ${subject}`)
      .filter((line) => line.includes('Backups')),
    events: said.filter(({ level }) => level === 'warn').map(({ event = '' }) => event),
  };
}
const lastWarning = () => mail.mails.findLast(({ subject }) => subject.startsWith('Backups'))?.text;
const NOTHING = { mails: [], events: [] };
const overdueMail = (name: string) => `${name}@example.org: Backups need your attention (localhost:8080)`;

async function metrics(): Promise<Record<string, number>> {
  const { text } = await ada.request({ path: '/metrics' });
  const lines = text.split('\n').filter((line) => /^passwordbroker_\w*backup\w* /.test(line));
  return Object.fromEntries(lines.map((line) => line.split(' ')).map(([name = '', value]) => [name, Number(value)]));
}

test('backups that were never enabled are not overdue', async () => {
  await later(100 * 24 * HOUR);
  expect(await status()).toMatchObject({ enabled: false, last_backup_at: null, overdue: false });
  expect(await warned()).toEqual(NOTHING);
});

test('without a good backup for a day every site admin gets one mail a day, until a backup succeeds', async () => {
  const bob = await app.signUp('bob');
  await app.signUp('carol');
  await ada.call(people.setAdmin, { params: { id: bob.userId }, body: { is_admin: true } });
  await save(true);
  await sendDueMail(app.deps);
  await later(26 * HOUR);
  expect([(await status()).overdue, await warned()]).toEqual([false, NOTHING]);
  await later(MINUTE);
  expect(await status()).toMatchObject({ enabled: true, overdue: true, archive_password_set: false });
  expect(await metrics()).toMatchObject({ passwordbroker_backup_overdue: 1, passwordbroker_backup_copy_overdue: 0 });
  // Saving other settings does not reset the warning.
  await save(true);
  expect((await status()).overdue).toBe(true);
  expect(await warned()).toEqual({ mails: ['ada', 'bob'].map(overdueMail), events: ['backup_overdue'] });
  expect(lastWarning()).toContain('No backup has succeeded for a day.\nLast successful backup: never\n');
  expect(await warned()).toEqual(NOTHING);
  await later(24 * HOUR - MINUTE);
  expect(await warned()).toEqual(NOTHING);
  await later(MINUTE);
  expect((await warned()).events).toEqual(['backup_overdue']);
  const made = await make();
  await copyDue(app.deps);
  expect(await status()).toMatchObject({ overdue: false, last_backup_at: made.backup_created });
  expect(await metrics()).toMatchObject({
    passwordbroker_backup_overdue: 0,
    passwordbroker_last_backup_timestamp_seconds: Date.parse(made.backup_created ?? '') / 1000,
  });
  await later(25 * HOUR);
  expect(await warned()).toEqual(NOTHING);
  await later(2 * HOUR);
  expect((await warned()).mails).toEqual(['ada', 'bob'].map(overdueMail));
  expect(lastWarning()).toContain(`Last successful backup: ${made.backup_created}\n`);
});

test('switching backups off and on restarts the day', async () => {
  await save(true);
  await later(27 * HOUR);
  await save(false);
  expect((await status()).overdue).toBe(false);
  await save(true);
  expect((await status()).overdue).toBe(false);
  await later(27 * HOUR);
  expect((await status()).overdue).toBe(true);
});

test('a backup dated in the future does not silence the warning', async () => {
  await save(true);
  await later(365 * 24 * HOUR);
  await make();
  await copyDue(app.deps);
  app.clock.advance(-300 * 24 * HOUR);
  ada = await app.signIn(ada);
  expect((await status()).overdue).toBe(true);
});

test('copies that fail for a day cause a mail, with the reason', async () => {
  await make();
  await copyDue(app.deps);
  const copied = new Date(app.clock.now()).toISOString();
  expect((await status()).second_target).toEqual({
    kind: 'folder',
    target: folder,
    last_copy_at: copied,
    overdue: false,
    error_message: null,
  });
  await later(100 * HOUR);
  // Without a newer backup no copy is pending.
  expect(await warned()).toEqual(NOTHING);
  await rename(folder, `${folder}-away`);
  await make();
  await copyDue(app.deps);
  const reason = 'The folder of the second target is not there. Is its disk mounted?';
  expect((await status()).second_target).toMatchObject({ overdue: false, error_message: reason, last_copy_at: copied });
  await later(27 * HOUR);
  await copyDue(app.deps);
  expect((await status()).second_target).toMatchObject({ overdue: true });
  expect(await metrics()).toEqual({
    passwordbroker_last_backup_timestamp_seconds: expect.any(Number) as number,
    passwordbroker_backup_overdue: 0,
    passwordbroker_backup_copy_overdue: 1,
    passwordbroker_last_backup_copy_timestamp_seconds: Date.parse(copied) / 1000,
  });
  expect(await warned()).toEqual({ mails: [overdueMail('ada')], events: ['backup_copy_overdue'] });
  expect(lastWarning()).toContain(
    `No backup has been copied to the second target for a day.\nLast copy: ${copied}\nReason: ${reason}\n`,
  );
  // A newer copied backup ends the warning.
  await rename(`${folder}-away`, folder);
  await make();
  await later(2 * HOUR);
  await copyDue(app.deps);
  expect((await status()).second_target).toMatchObject({ overdue: false, error_message: null });
});

test('several processes send one warning', async () => {
  await save(true);
  await later(27 * HOUR);
  const looks = await Promise.all([warnIfOverdue(app.deps), warnIfOverdue(app.deps), warnIfOverdue(app.deps)]);
  expect(looks.filter(Boolean)).toHaveLength(1);
});
