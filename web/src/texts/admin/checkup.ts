import { catalogue } from '@passwordbroker/core/texts';
import type { CheckupPointName, CheckupReason } from '@passwordbroker/core/contract/site/checkup';

interface PointTexts {
  readonly title: string;
  /** What holds in the state `good`. */
  readonly good: string;
  /** Why it should be changed. Absent if the server sends a reason. */
  readonly why?: string;
}

const POINTS: Readonly<Record<CheckupPointName, PointTexts>> = {
  strict_passwords: {
    title: 'Weak passwords',
    good: 'Passwords that are easy to guess are refused.',
    why: 'A password that is easy to guess opens everything that its owner may see. People who have one are asked to change it; nobody is locked out.',
  },
  server_crypto: {
    title: 'Server-side decryption',
    good: 'The server never gets a master password.',
    why: 'While it is allowed, programs can send master passwords to the server. An attacker who controls the server could keep them. This website does not need it.',
  },
  second_factor: {
    title: 'Second factor',
    good: 'Everyone has to sign in with a second factor.',
    why: 'Without a second factor, a stolen account password is enough to sign in. Decide in the settings who needs one, and from when on.',
  },
  recovery_kit: {
    title: 'Recovery kits',
    good: 'Everyone is asked to make a recovery kit.',
    why: 'People who forget their master password and have no recovery kit cannot open their secrets again. They are asked to make one after unlocking.',
  },
  https: {
    title: 'HTTPS',
    good: 'People reach this site over HTTPS, and the proxy reports the address of each visitor.',
  },
  mail: { title: 'Mail', good: 'The mail server accepted the last test mail.' },
  backup_schedule: { title: 'Backups', good: 'Backups are made by the schedule.' },
  backup_password: {
    title: 'Archive password',
    good: 'New backups are encrypted with the archive password.',
    why: 'Without one, anybody who gets a backup file can read titles, logins and names in it.',
  },
  backup_copy: { title: 'Second place for backups', good: 'Each backup is copied to the second target.' },
  person_quota: {
    title: 'Storage per person',
    good: 'One person alone cannot fill the disk.',
    why: 'Without a limit one person can fill the disk, and then nobody can add anything.',
  },
  log_kept: {
    title: 'Audit log',
    good: 'The log is kept for a year or longer.',
    why: 'Many incidents are found after months. The log should still show what happened then.',
  },
};

const REASONS: Readonly<Record<CheckupReason, string>> = {
  plain_http:
    'Without HTTPS, anyone between you and the server can read and change what is sent. Put a proxy with TLS in front of the server, set PUBLIC_URL and TRUST_PROXY, and restart it.',
  proxy_unnamed:
    'TRUST_PROXY is none: everybody seems to come from one address and shares one limit on failed sign-ins. Set it to the address of the proxy and restart the server.',
  proxy_unseen:
    'This request did not come through the proxy of TRUST_PROXY, or the proxy sends no X-Forwarded-For. Limits and the log need the real address of each visitor.',
  no_mail_server:
    'Mails tell people about new sign-ins and changes to their accounts. Set SMTP_URL and restart the server.',
  mail_untried: 'A mail server is set. Send yourself a test mail to see that it works.',
  backups_off: 'Without backups, everything is lost if the disk breaks. One backup a night is a good start.',
  backups_overdue: 'No backup has succeeded for a day.',
  no_second_target:
    'If the disk breaks, the backups on it are lost too. Set BACKUP_COPY to a folder on another disk or to an S3-compatible store, and restart the server.',
  copies_overdue: 'No backup has been copied to the second target for a day.',
};

export const CHECKUP_TEXTS = catalogue('checkup', {
  page: 'Site checkup',
  hint: 'What makes this site safer, and why. Each point can stay as it is if you have a reason.',
  loading: 'Checking the site',
  failed: 'The checkup could not be loaded.',
  points: POINTS,
  reasons: REASONS,
  open: (count: number) =>
    count === 0 ? 'Nothing is open' : count === 1 ? '1 point is open' : `${count} points are open`,
  menu: (count: number) => (count === 1 ? '1 open point' : `${count} open points`),
  states: { open: 'Open', good: 'Done', kept: 'Kept as it is' },
  fixes: {
    strict_passwords: 'Refuse weak passwords',
    server_crypto: 'Switch it off',
    recovery_kit: 'Ask everyone for one',
    person_quota: 'Allow 5.37 GB per person',
    log_kept: 'Keep it for 12 months',
    backups_off: 'Back up every night',
    mail_untried: 'Send a test mail',
  },
  links: { backups: 'Open backups', settings: 'Open settings', withoutFactor: 'Show people without one' },
  keep: 'Keep as it is',
  reopen: 'Open again',
  busy: 'Saving',
  sending: 'Sending',
  done: (title: string) => `${title}: done`,
  keptDone: (title: string) => `${title}: kept as it is`,
  reopened: (title: string) => `${title}: open again`,
  mailSent: (to: string) => `The mail server accepted a test mail to ${to}`,
  mailFailed: 'The test mail was not sent:',
});
