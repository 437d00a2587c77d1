/** Texts of mails. They contain no secrets except an invitation's link. */
import type { Mail } from '../platform/mailer.ts';

export interface Circumstances {
  readonly name: string;
  /** URL. */
  readonly site: string;
  /** ISO 8601. */
  readonly at: string;
  readonly address: string;
  readonly agent: string;
  /** Absent if the account did it. */
  readonly by?: string;
}

export type Words = Omit<Mail, 'to'>;

export const NOTICES = {
  'new device': said(
    'New sign-in to your account',
    'Somebody signed in to your account with its password, from a browser or program that has not been used for it before.',
  ),
  'email changed': said(
    'Your e-mail address was changed',
    'The e-mail address of your account was changed. Notices about it go to the new address from now on, and only that one signs in.',
  ),
  'email set': said('This is now your e-mail address', 'This is from now on the e-mail address of your account.'),
  'password changed': said(
    'Your account password was changed',
    'The account password was changed. All other sessions and tokens of the account have ended.',
  ),
  'password set': said(
    'Your account password was set by an administrator',
    'An administrator gave your account a new account password. All sessions and tokens of the account have ended. Your master password is unchanged.',
  ),
  'account disabled': said(
    'Your account was disabled',
    'An administrator disabled your account. Nobody can sign in to it, and all its sessions and tokens have ended.',
  ),
  'access ended': said(
    'Your sessions and tokens were ended',
    'An administrator ended all sessions and tokens of your account, and its open invitations. You can still sign in.',
  ),
  'account enabled': said('Your account was enabled', 'An administrator enabled your account. You can sign in again.'),
  'account deleted': said(
    'Your account was deleted',
    'An administrator deleted your account, with its keys and its memberships.',
  ),
  'admin made': said('You are a site administrator now', 'An administrator made you an administrator of the site.'),
  'admin ended': said(
    'You are no longer a site administrator',
    'An administrator removed your rights as an administrator of the site. Your account and your groups stay.',
  ),
  'auditor made': said(
    'You are an auditor of the site now',
    'An administrator made you an auditor: you can read the logs, the lists and the settings of the site, and change nothing of it.',
  ),
  'auditor ended': said(
    'You are no longer an auditor',
    'An administrator removed your rights as an auditor of the site.',
  ),
  'token created': said(
    'A token was created for your account',
    'Somebody who is signed in to your account created a token, with which a program can use it.',
  ),
  'token revoked': said(
    'A token of your account was revoked',
    'An administrator revoked a token of your account. The program that used it has no access any more.',
  ),
  'master password changed': said(
    'Your master password was changed',
    'The master password of your account was changed.',
  ),
  'keys changed': said(
    'New keys were made for your account',
    'New keys were made for your account, with a new master password. The old keys open nothing that is saved from now on.',
  ),
  'keys reset': said(
    'Your keys were reset',
    'An administrator has reset the keys of your account, because the master password was lost. At your next sign-in you choose a new master password. Then ask the admins of your groups to add you again.',
  ),
  'master password used': said(
    'Your master password was used on the server',
    'A program sent your master password to the server for the first time since your keys were made. The server forgets it after each use, but an attacker who controls the server could have kept it. If you did not expect this, change the master password and have your keys renewed.',
  ),
} as const satisfies Record<string, (circumstances: Circumstances) => Words>;

export type Notice = keyof typeof NOTICES;

function said(subject: string, sentence: string): (circumstances: Circumstances) => Words {
  return ({ name, site, at, address, agent, by }) => ({
    subject: `${subject} (${hostOf(site)})`,
    text: lines(
      `Hello ${name},`,
      '',
      sentence,
      '',
      `Account: ${name} on ${site}`,
      ...(by === undefined ? [] : [`Done by: ${by}`]),
      `Time: ${at}`,
      `Address: ${address}`,
      ...(agent === '' ? [] : [`Program: ${agent}`]),
      '',
      by === undefined
        ? 'If this was not you, change your account password now and tell the administrator of the site.'
        : 'If you did not expect this, ask the administrators of the site.',
    ),
  });
}

export const testMailWords = ({ name, site, at }: Pick<Circumstances, 'name' | 'site' | 'at'>): Words => ({
  subject: `Test mail (${hostOf(site)})`,
  text: lines(`Hello ${name},`, '', `this is the test mail that you asked for at ${at}. Mail from ${site} arrives.`),
});

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

export interface Invitation {
  readonly site: string;
  readonly link: string;
  readonly invitedBy: string;
  /** Null if the person may choose. */
  readonly username: string | null;
  readonly expiresAt: string;
}

export function invitationText({ site, link, invitedBy, username, expiresAt }: Invitation): Words {
  return {
    subject: `You are invited to ${hostOf(site)}`,
    text: lines(
      `Hello${username === null ? '' : ` ${username}`},`,
      '',
      `${invitedBy} invites you to the passwords of the team on ${site}. Open this link to make your account:`,
      '',
      link,
      '',
      `The link works once, until ${expiresAt}. Anyone who has it can make the account: do not pass it on.`,
      'If you do not expect this invitation, you can ignore it.',
    ),
  };
}

export const hostOf = (site: string) => new URL(site).host;
/** Control characters in user input must not start new lines. */
export const lines = (...texts: readonly string[]) =>
  `${texts.map((text) => text.replaceAll(/\p{Cc}/gu, ' ')).join('\n')}\n`;
