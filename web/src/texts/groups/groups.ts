import { catalogue } from '@passwordbroker/core/texts';
import type { Purpose } from '@passwordbroker/core/contract/faces';
import type { HistoryEvent } from '@passwordbroker/core/contract/entities';
import { counted, groups } from '../counted.ts';
import { say, type Name, type Sentence } from '../sentence.ts';

interface Below {
  readonly groups: number;
  readonly entries: number;
}

function withAll({ groups, entries }: Below): string {
  const parts = [
    ...(entries > 0 ? [counted(entries, 'entry', 'entries')] : []),
    ...(groups > 0 ? [counted(groups, 'child group', 'child groups')] : []),
  ];
  return parts.length === 0 ? ', which is empty' : ` with its ${parts.join(' and ')}`;
}

/** Strings of the specification are literal. */
export const GROUP_TEXTS = catalogue('group', {
  panel: 'Groups',
  tree: 'Entry groups',
  addTree: 'add new tree',
  importFile: 'import data',
  loading: 'loading...',
  updating: 'updating...',
  treeFailed: 'The groups could not be loaded.',
  retry: 'Try again',
  noGroups: 'There are no groups yet',
  noGroupsHint: 'Add a tree of your own, or import a file.',
  firstTree: 'Add your first tree',
  /** One sentence; its middle part opens the import. */
  firstTreeHint: {
    begin: 'A tree of groups holds your entries. Begin with one of your own, ',
    importFile: 'import a file of another program',
    ask: ', or ask an admin of a group to add you to it.',
  },
  invitedBy: (inviter: string, name: string) => `Ask ${inviter}, who invited you. Your name here is “${name}”.`,
  willShare: (inviter: string, count: number) =>
    `${inviter} wants to share ${groups(count)} with you. After that you find ${count === 1 ? 'it' : 'them'} here.`,
  whoAdds: (name: string) => `The person who invited you knows the admins. They find you by your name, “${name}”.`,
  expand: (title: string) => `Expand ${title}`,
  collapse: (title: string) => `Collapse ${title}`,
  named: (title: string, role: string) => `${title}, ${role}`,
  roles: { admin: 'Admin', moderator: 'Moderator', member: 'Member', guest: 'Guest' },

  select: 'Select an Entry Group',
  selectHint: 'Choose a group from the tree on the left.',
  /** For a small screen, where the header opens the tree. */
  selectHintNarrow: 'To choose a group, press the button at the top left.',
  path: 'Group path',
  sections: 'Group sections',
  legend: 'Roles',
  admins: 'Admins:',
  youAre: (role: string) => `You are ${role.toLowerCase()} here.`,
  exportGroup: 'Export…',
  whoCanSee: 'Who can see this',
  otherRole: (signed: string, shown: string) =>
    `The server says ${shown}, but the signed list of members says ${signed}. Ask an admin of the group.`,
  keyChanged: 'Your key has changed, and this group still has your old one. An admin has to give the group a new key.',
  entries: 'Entries',
  groupFailed: 'The group could not be loaded.',
  groupMissing: 'There is no such group',
  groupMissingHint: 'It was deleted, or you are not a member of it.',
  groupForbidden: 'You cannot open this group',
  groupForbiddenHint: 'You are not a member of it. One of its admins can add you.',
  backToGroups: 'Go to groups',

  newTree: 'New tree',
  newChild: 'New child group',
  within: (path: string) => `in ${path}`,
  title: 'Title',
  titleMissing: 'The name is required.',
  sameMembers: 'Same members as the parent',
  sameMembersHint: (names: readonly string[]) => `These get the same roles in the new group: ${names.join(', ')}.`,
  membersLoading: 'Looking up the members of the parent',
  membersFailed: 'The members of the parent could not be loaded.',
  membersChanged: 'The members of the parent have changed. Look at the list again.',
  keysFirst: (names: readonly string[]) => `Before you share with these people, check their keys: ${names.join(', ')}.`,
  lookAtKeys: 'Check the keys',
  onlyYou: 'You will be the only member.',
  add: 'add',
  adding: 'adding',
  cancel: 'Cancel',
  pendingAction: (title: string) => `add the group “${title}”`,
  added: (title: string) => `Entry group "${title}" added`,
  addChild: 'add new child Entry Group',

  settings: 'Settings',
  links: 'Links',
  name: 'Group name',
  nameMissing: 'The name is required.',
  save: 'Save',
  saving: 'Saving',
  updated: (name: string) => `Entry group "${name}" updated`,
  renamed: (from: string, to: string) => `Entry group "${from}" renamed to "${to}"`,
  renameUndone: (name: string) => `Entry group "${name}" has its old name again`,

  enableMoveMode: 'enable Entry Group move mode',
  disableMoveMode: 'disable Entry Group move mode',
  moveHint: 'Drag groups you administer, or press M on one.',
  moveDone: 'Done',
  dropZone: 'drop a group here to move it to the root',
  dragging: (title: string) => `Moving ${title}`,
  move: 'Move group',
  oneAdmin: 'You are the only admin of this group.',
  oneAdminAdvice:
    'If you forget your master password, nobody can add members or change roles. Make someone else an admin on the Users tab.',
  oneAdminAlone:
    'If you forget your master password, the group is lost. Add someone else as an admin on the Users tab.',
  moveHintInSettings: 'Everything below it moves too. Members and their roles stay as they are.',
  moveTo: 'Move to',
  moveChangesNobody: 'Moving a group changes nobody’s access.',
  moveDialog: (title: string) => `Move “${title}”`,
  now: (path: string) => `now in “${path}”`,
  nowAtRoot: 'now at the root',
  root: 'Root',
  rootHint: 'not inside another group',
  moving: 'Moving',
  moved: (name: string, target: string | null) =>
    target === null ? `Entry group "${name}" moved to the root` : `Entry group "${name}" moved to "${target}"`,
  moveUndone: (name: string) => `Entry group "${name}" moved back`,
  refused: "You don't have permission to move to that group",
  onlyAdmins: 'You are not an admin',
  moveFailed: (reason: string) => `The group was not moved: ${reason}`,

  remove: 'Delete group',
  removeHint: 'Removes its entries, fields and child groups for every user.',
  removing: 'Deleting',
  removeDialog: (title: string) => `Delete “${title}”?`,
  counting: 'Counting what will be deleted...',
  countFailed: 'What will be deleted could not be counted.',
  removeText: (below: Below & { readonly users: number }) =>
    `This deletes the group${withAll(below)}, ${below.users === 1 ? 'for you alone' : `for all ${below.users} users`}.`,
  removeLater: 'Until the trash is emptied, its admins can restore it.',
  removed: (name: string) => `Entry group "${name}" deleted`,
  removeUndone: (name: string) => `Entry group "${name}" restored`,
});

/** The columns are the specification's. */
export const GROUP_HISTORY_TEXTS = catalogue('groupHistory', {
  tab: 'History',
  table: 'History of the group',
  columns: {
    entry: 'Entry',
    fieldTitle: 'Field title',
    fieldType: 'Field type',
    action: 'Action',
    user: 'User',
    date: 'Date',
    value: 'Value',
    actions: 'Actions',
  },
  says: {
    created: (who, field) => say`${who} created ${field}`,
    updated: (who, field) => say`${who} changed ${field}`,
    decrypted: (who, field) => say`${who} showed ${field}`,
    moved: (who, field) => say`${who} moved ${field}`,
    trashed: (who, field) => say`${who} deleted ${field}`,
    restored: (who, field) => say`${who} restored ${field}`,
  } satisfies Record<HistoryEvent, (who: string, field: Name) => Sentence>,
  /** What a value was opened for, other than to be shown. */
  opened: {
    copy: 'copied',
    fill: 'filled',
    run: (label) => `run “${label}”`,
    compare: 'compared',
    site: 'prepared for web sites',
    export: (format) => `exported as ${format}`,
  } satisfies Record<Exclude<Purpose, 'show'>, string | ((label: string) => string)>,
  openedBy: (who: string, what: string, field: Name) => say`${who}: ${what} · ${field}`,
  service: (name: string) => `${name} (service)`,
  ofField: (entry: string, field: string) => `${entry} › ${field}`,
  filters: 'Filters',
  person: 'Person',
  allPeople: 'Everyone',
  event: 'Event',
  allEvents: 'All events',
  events: {
    created: 'Created',
    updated: 'Changed',
    decrypted: 'Shown',
    moved: 'Moved',
    trashed: 'Deleted',
    restored: 'Restored',
  } satisfies Record<HistoryEvent, string>,
  from: 'From',
  to: 'To',
  shownLastWeek: 'Shown in the last 7 days',
  withChildren: 'With child groups',
  clear: 'Clear the filters',
  noMatch: 'No rows match. Clear the filters to see all.',
  removedUser: 'A removed user',
  details: 'Details',
  detailsOf: (sentence: string) => `Details: ${sentence}`,
  raw: 'The stored row',
  empty: 'history is empty',
  emptyHint: 'Add a field to an entry to begin. Everything people do with fields is listed here.',
  loading: 'Loading history',
  failed: 'The history could not be loaded',
  retry: 'Try again',
  pages: 'Pages of the history',
  page: (page: number) => `Page ${page}`,
  newer: 'Newer',
  older: 'Older',
});
