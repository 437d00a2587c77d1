/** Messages for refusals that depend on the server's state. */
import { formatFileSize } from '@passwordbroker/core/domain/fields/file-size';

const groups = (count: number) => (count === 1 ? '1 group' : `${count} groups`);

export const SERVER_TEXTS = {
  malformed: 'The server did not understand this. Reload the page and try again.',
  masterPasswordUnexpected: 'The master password is not expected.',
  noKeys: 'The account has no keys yet. Unlock the vault once to make them.',
  proofMissing: 'This page or program is too old to change this group. Reload the page, or update the program.',
  recordMissing: 'This page or program is too old to make new keys. Reload the page, or update the program.',
  signingUp: 'Someone else signed up at the same moment. Try again.',
  keysChanged: 'The keys were changed in the meantime. Reload the page and try again.',
  masterPasswordChanged: 'The master password was changed in the meantime. Reload the page and try again.',
  passkeysNeedHost: 'Passkeys need a host name, and HTTPS beyond this machine.',
  passkeyUnlockOff: 'On this site, passkeys do not open the vault.',
  passkeySignInOff: 'On this site, passkeys do not sign in.',
  passkeysApart: 'This site keeps the two apart: use another passkey',
  passkeyRefused: 'This passkey cannot sign in here.',
  passkeyOnlyFactor: 'This passkey is a security key: sign in with your password first, then use it.',
  passkeyOnlyUnlocks: 'This passkey opens the vault after you have signed in. It does not sign in.',
  tooManyPasskeys: 'At most 20 passkeys',
  tooManyUnlockPasskeys: 'At most 10 passkeys can open the vault',
  passkeyNotAccepted: 'The passkey was not accepted',
  passkeyRegistered: 'This passkey is registered already',
  passkeyCannotUnlock: 'This passkey cannot open a vault',
  passwordIncorrect: 'Password is incorrect',
  codeMissing: 'The code is required.',
  codeWrong: 'The code is not right',
  recoveryCodeWrong: 'The recovery code is not right, or was used',
  firstCodeWrong: 'The code is not right. Look at the clock of your phone.',
  factorsOff: 'Second factors are switched off on this site',
  factorRequired: 'This site asks for a second factor. Add another one first.',
  factorFirst: 'Set up a second factor first',
  ownFactorFirst: 'Set up your own second factor first',
  notOwnFactors: 'You cannot reset your own second factors',
  linkFirst: 'Link your account first',
  passwordFirst: 'Give the account a password first',
  providerAway: (name: string) => `${name} does not answer.`,
  ssoFailed: (name: string) => `The sign-in at ${name} did not succeed.`,
  ssoFailedSomewhere: 'The sign-in did not succeed. Begin again.',
  ssoDenied: (name: string) => `You did not sign in at ${name}.`,
  ssoNotAgain: (name: string) => `${name} did not ask you to sign in again.`,
  ssoOtherPerson: (name: string) =>
    `You signed in at ${name} as another person. Use the sign-in that your account is linked to.`,
  ssoNotLinked: 'An account with this address exists. Sign in to it as before, once, to link the two.',
  ssoNoAccount: 'You have no account here. Ask an administrator for an invitation.',
  ssoNoEmail: (name: string) => `${name} did not name your address. Ask an administrator for an invitation.`,
  ssoDomain: 'Accounts of your domain are not admitted.',
  ssoGroup: 'You are not in a group that may sign in.',
  ssoNoGroups: 'Your groups did not come with the sign-in.',
  ssoUnverified: (name: string) => `${name} has not confirmed your address.`,
  ssoOtherInvite: 'The invitation is for another address.',
  ssoTaken: 'This sign-in belongs to another account',
  ssoLinkedAlready: (name: string) => `Your account is linked to another sign-in at ${name}`,
  ssoOnlyWay: 'It is your only way to sign in',
  signInWith: (names: string) => `Sign in with ${names}.`,
  offNeedsProvider: 'Sign in with a provider first: then you know that it works.',
  offNeedsBreakGlass: 'Name a break-glass account first.',
  offNeedsNumber: (count: number) =>
    `${count === 1 ? '1 account is' : `${count} accounts are`} not linked and cannot sign in then. Confirm this number.`,
  breakGlassNeeds: 'It needs a site admin with a password and an authenticator app or recovery codes',
  lastProvider: 'Allow local sign-in first: this is the last way to sign in',
  lastBreakGlass: 'The last break-glass account stays while local sign-in is off',
  providerFixed: 'This is set by the environment of the server.',
  providerCreates: 'Say which domains or groups may have accounts.',
  providerFactors: 'Say in accepted_acr or accepted_amr which second factors of the provider count.',
  providerNoKeys: 'The provider publishes no keys.',
  providerAuth: (name: string) => `The provider does not accept ${name}.`,
  providerAlgorithm: (name: string) => `The provider does not sign with ${name}.`,
  providerUnusable: (reason: string) => `The provider cannot be used (${reason}).`,
  accountDisabled: 'Your account is disabled.',
  notAdminBelow: (count: number) =>
    `You are not an admin of ${groups(count)} below this one. Ask the admins there to delete or move ${count === 1 ? 'it' : 'them'} first.`,
  onlyAdmin: (count: number) => `This person is the only admin of ${groups(count)}.`,
  lastSiteAdmin: 'This is the last site admin. Make someone else a site admin first.',
  tokenTooLong: (days: number) =>
    `On this site, a token is valid for ${days === 1 ? '1 day' : `${days} days`} at most.`,
  adminIsNoAuditor:
    'A site admin sees everything that an auditor sees. To make this person an auditor, remove the site admin role first.',
  notOffboardYourself: 'You cannot offboard yourself. Ask another site admin to do it.',
  notYourself: 'You cannot disable your own account',
  tooDeep: (depth: number) => `This would put more than ${depth} groups inside each other. Choose a group higher up.`,
  notInGroup: 'The entry does not belong to this entry group.',
  attachmentTooLarge: (mib: number) =>
    `An attachment is larger than this site allows (${formatFileSize(mib * 1024 * 1024)}).`,
  tooManyElements: 'The file could not be read: it is too large. Export your data in smaller parts.',
  importChanged: 'Someone else has changed what was imported. Delete the imported tree if you do not need it.',
  placeInTrash: 'The group or entry that it was in is in the trash too. Restore that first.',
  movedElsewhere: 'The entries would go to a different group. Reload the page and try again.',
  moveGroupsMissing: 'This page or program is too old to undo a move. Reload the page, or update the program.',
  changedSince: 'It was changed again in the meantime',
  trashChanged: (items: number) =>
    `The trash has changed: it has ${items === 1 ? '1 deleted item' : `${items} deleted items`} now. Check it again.`,
  addressNotAdmitted: (address: string) =>
    `Signing in from your network (${address}) is not allowed on this site. Ask an administrator.`,
  noNetworks: 'Write addresses or ranges, such as 192.0.2.7, 10.0.0.0/8 or 2001:db8::/32, with commas between.',
  networksWithoutYou: (address: string) =>
    `Your own address, ${address}, is not in this list, so it would lock you out. Add it first.`,
  unclaimed: (url: string) =>
    `This server has no users yet. Open it at ${url} to sign up. If that is not its address, set PUBLIC_URL and restart it.`,
  diskNearlyFull:
    'The disk of the server is nearly full. You can read and delete, but not add anything. Ask a site admin to make room.',
  diskFull: 'The disk of the server is full. Ask a site admin to make room.',
  noRoomFor: (bytes: number) =>
    `The disk of the server has no room for this (${formatFileSize(bytes)}). Ask a site admin to make room.`,
  vaultDiskLow:
    'The disk of DATA_DIR is nearly full: people can read, but not add anything. Empty the trash, delete old backups or enlarge the disk.',
  workDiskLow:
    'The disk of DATA_DIR is nearly full: backups and recoveries are refused until there is room. Delete old backups or enlarge the disk.',
  personQuota: (limit: number, used: number, added: number) =>
    `You have used ${formatFileSize(used)} of ${formatFileSize(limit)}, and this needs ${formatFileSize(added)}. Older versions and the trash count too. Empty the trash, or ask a site admin for more.`,
  siteQuota: (limit: number, used: number, added: number) =>
    `This site has used ${formatFileSize(used)} of ${formatFileSize(limit)}, and this needs ${formatFileSize(added)}. Ask a site admin for more.`,
  kitRequired: 'This site asks for a recovery kit. Make a new one instead.',
  noMailServer: 'No mail server is set (SMTP_URL).',
  backupInterrupted: 'The server stopped while the backup was made.',
} as const;
