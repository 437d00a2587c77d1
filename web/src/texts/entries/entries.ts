import type { EntryColumn } from '../../entries/table/entry-order.ts';

const COLUMNS: Readonly<Record<EntryColumn, string>> = {
  title: 'Title',
  created_at: 'Created at',
  updated_at: 'Updated at',
};

/** Strings of the specification are literal. */
export const ENTRY_TEXTS = {
  table: 'Entries',
  title: 'Title',
  columns: COLUMNS,
  updated: (time: string) => `Updated ${time}`,
  empty: 'there are no entries',
  emptyHint: 'Add the first entry, then attach passwords, links, notes, files or TOTP to it.',
  emptyForMember: 'Moderators and admins of this group can add entries.',
  failed: 'The entries could not be loaded.',
  retry: 'Try again',
  add: 'add new Entry',
  sort: 'Sort entries',
  sortedUp: (column: string) => `${column}, ascending`,
  sortedDown: (column: string) => `${column}, descending`,
  more: (title: string) => `More for ${title}`,
  actions: 'Actions',
  linkedMissing: 'The entry of this link is not in this group any more, or it was deleted.',

  dialog: 'New entry',
  within: (group: string) => `in ${group}`,
  titleMissing: 'The title is required.',
  addButton: 'add',
  adding: 'adding',
  cancel: 'Cancel',
  added: (title: string) => `Entry "${title}" added`,

  rename: 'Rename entry',
  renameDialog: 'Rename entry',
  renameButton: 'Rename',
  renaming: 'Renaming',
  renamed: (before: string, after: string) => `Entry "${before}" renamed to "${after}"`,
  renameUndone: (title: string) => `Entry "${title}" has its name back`,

  copyLink: 'Copy link to entry',
  linkCopied: (title: string) => `Link to entry "${title}" copied`,
  move: 'Move entry',
  remove: 'Delete entry',
} as const;
