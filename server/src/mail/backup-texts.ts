/** Texts of mails about backups. */
import { hostOf, lines, type Words } from './texts.ts';

export interface BackupMail {
  readonly site: string;
  readonly at: string;
  readonly fileName: string;
  /** Bytes; null without an archive. */
  readonly size: number | null;
  readonly isEncrypted: boolean;
  readonly reason: string | null;
  /** File name; null if none is attached. */
  readonly attachment: string | null;
}

export const BACKUP_NOTICES = {
  'backup made': ({ site, at, fileName, size, isEncrypted, attachment }) => ({
    subject: `A backup was made (${hostOf(site)})`,
    text: lines(
      `A backup of ${site} was made. A test restore of it worked.`,
      '',
      `File: ${fileName}`,
      `Size: ${size ?? 0} bytes`,
      `Time: ${at}`,
      '',
      attachmentSentence(isEncrypted, attachment),
    ),
  }),
  'backup failed': ({ site, at, reason }) => ({
    subject: `A backup could not be made (${hostOf(site)})`,
    text: lines(
      `A backup of ${site} could not be made. Backups made before are untouched.`,
      '',
      `Reason: ${reason ?? 'unknown'}`,
      `Time: ${at}`,
      '',
      'The backup page of the site says more.',
    ),
  }),
} as const satisfies Record<string, (backup: BackupMail) => Words>;

export type BackupNotice = keyof typeof BACKUP_NOTICES;

/** Members of the working part are null. */
export interface BackupWarning {
  readonly site: string;
  readonly at: string;
  /** ISO 8601, or 'never'. */
  readonly lastBackupAt: string | null;
  readonly lastCopyAt: string | null;
  readonly copyError: string | null;
}

export const BACKUP_OVERDUE = 'backup overdue';

export function backupWarningText({ site, at, lastBackupAt, lastCopyAt, copyError }: BackupWarning): Words {
  const backup =
    lastBackupAt === null ? [] : ['No backup has succeeded for a day.', `Last successful backup: ${lastBackupAt}`, ''];
  const copy =
    lastCopyAt === null
      ? []
      : [
          'No backup has been copied to the second target for a day.',
          `Last copy: ${lastCopyAt}`,
          ...(copyError === null ? [] : [`Reason: ${copyError}`]),
          '',
        ];
  return {
    subject: `Backups need your attention (${hostOf(site)})`,
    text: lines(
      `Backups of ${site} need your attention.`,
      '',
      ...backup,
      ...copy,
      `Time: ${at}`,
      '',
      'The backup page of the site says more. You get this mail once a day until it is solved, as a site admin.',
    ),
  };
}

function attachmentSentence(isEncrypted: boolean, attachment: string | null): string {
  if (attachment !== null)
    return 'The archive is attached. To open it, use the archive password that was set when it was made.';
  return isEncrypted
    ? 'The archive is too large for a mail: download it on the backup page of the site.'
    : 'The archive is not encrypted and so is not sent: download it on the backup page of the site.';
}
