import type { MasterPasswordState } from '../master-password/states.ts';

/** Spelled as in docs/spec/product.md §4. */
const TOOLTIPS: Readonly<Record<MasterPasswordState, string>> = {
  'not entered': 'Master Pasword not entered',
  'in-entry': 'Master Pasword not entered',
  entered: 'Master Pasword entered',
  validated: 'Master Pasword validated',
  incorrect: 'Master Pasword is incorrect',
};

export const MASTER_PASSWORD_TEXTS = {
  tooltips: TOOLTIPS,
  invalid: 'MasterPassword is invalid',
  missing: 'MasterPassword is missing',
  title: 'Master password',
  label: 'Master password',
  /** `action` begins with a verb: 'show the value of “Root account”'. */
  neededTo: (action: string) => `Needed to ${action}.`,
  neededLater: 'Opens your secrets on this device.',
  hint: 'Remembered for this session. Cleared when you log out.',
  hintAfterRefusal: 'Not the password that you log in with. Look at Caps Lock and the keyboard layout.',
  cancel: 'Cancel',
  remember: 'Remember',
  unlocking: 'Unlocking',
  locked: 'Vault locked',
  menu: 'Master password menu',
  lockNow: 'Lock now',
  changeMaster: 'Change master password',
  ownKey: 'Your key words',
  compareBrowsers: 'Compare browsers',
  habits: (minutes: number) =>
    `Locks after ${minutes === 1 ? 'one minute' : `${minutes} minutes`} without you. A copied secret leaves the clipboard after a minute; programs that keep a history of the clipboard keep it.`,
  change: {
    title: 'Change master password',
    subtitle: 'Your keys get a new lock. No value is encrypted anew.',
    old: 'Old master password',
    next: 'New master password',
    confirmation: 'New master password confirmation',
    hint: 'Nobody can restore it for you. Backups made before still open with the old one.',
    submit: 'Change',
    changing: 'Changing',
    continueAnyway: 'Continue despite warnings',
    goBack: 'Go back and change it',
    steps: {
      checking: 'Checking',
      trying: 'Trying the old master password',
      locking: 'Locking your keys with the new one',
      storing: 'Storing the new lock',
    },
    error: (text: string) => `Error: ${text}`,
    warning: (text: string) => `Warning ${text}`,
    unusable: {
      empty: 'Master Password is empty',
      long: 'Master Password is longer than 1024 bytes',
      broken: 'Master Password contains half of a character',
    },
    mismatch: 'Master Password Confirmation mismatch to Master Password',
    weak: 'Master Password is easy to guess',
    unchanged: 'Master Password is identical to the old one',
    changed: 'Master password changed',
    changedElsewhere: 'The master password was changed on another device meanwhile. Try again with that one.',
    lockedMeanwhile: 'The vault was locked meanwhile. Try again.',
    damaged: 'Your stored keys are damaged. The master password was not changed.',
    uncertain:
      'The connection broke before the server confirmed it. Either the old or the new master password opens your keys now.',
    notStored:
      'The server said that it has stored the new lock, but gives out the former one. Your old master password still opens your keys. Tell who runs this server.',
    failed: 'The master password was not changed',
  },
} as const;
