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
  /** Name of the other person, provider or setting that the notice is about. */
  readonly about?: string;
  /** Of a sign-in: the means. */
  readonly how?: string;
}

export type Words = Omit<Mail, 'to'>;

export const NOTICES = {
  'new device': said(
    'New sign-in to your account',
    'Somebody signed in to your account, from a browser or program that has not been used for it before.',
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
  'first password set': said(
    'Your account has an account password now',
    'An account password was set for the account, which had none. All other sessions and tokens of the account have ended.',
  ),
  'password removed': said(
    'The password of your account was removed',
    'The account password was removed. From now on only a passkey or a sign-in service signs in to the account. All other sessions and tokens of the account have ended.',
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
  'factor added': said(
    'A second factor was added to your account',
    'An authenticator app or a security key was set up as a second factor of your account.',
  ),
  'factor removed': said(
    'The second factor of your account was removed',
    'The last authenticator app or security key was removed from your account. From now on the account password alone signs in.',
  ),
  'one factor removed': said(
    'A second factor of your account was removed',
    'An authenticator app or a security key was removed from your account, which still has another one. All other sessions of the account have ended.',
  ),
  'factors reset': said(
    'Your second factors were reset',
    'An administrator removed all second factors of your account. All its sessions and tokens have ended. To sign in, you need the account password and the recovery code that the administrator gives you.',
  ),
  'factors of a user reset': said(
    'The second factors of a user were reset',
    'An administrator removed all second factors of a user and got a recovery code to hand over.',
  ),
  'recovery codes made': said(
    'New recovery codes were made for your account',
    'New recovery codes were made for your account. The old ones do not work any more.',
  ),
  'recovery code used': said(
    'A recovery code of your account was used',
    'A recovery code was used as the second factor of your account. It does not work again, unless an administrator gave it to you.',
  ),
  'recovery codes low': said(
    'A recovery code of your account was used: three are left',
    'A recovery code was used as the second factor of your account. Three recovery codes are left. Make new ones on your account page.',
  ),
  'recovery codes gone': said(
    'The last recovery code of your account was used',
    'The last recovery code was used as the second factor of your account. Make new ones on your account page.',
  ),
  'password known': said(
    'Your account password may be known to others',
    'Somebody gave the account password of your account and three wrong codes of the second factor. If this was not you, change the account password.',
  ),
  'account linked': said(
    'Your account was linked to a sign-in service',
    'Your account was linked to a sign-in service, which signs in to it from now on.',
  ),
  'account unlinked': said(
    'A sign-in service was unlinked from your account',
    'The link of your account to a sign-in service was ended, with the sessions that it began.',
  ),
  'break-glass named': said(
    'A break-glass account was named',
    'A site admin may sign in by account password or passkey while these are off for others.',
  ),
  'break-glass ended': said('A break-glass account was ended', 'A site admin is no break-glass account any more.'),
  'break-glass used': said(
    'A break-glass account was used',
    'A break-glass account signed in by account password or passkey while these are off for others.',
  ),
  'local sign-in changed': said(
    'Signing in by account password was changed',
    'An administrator changed whether account passwords and passkeys sign in to the site: allowed, to_link (only to link an account) or off.',
  ),
  'provider changed': said(
    'The settings of a sign-in service were changed',
    'An administrator changed the settings of a sign-in service of the site.',
  ),
  'master password changed': said(
    'Your master password was changed',
    'The master password of your account was changed.',
  ),
  'recovery kit made': said(
    'A recovery kit was made for your account',
    'A new recovery kit was made for your account. It opens your vault if you forget the master password; a former kit opens it no more.',
  ),
  'recovery kit removed': said(
    'The recovery kit of your account was removed',
    'The recovery kit of your account was removed. If you forget the master password, your vault cannot be opened.',
  ),
  'recovery key used': said(
    'Your recovery key was used',
    'Somebody used the recovery key of your account to open the vault and chose a new master password. The recovery kit that was used opens nothing any more.',
  ),
  'keys changed': said(
    'New keys were made for your account',
    'New keys were made for your account, with a new master password. The old keys open nothing that is saved from now on.',
  ),
  'keys reset': said(
    'Your keys were reset',
    'An administrator has reset the keys of your account, because the master password was lost. At your next sign-in you choose a new master password. Then ask the admins of your groups to add you again.',
  ),
  'sign-in passkey added': said(
    'A passkey can sign in to your account now',
    'A passkey was added that signs in to your account without its password and without a second factor.',
  ),
  'sign-in passkey removed': said(
    'A passkey no longer signs in to your account',
    'A passkey that signed in to your account was removed. All other sessions of the account have ended.',
  ),
  'passkey copied': said(
    'A security key may have been copied',
    'A passkey was used whose counter is behind, as that of a copy. The sign-in was refused. Remove the passkey on the account page, and add a new one.',
  ),
  'unlock passkey added': said(
    'A passkey can open your vault now',
    'A passkey was added that opens your vault, in addition to the master password.',
  ),
  'unlock passkey removed': said(
    'A passkey no longer opens your vault',
    'A passkey that opened your vault was removed. Older backups and offline copies still open with it.',
  ),
  'service credential ends': said(
    'A credential of your service account expires soon',
    'A credential of a service account that you own expires within 14 days. Renew it (pb service rotate), or the programs that use it stop working.',
  ),
  'master password used': said(
    'Your master password was used on the server',
    'A program sent your master password to the server for the first time since your keys were made. The server forgets it after each use, but an attacker who controls the server could have kept it. If you did not expect this, change the master password and have your keys renewed.',
  ),
} as const satisfies Record<string, (circumstances: Circumstances) => Words>;

export type Notice = keyof typeof NOTICES;

function said(subject: string, sentence: string): (circumstances: Circumstances) => Words {
  return ({ name, site, at, address, agent, by, about, how }) => ({
    subject: `${subject} (${hostOf(site)})`,
    text: lines(
      `Hello ${name},`,
      '',
      sentence,
      '',
      `Account: ${name} on ${site}`,
      ...(about === undefined ? [] : [`About: ${about}`]),
      ...(how === undefined ? [] : [`Signed in with: ${how}`]),
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
