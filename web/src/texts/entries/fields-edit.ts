import type { FieldType } from '@passwordbroker/core/domain/fields/field-kinds';
import { FIELD_TEXTS } from './fields.ts';

/** Strings of the specification are literal. */
export const RECORD_TEXTS = {
  edit: (title: string) => `Edit ${title}`,
  remove: (title: string) => `Delete ${title}`,
  menu: (title: string) => `Actions for ${title}`,
  /** In a menu that names the field already. */
  menuItems: { history: 'History', edit: 'Edit', remove: 'Delete' },
} as const;

export const EDIT_FIELD_TEXTS = {
  title: 'Edit field',
  within: (type: FieldType, entry: string) => `${FIELD_TEXTS.kinds[type]} in ${entry}`,
  save: 'Save',
  saving: 'Saving',
  cancel: 'Cancel',
  open: (title: string) => `edit “${title}”`,
  write: (title: string) => `save “${title}”`,
  updated: (title: string) => `Field "${title}" updated`,
  gone: 'This field was deleted or moved meanwhile.',
  locked: 'The vault was locked while you were editing; what was typed is gone.',
  generate: 'Generate a new one',
  keepPassword: 'Keep the present one',
  fileKept: 'It is kept unless you choose another one.',
} as const;

export const CONFLICT_TEXTS = {
  notice:
    'Somebody changed this field while you were editing it. Nothing was overwritten: choose which one is to stay.',
  kept: 'If you save yours, theirs stays in the history.',
  table: 'Both versions',
  what: 'Part',
  theirs: (name: string, time: string) => `Saved by ${name}, ${time}`,
  somebody: 'somebody',
  yours: 'Yours, not saved',
  longTheirs: 'What was saved',
  longYours: 'What you wrote',
  differs: 'differs',
  rows: { title: 'Title', login: 'Login', value: 'Value', totp: 'Code', file: 'File' },
  storedFile: 'the file that is stored',
  show: 'Show values',
  hide: 'Hide values',
  masked: 'Hidden value',
  back: 'Back to editing',
  keepTheirs: 'Keep theirs',
  saveMine: 'Save mine',
} as const;

export const REMOVE_FIELD_TEXTS = {
  title: (title: string) => `Delete field ${title}?`,
  text: (entry: string) =>
    `Deletes the field with its value and its history from ${entry}, for everybody in the group. Until the trash is emptied, it can be restored.`,
  cancel: 'Cancel',
  confirm: 'Delete field',
  confirming: 'Deleting',
  action: (title: string) => `delete “${title}”`,
  deleted: (title: string) => `Field "${title}" deleted`,
  restored: (title: string) => `Field "${title}" restored`,
} as const;

export const QR_TEXTS = {
  choose: 'Read a QR image',
  reading: 'Reading the image',
  hint: 'A QR image can be pasted here, too. It stays in this browser.',
  input: 'QR image',
  notAnImage: 'This file is not an image that this browser can read.',
  none: 'No QR code was found in this image.',
  notTotp: 'The QR code in this image holds no TOTP secret with codes of six digits.',
} as const;
