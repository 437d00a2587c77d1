import { catalogue } from '@passwordbroker/core/texts';
import { counted } from '../counted.ts';

interface Counts {
  readonly entry_groups: number;
  readonly entries: number;
  readonly fields: number;
}

const countsText = ({ entry_groups, entries, fields }: Counts) =>
  [
    entry_groups > 0 ? counted(entry_groups, 'group', 'groups') : '',
    entries > 0 ? counted(entries, 'entry', 'entries') : '',
    fields > 0 ? counted(fields, 'field', 'fields') : '',
  ]
    .filter(Boolean)
    .join(', ');

export const TRASH_TEXTS = catalogue('trash', {
  page: 'Trash',
  pageHint: 'Restore deleted items and undo your changes.',
  sections: 'Trash sections',
  deleted: 'Deleted',
  ofGroup: 'Trash of the group',
  tab: 'Trash',
  list: 'Deleted',
  loading: 'Loading the trash',
  failed: 'The trash could not be loaded.',
  retry: 'Try again',
  empty: 'the trash is empty',
  emptyHint: 'Deleted groups, entries and fields stay here until they are removed for good.',
  kinds: { entry_group: 'Group', entry: 'Entry', field: 'Field' },
  titleOf: (title: string, more: number) => (more === 0 ? title : `${title} and ${more} more`),
  counts: countsText,
  where: (group: string) => `in ${group}`,
  atRoot: 'at the root',
  who: (name: string) => `deleted by ${name}`,
  byNobody: 'deleted by a former user',
  until: (time: string) => `can be restored until ${time}`,
  showItems: (count: number) => `Show ${count} items`,
  hideItems: (count: number) => `Hide ${count} items`,
  items: (title: string) => `Items of ${title}`,
  restore: 'Restore',
  restoreAsked: (title: string) => `Restore “${title}”?`,
  restoreNamed: (title: string) => `Restore ${title}`,
  restoring: 'Restoring',
  restored: (title: string) => `"${title}" restored`,
  purge: 'Delete for good',
  purgeNamed: (title: string) => `Delete ${title} for good`,
  purgeDialog: (title: string) => `Delete ${title} for good?`,
  counting: 'Counting',
  countFailed: 'The items could not be counted.',
  purgeText: ({ files, ...counts }: Counts & { readonly files: number }) =>
    `This removes ${countsText(counts)}${files > 0 ? `, ${counted(files, 'file', 'files')} among them,` : ''} with all versions, for everybody.`,
  emptyTrash: 'Empty the trash',
  emptyTrashDialog: 'Empty the trash?',
  emptyTrashWhat: (items: number, ofGroup: boolean) =>
    `${counted(items, 'deleted item', 'deleted items')} of ${ofGroup ? 'this group' : 'all groups where you are admin'} will be removed for good.`,
  emptied: 'The trash was emptied',
  purgeLast: 'It cannot be undone.',
  purging: 'Deleting',
  purged: (title: string) => `"${title}" deleted for good`,
  cancel: 'Cancel',

  changes: 'Your changes',
  changesLoading: 'Loading your changes',
  changesFailed: 'Your changes could not be loaded.',
  changesEmpty: 'nothing to undo',
  changesEmptyHint: 'Your new entries, moves, renames and imports are listed here while they can be undone.',
  undo: 'Undo',
  undoNamed: (what: string) => `Undo: ${what}`,
  undoing: 'Undoing',
  undone: (what: string) => `Undone: ${what}`,
  undoneExcept: (what: string, count: number) => `Undone: ${what}. Changed since, and therefore still there: ${count}.`,
  undoUntil: (time: string) => `can be undone until ${time}`,
  undoMoveAction: (group: string) => `move the entries back to “${group}”`,
  undoImportAction: (name: string) => `undo the import into “${name}”`,
  unknownGroup: 'a group you cannot see',
  groupNamed: (title: string) => `"${title}"`,
  theRoot: 'the root',
  renamed: (kind: 'entry_group' | 'entry' | 'field', from: string, to: string) =>
    `${kind === 'entry_group' ? 'Entry group' : 'Entry'} "${from}" renamed to "${to}"`,
  movedGroup: (title: string, from: string, to: string) => `Entry group "${title}" moved from ${from} to ${to}`,
  movedEntries: (title: string, more: number, from: string, to: string) =>
    more === 0
      ? `Entry "${title}" moved from ${from} to ${to}`
      : `Entry "${title}" and ${more} more moved from ${from} to ${to}`,
  imported: (name: string) => `Import into "${name}"`,
});

export const UNDO_TEXTS = catalogue('undo', {
  undo: 'Undo',
  failed: (reason: string) => `It could not be undone: ${reason}`,
});

export const ACTIVITY_LOG_TEXTS = catalogue('activityLog', {
  title: 'Activity log',
  count: (shown: number, kept: number) => `${shown} of ${kept}`,
  close: 'Close',
  empty: 'Nothing has happened yet',
});

export const CLIPBOARD_TEXTS = catalogue('clipboard', {
  clears: (seconds: number) => `Clipboard clears in ${seconds} s`,
  clearsOnReturn: 'Clipboard clears when you return to this page',
});
