/**
 * Texts of the local copy and of working offline. Those of the activity log and the states are the
 * specification's (docs/spec/product.md §4, §8).
 */
import { CONNECTION_TEXTS } from '@passwordbroker/client/texts/connection';

export const OFFLINE_TEXTS = {
  title: 'Offline database',
  notOffline: CONNECTION_TEXTS.offline,
  enable: 'Enable offline mode',
  stayOffline: 'Offline mode can be switched off once the database is online.',
  enableAct: 'make a local copy',
  switchAct: 'switch to offline',
  needsUnlock: 'Unlock the vault: the copy is made and checked with your keys.',
  parts: { key: 'Key', database: 'Database', salt: 'Salt' },
  switchToOffline: 'Switch to offline',
  switching: 'Switching to offline',
  switchToOnline: 'Switch to online',
  switchingOnline: 'Switching to online',
  whenReady: 'Ready only when all three are synchronized.',
  readyHint: 'You then work from the local copy, also without any network.',
  forbidden: 'The administrators of this site do not allow offline copies.',
  what: 'Keeps a sealed copy of your vault on this device, so that it opens without the server.',
  release:
    'The copy is a release of everything in it: whatever you may read now is on this device, sealed with your keys. What you show, copy or save from it later is not witnessed by the server.',
  copyOf: (time: string) => `Local copy from ${time}`,
  noCopy: 'There is no local copy yet.',
  downloading: 'Downloading the copy',
  waiting: 'The server prepares the copy. An import that is being stored comes first.',
  preparing: 'Preparing the copy',
  wiping: 'Removing the copy',
  failed: (reason: string) => `The copy could not be updated. ${reason}`,
  files: 'Files in the copy',
  filesHint: 'Larger files need the server.',
  filesForbidden: 'The administrators of this site keep files out of offline copies.',
  fileChoices: {
    none: 'No files',
    upTo: (size: string) => `Up to ${size} each`,
  },
  lasting: 'This browser keeps the copy until it is removed.',
  notLasting:
    'This browser may delete the copy when it runs out of room. Most browsers keep it for good once the client is installed as an app.',
  keep: 'Keep the copy when I log out',
  keepHint: 'It stays sealed; your master password opens it without the server.',
  disableTitle: 'Remove the local copy?',
  disableText: 'Offline mode is switched off on this device, and the copy on it is deleted.',
  disable: 'Remove the copy',
  disabling: 'Removing',
  cancel: 'Cancel',
  banner: 'Database is offline.',
  bannerText: (time: string, age: string) =>
    `You are reading the local copy from ${time} (${age}). Sharing and all changes are paused.`,
  bannerUnknown: 'You are reading the local copy. Sharing and all changes are paused.',
  oldCopy: 'It is more than a week old: what changed since is missing, and a copy is deleted after 30 days.',
  locked: 'The local copy is locked',
  lockedHint: 'Your master password opens it on this device.',
  unlock: 'Unlock',
  needsServer: 'This page needs the server',
  updated: 'Offline Database is updated',
  updateError: (reason: string) => `Offline Database update error: ${reason}`,
  switchingTo: 'Switching database to offline mode',
  switched: 'Database switched to offline mode',
  switchingError: (reason: string) => `Database switching error: ${reason}`,
  switchedOnline: 'Database switched to online mode',
  ready: 'Offline DB updated',
  notReady: (reason: string) => `Offline DB update failed ${reason}`,
  serverAway: (host: string) => `Cannot establish connection with ${host}`,
} as const;

/**
 * Texts of signing in with the local copy while the server is unreachable, and of going back
 * online.
 */
export const OFFLINE_LOGIN_TEXTS = {
  page: 'Work offline',
  sideTitle: 'The server does not answer',
  sideText:
    'This device has a sealed copy of your vault. Your master password opens it here, without the server; changes and sharing wait until the server is back.',
  away: (host: string) => `Cannot establish connection with ${host}`,
  copy: 'Local copy',
  masterPassword: 'Master password',
  masterPasswordHint: 'Not the password that you log in with.',
  missing: 'Master Password is empty',
  invalid: 'MasterPassword is invalid',
  unusable:
    'The local copy cannot be used: it is damaged or belongs to another version. Log in when the server is back.',
  open: 'Open the local copy',
  opening: 'Opening the local copy',
  tryAgain: 'Try the server again',
  trying: 'Trying',
  copyFrom: (time: string) => `Copy from ${time}`,
  expired: (name: string, email: string) =>
    `The local copy of ${name} (${email}) on this device was deleted: it was not synchronized for 30 days. Log in, and it is made anew.`,
  logout: 'Logout',
  sideLogout: 'Before you log out',
  sideLogoutText: 'The session ends and your keys are dropped from this page in any case.',
  keepQuestion: 'This device has a local copy of your vault',
  keepText:
    'Without it nobody can open your vault on this device while the server is away. With it whoever has this device and your master password can.',
  keepCopy: 'Keep the local copy on this device',
} as const;
