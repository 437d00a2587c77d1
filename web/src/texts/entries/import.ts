import { catalogue } from '@passwordbroker/core/texts';

const plural = (noun: string) => (/[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`);

export const IMPORT_TEXTS = catalogue('import', {
  title: 'Import data',
  subtitle: 'A file of another program. You see what is in it before anything is added.',
  file: 'File',
  fileKind: 'KeePass XML 2.x, as KeePass and KeePassXC export it, or a file of another password manager',
  drop: 'Drop a file here or',
  choose: 'choose a file',
  replace: 'Replace',
  chosen: (size: string, kind: string | null) => (kind === null ? size : `${size}, ${kind}`),
  otherKind: 'Another kind?',
  kind: 'Kind of the file',
  filePassword: 'Password of the file',
  filePasswordHint: 'It is used in this browser and is not sent.',
  filePasswordMissing: 'Enter the password of the file.',
  keyFile: 'Key file',
  chooseKeyFile: 'choose a key file',
  keyFileHint: 'Only if the file needs one.',
  withoutKeyFile: 'Without key file',
  oneFileOnly: 'Choose one file.',
  fileMissing: 'Field File is missing',
  masterPassword: 'Master password',
  masterPasswordHint: 'It opens your keys in this browser and is not sent.',
  alreadyUnlocked: 'already unlocked',
  alreadyUnlockedHint: 'The vault is open. Nothing has to be typed here.',
  masterPasswordMissing: 'MasterPassword is missing',
  pendingAction: (file: string) => `import “${file}”`,
  next: 'Continue',
  busy: 'Importing',
  cancel: 'Cancel',
  cancelling: 'Cancelling',
  takingBack: 'Everything was already sent. The import is now being undone on the server.',
  cancelled: 'The import was cancelled. Nothing was changed.',
  /** 'Uploading' is the specification's state; the browser reads and encrypts first. */
  progress: {
    opening: 'Opening the file',
    reading: 'Reading',
    sealing: 'Encrypting',
    uploading: 'Uploading',
    storing: 'Storing',
  },
  opening: (seconds: number) => `Opening the file: about ${seconds} s`,
  reading: (done: string, total: string) => `Reading ${done} of ${total}. Keep this tab open.`,
  sealing: (done: number, total: number) =>
    `Encrypting ${done} of ${total} values in this browser. Keep this tab open.`,
  uploading: (done: string, total: string) => `Uploading ${done} of ${total}. Keep this tab open.`,
  storing: 'The server is storing the import. Keep this tab open.',
  failed: 'The file could not be imported.',
  lost: 'The server may or may not have saved the import. Check whether the new tree is among the groups.',
  notTakenBack: (name: string) =>
    `The import was saved as the new tree “${name}” and could not be undone. If the tree is still among the groups, undo the import on the Trash page or delete the tree.`,
  tooLarge: (limit: string) => `The file is larger than ${limit}.`,
  sealedTooLarge: (size: string, limit: string) =>
    `This import is too large: it has ${size} when encrypted, and the server takes at most ${limit} at a time. Nothing was sent. Export your data in smaller parts, for example without the largest attachments, and import them one by one.`,

  look: 'Look before you import',
  source: (kind: string, size: string) => `${kind}, ${size}`,
  /** '3 groups · 62 entries' */
  inFile: 'In the file',
  /** `('KDBX')` */
  better: (kind: string) => `This program can also export ${kind}, which holds more than this file.`,
  values: (count: number) => `${count} ${count === 1 ? 'value' : 'values'}`,
  earlier: (count: number) => `${count} earlier ${count === 1 ? 'version' : 'versions'}`,
  files: (count: number, size: string) => `${count} ${count === 1 ? 'file' : 'files'} (${size})`,
  preview: 'Groups and entries of the file',
  /** Of a group, for screen readers. */
  groupRow: (name: string, entries: string) => `${name}, ${entries}`,
  changes: 'What changes or stays behind',
  nothingChanges: 'Everything in the file has a place here.',
  andMore: (count: number) => `and ${count} more`,
  copyList: 'Copy the list',
  listCopied: 'The list is in the clipboard.',
  saveReport: 'Save the report',
  reportTitle: (file: string) => `Import of “${file}”`,
  reportName: (day: string) => `import-report-${day}.txt`,
  newTree: 'Name of the new tree',
  newTreeMissing: 'Enter a name for the new tree.',
  deleteFile: (name: string) =>
    `The file ${name} is not encrypted. Delete it after the import, also from the downloads and the trash of this computer.`,
  importEntries: (count: number) => `Import ${count} ${count === 1 ? 'entry' : 'entries'}`,
  back: 'Back',

  doneTitle: 'Import finished',
  doneInto: (name: string) => `Added as the new tree “${name}”.`,
  read: 'Read',
  leftOut: 'Left out',
  /** `(3, 'entry', 'in the recycle bin')` → '3 entries: in the recycle bin' */
  leftOutLine: (count: number, kind: string, reason: string) =>
    `${count} ${count === 1 ? kind : plural(kind)}: ${reason}`,
  nothingLeftOut: 'Nothing was left out.',
  groups: (count: number) => `${count} ${count === 1 ? 'group' : 'groups'}`,
  entries: (count: number) => `${count} ${count === 1 ? 'entry' : 'entries'}`,
  fields: (count: number) => `${count} ${count === 1 ? 'field' : 'fields'}`,
  revisions: (count: number) =>
    `${count} ${count === 1 ? 'version' : 'versions'} of these fields, including the history`,
  open: 'Open the tree',

  toast: (entries: number, name: string) => `Imported ${entries} ${entries === 1 ? 'entry' : 'entries'} into “${name}”`,
  log: (name: string) => `Import into "${name}" finished`,
  undone: (name: string) => `Import into "${name}" undone`,
});
