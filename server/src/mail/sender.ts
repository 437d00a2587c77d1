/** Sends the outbox in one process of all instances. A crash can send a mail twice but loses none. */
import { join } from 'node:path';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import type { Deps } from '../http/context.ts';
import { latestPast } from '../platform/clock.ts';
import { Lease, LeaseLost, whileHolding } from '../platform/leases/lease.ts';
import type { Mail, Mailer } from '../platform/mailer.ts';
import { openPlainFile } from '../platform/storage/plain-file.ts';
import {
  BACKUP_NOTICES,
  BACKUP_OVERDUE,
  backupWarningText,
  type BackupMail,
  type BackupNotice,
  type BackupWarning,
} from './backup-texts.ts';
import { NOTICE_MAIL, noticeMailText, type NoticeMail } from './notice-mail.ts';
import { deleteMail, listDueMail, postponeMail, type OutboxRow } from './outbox-repository.ts';
import { NOTICES, type Circumstances, type Notice } from './texts.ts';

const LOOK_EVERY = 2000;
const PORTION = 20;
const MINUTE = 60_000;
/** Waits after failures; after the last one the notice is dropped. */
const AGAIN_AFTER = [1, 5, 15, 60, 180, 720, 1440].map((minutes) => minutes * MINUTE);

export type MailParts = Pick<Deps, 'db' | 'clock' | 'log' | 'mailer' | 'config'>;

/** Returns the number of accepted mails. */
export async function sendDueMail(
  parts: MailParts,
  lease = new Lease(parts.db, 'mail'),
  stopping?: AbortSignal,
): Promise<number> {
  const { mailer } = parts;
  if (mailer === null || (await due(parts)).length === 0 || !(await lease.hold())) return 0;
  let sent = 0;
  try {
    await whileHolding(lease, async (signal) => {
      for (let rows = await due(parts); rows.length > 0; rows = await due(parts)) {
        for (const row of rows) {
          if (stopping?.aborted === true) return;
          signal.throwIfAborted();
          if (await sendOne(parts, mailer, lease, row)) sent += 1;
        }
      }
    });
  } finally {
    await lease.release();
  }
  return sent;
}

function due({ db, clock }: MailParts) {
  const now = clock.now();
  return listDueMail(
    db,
    now,
    [0, ...AGAIN_AFTER].map((wait) => latestPast(now + wait)),
    PORTION,
  );
}

async function sendOne(parts: MailParts, mailer: Mailer, lease: Lease, row: OutboxRow): Promise<boolean> {
  const { db, clock, log } = parts;
  try {
    await mailer.send({ to: row.recipient, ...(await wordsOf(parts, row)) });
  } catch (error) {
    const wait = AGAIN_AFTER[row.attempts];
    log.error({ event: 'mail', count: row.attempts + 1, error }, 'a mail could not be sent');
    await db.transactBeside(async (tx) => {
      await lease.confirm(tx);
      if (wait === undefined) await deleteMail(tx, row.mail_id);
      else await postponeMail(tx, row.mail_id, row.attempts + 1, clock.now() + wait);
    });
    return false;
  }
  await db.transactBeside((tx) => deleteMail(tx, row.mail_id));
  return true;
}

async function wordsOf({ config }: MailParts, { notice, details }: OutboxRow): Promise<Omit<Mail, 'to'>> {
  if (notice === NOTICE_MAIL) return noticeMailText(JSON.parse(details) as NoticeMail);
  if (notice === BACKUP_OVERDUE) return backupWarningText(JSON.parse(details) as BackupWarning);
  if (!Object.hasOwn(BACKUP_NOTICES, notice)) return NOTICES[notice as Notice](JSON.parse(details) as Circumstances);
  const backup = JSON.parse(details) as BackupMail;
  const words = BACKUP_NOTICES[notice as BackupNotice];
  if (backup.attachment === null) return words(backup);
  // Null if retention removed the archive or another instance has it.
  const content = await archiveBytes(join(config.backupDir, backup.attachment));
  if (content === null) return words({ ...backup, attachment: null });
  return { ...words(backup), attachment: { filename: backup.attachment, content } };
}

/** Returns null if the file is missing, unreadable or too large. */
async function archiveBytes(path: string): Promise<Buffer | null> {
  const opened = await openPlainFile(path).catch(() => null);
  if (opened === null) return null;
  try {
    return opened.size > LIMITS.mailedArchiveBytes ? null : await opened.file.readFile();
  } catch {
    return null;
  } finally {
    await opened.file.close();
  }
}

/** `stop` resolves when all work has ended. */
export function startMailSender(parts: MailParts): { stop(): Promise<void> } {
  const lease = new Lease(parts.db, 'mail');
  const stopping = new AbortController();
  let running: Promise<unknown> | null = null;
  const run = () => {
    running ??= sendDueMail(parts, lease, stopping.signal)
      .catch((error: unknown) => {
        if (!(error instanceof LeaseLost)) parts.log.error({ error }, 'sending mail failed');
      })
      .finally(() => {
        running = null;
      });
  };
  const timer = setInterval(run, LOOK_EVERY).unref();
  if (parts.mailer !== null) run();
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running;
      parts.mailer?.close();
    },
  };
}
