import { catalogue } from '@passwordbroker/core/texts';

const count = (number: number, one: string, many = `${one}s`) =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`;

const plural = (noun: string) => (/[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`);

export const EXPORT_TEXTS = catalogue('export', {
  title: 'Export',
  ofGroup: (name: string, below: number) =>
    below === 0 ? `The group “${name}”.` : `The group “${name}” and ${count(below, 'group')} below it.`,
  ofEntries: (entries: number) => `${count(entries, 'selected entry', 'selected entries')}.`,
  ofAll: (groups: number) => `Everything that you may export: ${count(groups, 'group')}.`,
  selection: 'selection',
  all: 'all',
  loading: 'Loading what may be exported',
  off: 'Exports are switched off on this site.',
  nothing: 'There is nothing here that you may export.',
  leastRole: {
    admins: 'An admin of a group may export it.',
    moderators: 'Admins and moderators of a group may export it.',
    members: 'Members of a group may export it.',
  },
  refused: (groups: number, names: string) =>
    `You may not export ${groups === 1 ? '1 group' : `${groups} groups`}: ${names}.`,
  leaveOut: 'Leave them out',
  kind: 'Kind of file',
  kinds: {
    pbx: 'PasswordBroker archive, encrypted, with everything',
    kdbx: 'KeePass (KDBX 4), encrypted',
    bitwarden: 'Bitwarden JSON, encrypted with a password',
    'bitwarden-plain': 'Bitwarden JSON, not encrypted',
    'csv-manager': 'CSV for other password managers, not encrypted',
    'csv-table': 'CSV for spreadsheets, not encrypted',
    cxf: 'FIDO credential exchange (CXF), not encrypted',
  },
  shortKinds: {
    pbx: 'The archive',
    kdbx: 'KDBX',
    bitwarden: 'Bitwarden JSON',
    'bitwarden-plain': 'Bitwarden JSON',
    'csv-manager': 'CSV',
    'csv-table': 'CSV',
    cxf: 'CXF',
  },
  plainOff: 'Files without encryption are switched off on this site.',
  history: 'With earlier versions',
  files: 'With files',
  password: 'Password of the file',
  passwordHint:
    'Without this password nobody can open the file. It is not your master password and cannot be restored.',
  repeat: 'Repeat the password',
  passwordMissing: 'Enter a password for the file.',
  passwordsDiffer: 'The two passwords are not the same.',
  weak: 'This password is easy to guess. Choose a longer one, or continue with it.',
  plain: 'Everybody who gets this file can read it. Delete it as soon as it is used.',
  next: 'Continue',
  cancel: 'Cancel',
  preparing: 'Preparing the export',
  another: 'Another export of yours is under way, perhaps in another tab.',
  endOther: 'End it',

  confirmTitle: 'Export these values?',
  counts: (groups: number, entries: number, values: number) =>
    `${count(groups, 'group')} · ${count(entries, 'entry', 'entries')} · ${count(values, 'value')}`,
  withFiles: (size: string) => `with files (${size})`,
  hasNo: (kind: string, missing: readonly string[]) => `${kind} has ${missing.join(' and ')}.`,
  noFiles: (number: number) => `no files (${number.toLocaleString('en')})`,
  noHistory: (number: number) => `no earlier versions (${number.toLocaleString('en')})`,
  noCodes: (number: number) => `no one-time passwords (${number.toLocaleString('en')})`,
  notExported: (missing: readonly string[]) => `Left out by your choice: ${missing.join(' and ')}.`,
  filesLeft: (number: number) => count(number, 'file'),
  historyLeft: (number: number) => count(number, 'earlier version'),
  recorded: (values: number) =>
    values === 1
      ? '1 value will be recorded as opened by you.'
      : `${values.toLocaleString('en')} values will be recorded as opened by you.`,
  plainCount: (passwords: number) =>
    `Everybody who gets this file can read ${count(passwords, 'password')}. Delete it as soon as it is used.`,
  formulas: 'Do not open this file in a spreadsheet program: a value that begins with = could run as a formula.',
  understood: 'I understand',
  back: 'Back',
  exportValues: (values: number) => `Export ${count(values, 'value')}`,
  empty: 'There are no values in it.',
  notImportable:
    'The file is too large for one import into PasswordBroker. Export fewer groups, or without earlier versions and files, if it is to be imported again.',

  pendingAction: 'export values',
  opening: (done: number, total: number) =>
    `Opening ${done.toLocaleString('en')} of ${total.toLocaleString('en')} values. Keep this tab open.`,
  writing: (done: number, total: number) =>
    total === 0 ? 'Writing the file' : `Writing ${done.toLocaleString('en')} of ${total.toLocaleString('en')} entries`,
  cancelling: 'Cancelling',
  cancelled: (values: number) =>
    values === 0
      ? 'The export was cancelled. No value had been opened.'
      : `The export was cancelled. ${count(values, 'value')} had been opened and ${values === 1 ? 'is' : 'are'} recorded.`,

  doneTitle: 'The file is ready',
  exported: (values: number) => `${count(values, 'value')} exported.`,
  gone: (values: number) =>
    `${count(values, 'value')} ${values === 1 ? 'was' : 'were'} changed or taken away meanwhile and ${values === 1 ? 'is' : 'are'} not in the file.`,
  damaged: (values: number) => `${count(values, 'value')} ${values === 1 ? 'is' : 'are'} damaged and not in the file.`,
  lost: 'Not included, because this kind of file cannot store it',
  lostLine: (number: number, kind: string, reason: string) =>
    `${number} ${number === 1 ? kind : plural(kind)}: ${reason}`,
  save: 'Save the file',
  saved: (name: string) => `Saved as ${name}.`,
  deleteFile: (name: string) =>
    `${name} is not encrypted. Delete it as soon as it is used, also from the downloads and the trash of this computer.`,
  close: 'Close',
});
