/** Messages for refusals that depend on the server's state. */
import { formatFileSize } from '@passwordbroker/core/domain/fields/file-size';

export const SERVER_TEXTS = {
  malformed: 'The request is malformed',
  masterPasswordUnexpected: 'The master password is not expected.',
  noKeys: 'The account has no keys yet',
  proofMissing: 'This group’s list of members has key proofs, which your program does not make. Reload or update it.',
  recordMissing: 'New keys need a trust record, which your program does not make. Reload or update it.',
  signingUp: 'Somebody else was signing up at this moment. Try again.',
  keysChanged: 'The keys have been changed meanwhile',
  masterPasswordChanged: 'The master password has been changed meanwhile',
  passwordIncorrect: 'Password is incorrect',
  notAdminBelow: (count: number) => `You are not an admin of ${count} group(s) below this one`,
  onlyAdmin: (count: number) => `The user is the only admin of ${count} group(s)`,
  lastSiteAdmin: 'The last site administrator cannot be demoted',
  tokenTooLong: (days: number) => `A token lives ${days} day(s) at most on this site.`,
  adminIsNoAuditor: 'A site administrator sees all that an auditor sees. Remove the site administrator first.',
  notOffboardYourself: 'You cannot offboard yourself. Another site administrator has to do it.',
  notYourself: 'You cannot disable your own account',
  tooDeep: (depth: number) => `Groups can be nested ${depth} deep`,
  notInGroup: 'The entry does not belong to this entry group.',
  attachmentTooLarge: (mib: number) =>
    `An attachment is larger than this site allows (${formatFileSize(mib * 1024 * 1024)}).`,
  tooManyElements: 'The file could not be read: too many elements.',
  importChanged: 'The import has been changed by others',
  placeInTrash: 'The place it belongs to is in the trash',
  movedElsewhere: 'These entries would go elsewhere',
  moveGroupsMissing:
    'Taking back a move needs the two groups of the move, which your program does not send. Reload or update it.',
  changedSince: 'It has been changed since',
  trashChanged: (items: number) => `The trash has changed: it holds ${items} deletion(s) now. Look again.`,
  addressNotAdmitted: (address: string) =>
    `Signing in from your network (${address}) is not allowed on this site. Ask an administrator.`,
  noNetworks: 'Write addresses or ranges, such as 192.0.2.7, 10.0.0.0/8 or 2001:db8::/32, with commas between.',
  networksWithoutYou: (address: string) =>
    `Your own address, ${address}, is not in this list, so it would lock you out. Add it first.`,
  unclaimed: (url: string) =>
    `Nobody has signed up here yet: until then this server answers only at ${url} and on its own machine. Set PUBLIC_URL to the address that people type.`,
  diskNearlyFull:
    'The disk of the server is nearly full. You can read, delete and purge; nothing can be added until there is room.',
  diskFull: 'The disk of the server is full. What is left is for site admins: one of them has to make room.',
  noRoomFor: (bytes: number) =>
    `The disk of the server has no room for this (${formatFileSize(bytes)}). A site admin has to make room.`,
  vaultDiskLow:
    'The disk of DATA_DIR is nearly full: content is read-only until there is room. Purge the trash, delete old backups or enlarge the disk.',
  workDiskLow:
    'The disk of DATA_DIR is nearly full: backups and recoveries are refused until there is room. Delete old backups or enlarge the disk.',
  personQuota: (limit: number, used: number, added: number) =>
    `You may store ${formatFileSize(limit)}. ${formatFileSize(used)} are in use, older versions and the trash included, and this needs ${formatFileSize(added)}. Purge what you do not need, or ask a site admin for more.`,
  siteQuota: (limit: number, used: number, added: number) =>
    `This site may store ${formatFileSize(limit)}. ${formatFileSize(used)} are in use, and this needs ${formatFileSize(added)}. Ask a site admin for more.`,
  noMailServer: 'No mail server is set (SMTP_URL).',
  backupInterrupted: 'The server stopped while the backup was made.',
} as const;
