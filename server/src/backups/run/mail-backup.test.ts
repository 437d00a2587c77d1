/**
 * The mail about a backup contains the archive if it is encrypted and small, and never another file of its
 * name.
 */
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as backups from '@passwordbroker/core/contract/site/backups';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { sendDueMail } from '../../mail/sender.ts';
import { startMailCatcher } from '../../testing/mail-catcher.ts';
import type { MailCatcher } from '../../testing/mail-catcher.ts';
import { startTestApp } from '../../testing/test-app.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { MINUTE } from '../../testing/test-clock.ts';
import type { BackupRow } from '../backup-repository.ts';
import { tellByMail } from './make-one.ts';
import { makeWaiting } from './make-backup.ts';
import { heldUp } from '../testing/held-up.ts';

let app: TestApp;
let ada: SignedIn;
let mail: MailCatcher;
beforeAll(async () => {
  mail = await startMailCatcher();
  app = await startTestApp({ environment: { SMTP_URL: mail.url } });
  ada = await app.signUp('ada');
  await mkdir(app.deps.config.backupDir, { recursive: true });
});
afterAll(async () => {
  await app.stop();
  await mail.stop();
});
beforeEach(() => app.clock.advance(MINUTE));

const CONTENT = 'the bytes of an archive';
const MADE: BackupRow = {
  backup_id: '0197f1d2-0000-7000-8000-000000000001',
  state: 'created',
  file_name: 'pb_backup_2026_03_01__10_00_00.tar.gz.age',
  slot: null,
  has_password: 1,
  attempts: 1,
  progress: null,
  size: 4210,
  sha256: null,
  counts: null,
  error_message: null,
  made_at: 1,
  deleted_at: null,
  verified_at: 1,
  created_at: 1,
  updated_at: 1,
};
const path = () => join(app.deps.config.backupDir, MADE.file_name);

/** Raw text of the mail about this backup. */
async function mailAbout(row: Partial<BackupRow>): Promise<string> {
  const settings = { email: 'ops@example.org', email_enabled: 1 } as const;
  await app.deps.db.transact((tx) => tellByMail(tx, app.deps, settings, { ...MADE, ...row }));
  const before = mail.mails.length;
  await sendDueMail(app.deps);
  expect(mail.mails.length).toBe(before + 1);
  return mail.mails.at(-1)?.raw ?? '';
}
const attached = Buffer.from(CONTENT).toString('base64');

test('a small encrypted archive is attached; one over the limit or unencrypted is only announced', async () => {
  await writeFile(path(), CONTENT);
  expect(await mailAbout({})).toContain(attached);
  expect(await mailAbout({ size: LIMITS.mailedArchiveBytes })).toContain(attached);
  expect(await mailAbout({ size: LIMITS.mailedArchiveBytes + 1 })).not.toContain(attached);
  expect(await mailAbout({ has_password: 0 })).not.toContain(attached);
  expect(await mailAbout({ state: 'error', size: null, error_message: 'No space left' })).not.toContain(attached);
});

test('a missing file, a link or a large file in place of the archive is not attached', async () => {
  await rm(path(), { force: true });
  expect(await mailAbout({})).not.toContain('Content-Disposition: attachment');
  const elsewhere = join(app.dataDir, 'elsewhere');
  await writeFile(elsewhere, CONTENT);
  await symlink(elsewhere, path());
  expect(await mailAbout({})).not.toContain(attached);
  await rm(path());
  await writeFile(path(), Buffer.alloc(LIMITS.mailedArchiveBytes + 1));
  expect((await mailAbout({})).length).toBeLessThan(10_000);
  await rm(path());
});

test('the mail goes to the address in the settings at the end of the backup, not at its start', async () => {
  const settings = { schedule: [3], enable: false, email_enable: true, archive_password: 'archive' };
  await ada.call(backups.changeSettings, { body: { ...settings, email: 'former@example.org' } });
  const { backup_id: id } = await ada.call(backups.create);
  const slow = heldUp(app.deps, (act) => act >= 2);
  const making = makeWaiting(slow.deps);
  await slow.reached;
  await ada.call(backups.changeSettings, { body: { ...settings, email: 'present@example.org' } });
  slow.letGo();
  await making;
  const { file_name } = await ada.call(backups.get, { params: { id } });
  await sendDueMail(app.deps);
  expect(mail.mails.at(-1)?.to).toEqual(['present@example.org']);
  const bytes = await readFile(join(app.deps.config.backupDir, file_name));
  expect((mail.mails.at(-1)?.raw ?? '').replaceAll('\r\n', '')).toContain(bytes.toString('base64').slice(0, 500));
});
