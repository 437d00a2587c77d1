import type { MasterPasswordState } from '../master-password/states.ts';

/** The tooltips' spelling is part of the product (specification §4). */
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
  onlyWhenNone: 'Asked only when none is remembered.',
  cancel: 'Cancel',
  remember: 'Remember',
  unlocking: 'Unlocking',
  locked: 'Vault locked',
} as const;
