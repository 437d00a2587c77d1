import { catalogue } from '@passwordbroker/core/texts';
import type { EntryColumn } from '../../entries/table/entry-order.ts';
import { quoted } from '../counted.ts';

const COLUMNS: Readonly<Record<EntryColumn, string>> = {
  title: 'Title',
  login: 'Login',
  created_at: 'Created at',
  updated_at: 'Updated at',
};

/** Strings of the specification are literal. */
export const ENTRY_TEXTS = catalogue('entry', {
  table: 'Entries',
  title: 'Title',
  columns: COLUMNS,
  chooseColumns: 'Choose columns',
  updated: (time: string) => `Updated ${time}`,
  empty: 'there are no entries',
  emptyHint: 'Add the first entry. It can hold passwords, links, notes, files and one-time codes.',
  emptyForMember: 'Moderators and admins of this group can add entries.',
  failed: 'The entries could not be loaded.',
  retry: 'Try again',
  add: 'add new Entry',
  sort: 'Sort entries',
  sortedUp: (column: string) => `${column}, ascending`,
  sortedDown: (column: string) => `${column}, descending`,
  more: (title: string) => `More for ${title}`,
  actions: 'Actions',
  linkedMissing: 'The linked entry is no longer in this group, or it was deleted.',

  dialog: 'New entry',
  within: (group: string) => `in ${group}`,
  titleMissing: 'The title is required.',
  addButton: 'add',
  adding: 'adding',
  cancel: 'Cancel',
  another: 'Save and add another',
  fieldsHint: 'Fill in what you need. Empty fields are not saved.',
  totp: 'TOTP secret',
  generate: 'Generate a password',
  passwordMissing: 'Type or generate a password to save the login.',
  saveAction: (title: string) => `save “${title}”`,
  missing: (titles: readonly string[]) => `The entry was added. Not saved yet: ${titles.join(', ')}.`,
  goOn: 'Save again to add only these.',
  added: (title: string) => `Entry "${title}" added`,
  addUndone: (title: string) => `Entry "${title}" removed again`,

  edit: 'Edit entry',
  editDialog: 'Edit entry',
  saveButton: 'Save',
  saving: 'Saving',
  renamed: (before: string, after: string) => `Entry "${before}" renamed to "${after}"`,
  renameUndone: (title: string) => `Entry "${title}" has its old name again`,

  copyPassword: 'Copy password',
  copyPasswordOf: (title: string) => `Copy password of ${title}`,
  copyLogin: 'Copy login',
  copyLink: 'Copy link to entry',
  linkCopied: (title: string) => `Link to entry "${title}" copied`,
  move: 'Move entry',
  remove: 'Delete entry',
});

/** Texts for many entries at once. Strings of the specification are literal. */
const entries = (count: number) => (count === 1 ? '1 entry' : `${count} entries`);

export const BULK_TEXTS = catalogue('bulk', {
  bar: 'Bulk edit',
  selected: (count: number) => `${count} selected`,
  selectAll: 'Select all',
  selectAllEntries: 'Select all entries',
  select: (title: string) => `Select ${title}`,
  clear: 'Clear',
  exportChosen: 'Export…',
  move: 'Move entries',
  remove: 'Delete entries',
  failed: 'Something went wrong, try again',
  cancel: 'Cancel',

  removeOne: (title: string) => `Delete “${title}”?`,
  removeMany: (count: number) => `Delete ${entries(count)}?`,
  removeText: (count: number, group: string) =>
    `Deletes ${count === 1 ? 'the entry with its fields' : `${entries(count)} with their fields`}, for everybody in “${group}”. Until the trash is emptied, ${count === 1 ? 'it' : 'they'} can be restored.`,
  removing: 'Deleting',
  removed: 'Entries deleted',
  removeUndone: (count: number) => `${entries(count)} restored`,

  moveOne: 'Move 1 entry',
  moveMany: (count: number) => `Move ${entries(count)}`,
  names: (first: readonly string[], more: number) => (more === 0 ? quoted(first) : `${quoted(first)} and ${more} more`),
  find: 'Find a group',
  targets: 'Groups',
  noTargets: 'No group has this name',
  noOtherGroups: 'There is no other group to move to.',
  loadingTargets: 'Loading groups',
  refused: "You don't have permission to move to that group",
  onlyWriters: 'You may not change this group',
  moving: 'Moving',
  wrapping: 'Encrypting keys for the new group',
  moveAction: (count: number, group: string) => `move ${entries(count)} to “${group}”`,
  moved: (group: string) => `Entries moved to ${group}`,
  moveUndone: (group: string) => `Entries moved back to ${group}`,
  undoMoveAction: (group: string) => `move the entries back to “${group}”`,
});
