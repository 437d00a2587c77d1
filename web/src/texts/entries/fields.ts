import { catalogue } from '@passwordbroker/core/texts';
import type { FieldType, TotpAlgorithm } from '@passwordbroker/core/domain/fields/field-kinds';
import type { KeyringErrorCode } from '@passwordbroker/client/keyring/keyring-error';
import type { Disagreement } from '@passwordbroker/client/vault/vault';

const KINDS: Readonly<Record<FieldType, string>> = {
  password: 'Password',
  TOTP: 'TOTP',
  link: 'Link',
  note: 'Note',
  file: 'File',
};

const ALGORITHMS: Readonly<Record<TotpAlgorithm, string>> = { sha1: 'SHA-1', sha256: 'SHA-256', sha512: 'SHA-512' };

/** What failed, then what to do. A wrong master password is handled elsewhere. */
const PROBLEMS: Readonly<Partial<Record<KeyringErrorCode, string>>> = {
  key_mismatch:
    'The key of this group is not the right one, so nothing here can be opened or saved. Ask an admin of the group.',
  integrity: 'This value is damaged or was moved, so it is hidden. Try History.',
  crashed: 'The vault was locked because its background process stopped. Try again.',
  internal: 'Something went wrong. Try again.',
};

const DISAGREEMENTS: Readonly<Record<Exclude<Disagreement, 'older'>, string>> = {
  title: 'title',
  login: 'login',
  totp: 'settings of the one-time code',
  file: 'file name, type or size',
};

export const FIELD_TEXTS = catalogue('field', {
  kinds: KINDS,
  algorithms: ALGORITHMS,
  table: (entry: string) => `Fields of ${entry}`,
  columns: { title: 'Title', type: 'Type', value: 'Value', actions: 'Actions' },
  login: 'login',
  password: 'password',
  untitled: 'Untitled',
  noLogin: '–',
  empty: 'No fields yet.',
  loading: 'Loading fields',
  loadFailed: 'The fields could not be loaded',
  retry: 'Try again',
  hidden: (title: string) => `Hidden value of ${title}`,
  copyHidden: (title: string) => `Copy the hidden value of ${title}`,
  pressToCopy: 'Copy',
  lines: (count: number) => (count === 1 ? '1 line' : `${count} lines`),
  longValue: (title: string) => `Value of ${title}`,
  show: 'Show',
  hide: 'Hide',
  showCode: 'Show code',
  hideCode: 'Hide code',
  tabBlocked: 'It took too long, so the browser would block the new tab. Try again.',
  openLink: 'Open link',
  download: 'Download file',
  downloading: 'Downloading',
  copyLogin: 'Copy login',
  copyValue: {
    password: 'Copy password',
    link: 'Copy link',
    note: 'Copy note',
    TOTP: 'Copy code',
  },
  copyKey: 'Copy key',
  copied: 'copied',
  history: (title: string) => `History of ${title}`,
  secondsLeft: (seconds: number) => `${seconds} s`,
  /** A code for screen readers: '4 9 2 0 3 8'. */
  spelled: (code: string) => [...code].join(' '),
  notALink: 'This value is not a web or mail address, so it cannot be opened.',
  problems: PROBLEMS,
  older: 'This is older than what you saw before. The server was restored, or is hiding a change.',
  disagrees: (what: readonly Exclude<Disagreement, 'older'>[]) =>
    `The server’s list differs from what was saved here (${what.map((one) => DISAGREEMENTS[one]).join(', ')}). You see what was saved.`,
  sealedTitle: 'Encrypted title',
  sealedLogin: 'Encrypted login',
  sealedFile: 'Encrypted file',
  sealedTotp: 'Encrypted settings',
  clockOff: (difference: string, isAhead: boolean) =>
    `The clock of this device is ${difference} ${isAhead ? 'ahead of' : 'behind'} the server’s, so this code may be refused. Set the date and time of the device to automatic; the code then corrects itself.`,
  clockBehindCopy: (difference: string) =>
    `This code is wrong, because the clock of this device shows a time ${difference} before the local copy was made. Set the date and time of the device to automatic; the code then corrects itself.`,
  reveal: (title: string) => `show the value of “${title}”`,
  copy: (title: string) => `copy the value of “${title}”`,
  open: (title: string) => `open the link “${title}”`,
  save: (title: string) => `download the file of “${title}”`,
  activity: {
    valueCopied: (title: string) => `Value for field "${title}" copied`,
    loginCopied: (title: string) => `Login for field "${title}" copied`,
    noteCopied: (title: string) => `Note for field "${title}" copied`,
    totpCopied: (title: string) => `TOTP for field "${title}" copied`,
    keyCopied: (title: string) => `Key for field "${title}" copied`,
    downloaded: (title: string) => `File of field "${title}" downloaded`,
    added: (title: string) => `Field "${title}" added`,
  },
});

export const FIELD_HISTORY_TEXTS = catalogue('fieldHistory', {
  columns: { action: 'Action', user: 'User', date: 'Date', value: 'Value', actions: 'Actions' },
  title: (field: string) => `History of “${field}”`,
  table: 'Changes',
  empty: 'history is empty',
  loading: 'Loading history',
  failed: 'The history could not be loaded',
  noValue: '–',
  removedUser: 'removed user',
  reveal: (title: string) => `show an older value of “${title}”`,
  copyValue: 'Copy value',
  withLogin: (login: string) => `login ${login}`,
  restore: 'Restore this value',
  restoring: 'Restoring',
  restoreAction: (title: string) => `restore an older value of “${title}”`,
  restored: (title: string) => `Older value of field "${title}" restored`,
  restoreConflict: 'Someone changed this field in the meantime. Nothing was overwritten; the list is up to date.',
  older: 'Show older',
  loadingOlder: 'Loading',
  close: 'Close',
});

/** After a lock, which closes the form. */
export const DRAFT_TEXTS = catalogue('draft', {
  kept: 'The vault was locked. What you typed comes back at its place when you unlock it.',
  keptWithoutFile:
    'The vault was locked. What you typed comes back at its place when you unlock it; then choose the file again.',
  lost: 'The vault was locked while the form was open. What was not saved yet was not kept.',
});

export const ADD_FIELD_TEXTS = catalogue('addField', {
  open: 'Add field',
  title: 'Add field',
  within: (entry: string) => `to ${entry}`,
  type: 'Type',
  fieldTitle: 'Title',
  login: 'Login',
  value: 'Value',
  link: 'Address',
  offerOnSites: 'Offer on web sites',
  offerHint: 'By the browser extension. The server does not see the address.',
  thisHost: (host: string) => `This host: ${host}`,
  wholeDomain: (domain: string) => `The whole domain ${domain}`,
  thisAndBelow: (address: string) => `This address and below: ${address}`,
  nowhere: 'Nowhere',
  note: 'Note',
  secret: 'Secret',
  secretHint: 'The setup key that the other site shows, or a whole otpauth:// address',
  algorithm: 'Algorithm',
  timeout: 'Timeout, seconds',
  timeoutHint: '1 to 10000',
  timeoutBad: 'The totp timeout must be between 1 and 10000.',
  timeoutNotWhole: 'The totp timeout must be a whole number.',
  totpBad: 'Field Value is not a valid TOTP secret',
  file: 'File',
  chooseFile: 'choose a file',
  dropFile: 'Drop a file here or',
  replaceFile: 'Replace',
  fileLimit: (limit: string) => `At most ${limit}`,
  fileTooLarge: (limit: string) => `The file is too large (at most ${limit}).`,
  valueTooLarge: 'The value is too long (at most 1 MB).',
  valueMissing: 'Field Value is missing',
  fileMissing: 'Field File is missing',
  masterPasswordMissing: 'MasterPassword is missing',
  masterPasswordInvalid: 'MasterPassword is invalid',
  masterPassword: 'Master password',
  masterPasswordHint: 'Only needed while the vault is locked.',
  cancel: 'Cancel',
  submit: 'Add field',
  adding: 'Adding',
  generateAgain: 'Generate again',
  copyPassword: 'Copy password',
  generator: 'Password generator',
  length: 'Length',
  lengthNumber: 'Length as a number',
  bits: (bits: number) => `${bits} bits`,
  strength: (word: string) => `Strength: ${word.toLowerCase()}`,
  strengths: ['Weak', 'Fair', 'Strong', 'Very strong'],
  lastClass: 'Choose at least one kind of character',
  unlockAction: 'add a field',
});

/** Strings of the specification are literal. */
export const SEEN_BY_TEXTS = catalogue('seenBy', {
  count: (people: number) => `Seen by ${people}`,
  you: 'Seen by you',
  open: (count: string, title: string) => `${count}: ${title}`,
  title: (field: string) => `“${field}” was seen by`,
  people: 'People who have seen it',
  removedUser: 'A removed user',
  notMember: 'not in this group now',
  loading: 'Loading',
  failed: 'The people who have seen it could not be loaded.',
  none: 'Nobody has seen it yet.',
  notCounted:
    'The last time of each person. Members see themselves here; the history shows everybody. What is opened from a copy on a device is not recorded.',
});

export const RECORD_TEXTS = catalogue('record', {
  edit: (title: string) => `Edit ${title}`,
  remove: (title: string) => `Delete ${title}`,
  menu: (title: string) => `Actions for ${title}`,
  /** In a menu that names the field already. */
  menuItems: { history: 'History', edit: 'Edit', remove: 'Delete' },
});

export const EDIT_FIELD_TEXTS = catalogue('editField', {
  title: 'Edit field',
  within: (type: FieldType, entry: string) => `${FIELD_TEXTS.kinds[type]} in ${entry}`,
  save: 'Save',
  saving: 'Saving',
  cancel: 'Cancel',
  open: (title: string) => `edit “${title}”`,
  write: (title: string) => `save “${title}”`,
  updated: (title: string) => `Field "${title}" updated`,
  gone: 'This field was deleted or moved in the meantime.',
  generate: 'Generate a new password',
  keepPassword: 'Keep the current password',
  fileKept: 'The current file is kept unless you choose another one.',
});

export const CONFLICT_TEXTS = catalogue('conflict', {
  notice: 'Someone changed this field while you were editing. Nothing was overwritten. Choose which version to keep.',
  kept: 'If you save yours, theirs moves to the history.',
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
});

export const REMOVE_FIELD_TEXTS = catalogue('removeField', {
  title: (title: string) => `Delete field ${title}?`,
  text: (entry: string) =>
    `Deletes the field with its value and its history from ${entry}, for everybody in the group. Until the trash is emptied, it can be restored.`,
  cancel: 'Cancel',
  confirm: 'Delete field',
  confirming: 'Deleting',
  action: (title: string) => `delete “${title}”`,
  deleted: (title: string) => `Field "${title}" deleted`,
  restored: (title: string) => `Field "${title}" restored`,
});

export const QR_TEXTS = catalogue('qr', {
  choose: 'Read a QR image',
  reading: 'Reading the image',
  hint: 'A QR image can be pasted here, too. It stays in this browser.',
  input: 'QR image',
  notAnImage: 'This file is not an image that this browser can read.',
  none: 'No QR code was found in this image.',
  notTotp: 'The QR code in this image does not set up six-digit one-time codes.',
});
