import { catalogue } from '@passwordbroker/core/texts';

const plural = (noun: string) => (/[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`);

export const IMPORT_TEXTS = catalogue('import', {
  title: 'Import data',
  subtitle: 'One KeePass XML 2.x file. Its groups are added as one new tree.',
  file: 'File',
  fileKind: 'KeePass XML 2.x, as KeePass and KeePassXC export it',
  drop: 'Drop a file here or',
  choose: 'choose a file',
  replace: 'Replace',
  chosen: (size: string) => `${size}, KeePass XML 2.x`,
  oneFileOnly: 'Choose one file.',
  fileMissing: 'Field File is missing',
  masterPassword: 'Master password',
  masterPasswordHint: 'It opens your keys in this browser and is not sent.',
  alreadyUnlocked: 'already unlocked',
  alreadyUnlockedHint: 'The vault is open. Nothing has to be typed here.',
  masterPasswordMissing: 'MasterPassword is missing',
  pendingAction: (file: string) => `import “${file}”`,
  submit: 'Import',
  busy: 'Importing',
  cancel: 'Cancel',
  cancelling: 'Cancelling',
  takingBack: 'Everything was already sent. The import is now being undone on the server.',
  cancelled: 'The import was cancelled. Nothing was changed.',
  close: 'Close',
  /** 'Uploading' is the specification's state; the browser reads and encrypts first. */
  progress: { reading: 'Reading', sealing: 'Encrypting', uploading: 'Uploading', storing: 'Storing' },
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
