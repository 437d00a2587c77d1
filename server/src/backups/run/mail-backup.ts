/** Mail about backups, where the site admin wants it: the archive itself only when it is encrypted and small (docs/spec/threats.md §3.1.34). */
import { LIMITS } from '@passwordbroker/core/domain/limits';
import type { Transact } from '../../db/database.ts';
import type { Deps } from '../../http/context.ts';
import { insertMail } from '../../mail/outbox-repository.ts';
import type { BackupMail } from '../../mail/texts.ts';
import type { BackupRow } from '../backup-repository.ts';
import type { SettingsRow } from '../settings-repository.ts';

/** Part of the act that ends the backup. Does nothing where no mail is configured or wanted. */
export async function tellByMail(
  tx: Transact,
  deps: Pick<Deps, 'noticesFrom' | 'newId' | 'clock'>,
  settings: Pick<SettingsRow, 'email' | 'email_enabled'>,
  row: BackupRow,
): Promise<void> {
  const { email, email_enabled: isWanted } = settings;
  if (deps.noticesFrom === null || isWanted === 0 || email === null) return;
  const now = deps.clock.now();
  const isMade = row.state === 'created';
  const isSent = isMade && row.has_password === 1 && (row.size ?? 0) <= LIMITS.mailedArchiveBytes;
  const details: BackupMail = {
    site: deps.noticesFrom,
    at: new Date(now).toISOString(),
    fileName: row.file_name,
    size: row.size,
    isEncrypted: row.has_password === 1,
    reason: row.error_message,
    attachment: isSent ? row.file_name : null,
  };
  await insertMail(tx, {
    mail_id: deps.newId(),
    notice: isMade ? 'backup made' : 'backup failed',
    recipient: email,
    details: JSON.stringify(details),
    created_at: now,
    due_at: now,
    attempts: 0,
  });
}
