import { catalogue } from '@passwordbroker/core/texts';
import type { MasterPasswordState } from '../master-password/states.ts';

/** Spelled as in docs/spec/product.md §4. */
const TOOLTIPS: Readonly<Record<MasterPasswordState, string>> = {
  'not entered': 'Master Pasword not entered',
  'in-entry': 'Master Pasword not entered',
  entered: 'Master Pasword entered',
  validated: 'Master Pasword validated',
  incorrect: 'Master Pasword is incorrect',
};

export const MASTER_PASSWORD_TEXTS = catalogue('masterPassword', {
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
  usePasskey: 'Use a passkey',
  waitingForPasskey: 'Waiting for your passkey',
  passkeyNotStored:
    'The server said that it saved this, but it does not send it. The passkey does not open your vault. Tell the people who run this server.',
  locked: 'Vault locked',
  menu: 'Master password menu',
  lockNow: 'Lock now',
  changeMaster: 'Change master password',
  ownKey: 'Your key words',
  compareBrowsers: 'Compare browsers',
  habits: (minutes: number) =>
    `Locks after ${minutes === 1 ? 'one minute' : `${minutes} minutes`} without activity. A copied secret is removed from the clipboard within a minute, but programs that keep a clipboard history may still have it.`,
  change: {
    title: 'Change master password',
    subtitle: 'Your keys are encrypted with the new master password. Your secrets stay as they are.',
    old: 'Old master password',
    next: 'New master password',
    confirmation: 'New master password confirmation',
    hint: 'Nobody can restore it for you. Older backups still open with the old one.',
    submit: 'Change',
    changing: 'Changing',
    continueAnyway: 'Continue despite warnings',
    goBack: 'Go back and change it',
    steps: {
      checking: 'Checking',
      trying: 'Trying the old master password',
      locking: 'Encrypting your keys with the new one',
      storing: 'Saving your keys',
    },
    error: (text: string) => `Error: ${text}`,
    warning: (text: string) => `Warning ${text}`,
    unusable: {
      empty: 'Master Password is empty',
      long: 'Master Password is too long',
      broken: 'Master Password contains a character that cannot be used',
    },
    mismatch: 'Master Password Confirmation mismatch to Master Password',
    weak: 'Master Password is easy to guess',
    unchanged: 'Master Password is identical to the old one',
    changed: 'Master password changed',
    changedElsewhere:
      'The master password has just been changed on another device. Try again, with that one as the old master password.',
    lockedMeanwhile: 'The vault was locked before this was finished. Try again.',
    damaged: 'Your stored keys are damaged. The master password was not changed.',
    uncertain:
      'The connection was lost before the server confirmed the change. Your keys open with either the old or the new master password: try both.',
    notStored:
      'The server said that it saved the change, but it still sends your keys as they were. Your old master password still opens them. Tell the people who run this server.',
    failed: 'The master password was not changed',
  },
});
