import { catalogue } from '@passwordbroker/core/texts';
import { counted, groups } from '../counted.ts';
import type { Role } from '@passwordbroker/core/domain/policy';

/** Strings of the specification are literal. */
export const MEMBER_TEXTS = catalogue('member', {
  tab: 'Users',
  table: 'Users of the group',
  columns: { user: 'User', role: 'Role', since: 'Role set date', remove: 'Remove' },
  you: 'you',
  noRemove: 'cannot be removed',
  loading: 'Loading users',
  failed: 'The users could not be loaded.',
  retry: 'Try again',
  cancel: 'Cancel',
  close: 'Close',

  addNew: 'Add new user',
  addHint: 'Search by name. Current members are not listed.',
  addAs: (role: string) => `add as ${role}`,
  addLabel: (name: string, role: string) => `add as ${role}: ${name}`,
  found: 'People found',
  searching: 'Searching',
  foundCount: (count: number) => counted(count, 'person found', 'people found'),
  foundMore: (count: number) => `These are the first ${count}. Type more of the name to see others.`,
  nobody: 'No one found. Without an account? Ask a site admin to invite them.',
  searchFailed: (reason: string) => `People could not be searched: ${reason}`,
  addAction: (name: string) => `add ${name}`,
  adding: (name: string) => `Adding ${name}`,
  added: (name: string, role: string, count: number) =>
    `${name} added as ${role}${count > 1 ? ` in ${groups(count)}` : ''}`,
  noKeys: (name: string) =>
    `${name} has no keys yet. They have to sign in and unlock the vault once before you can share.`,

  alsoBelow: (count: number) =>
    count === 1
      ? 'Also in the child group where you are admin'
      : `Also in the ${count} child groups where you are admin`,

  changeRole: (name: string) => `role of ${name}`,
  changeTo: (role: string) => `Change to ${role}`,
  isNow: (role: string) => `${role} (current role)`,
  changeTitle: (name: string, role: string) => `Make ${name} ${role}?`,
  roleMeans: {
    admin: (name: string) =>
      `${name} will see, edit and delete everything here, add and remove people, and can no longer be removed.`,
    moderator: (name: string) => `${name} will see, edit, move and delete entries, and cannot add or remove people.`,
    member: (name: string) => `${name} will see, copy and download values, and cannot change anything.`,
  } satisfies Record<Role, (name: string) => string>,
  change: 'Change role',
  changing: 'Changing',
  changeAction: (name: string) => `change the role of ${name}`,
  changed: (name: string, role: string, count: number) =>
    `${name} is ${role} now${count > 1 ? ` in ${groups(count)}` : ''}`,

  remove: (name: string) => `Remove ${name}`,
  removeTitle: (name: string, group: string) => `Remove ${name} from ${group}?`,
  removeMeans: (name: string) => [
    `${name} loses access to this group at once.`,
    `Then the group gets a new key. What is saved after that cannot be opened with the keys that ${name} has.`,
    `${name} may have kept copies of what they opened. Change those secrets; they are listed under “Former members”.`,
  ],
  removeShort: 'Remove',
  removing: 'Removing',
  removeAction: (name: string) => `remove ${name}`,
  removed: (name: string, count: number) => `${name} removed${count > 1 ? ` from ${groups(count)}` : ''}`,

  working: (done: number, total: number) => `Group ${Math.min(done + 1, total)} of ${total}`,
  stop: 'Stop',
  stopped: (left: number) => `Stopped: ${groups(left)} left as they were.`,
  failedIn: (count: number) => `It did not work in ${groups(count)}:`,
  /** For the activity log. */
  notEverywhere: (action: string, failed: number, left: number) =>
    [
      `Not done in all groups: ${action}.`,
      ...(failed === 0 ? [] : [`It did not work in ${groups(failed)}.`]),
      ...(left === 0 ? [] : [`Stopped: ${groups(left)} left as they were.`]),
    ].join(' '),
  failedWhere: (group: string, reason: string) => `${group}: ${reason}`,
  andMore: (count: number) => `and ${groups(count)} more`,
  skipped: {
    'not-member': (count: number) => `Not a member in ${groups(count)}.`,
    'same-role': (count: number) => `Has that role already in ${groups(count)}.`,
    'other-role': (count: number) => `Already in ${groups(count)} with another role, which was not changed.`,
    admin: (count: number) => `Is an admin in ${groups(count)}, where an admin cannot be removed.`,
  },
  again: 'Try these again',
});

export const FORMER_MEMBER_TEXTS = catalogue('formerMember', {
  page: 'Former members',
  pageHint: 'People who left your groups, and the secrets they opened. Change those.',
  title: 'Former members',
  list: 'People who left',
  loading: 'Loading former members',
  failed: 'The former members could not be loaded.',
  retry: 'Try again',
  empty: 'nobody has left',
  emptyHint: 'People who are removed from groups where you are admin appear here.',
  wasRole: (name: string, role: Role) => `${name} was ${role} until the keys were reset`,
  addAgain: 'Add again',
  addAgainNamed: (name: string) => `Add again: ${name}`,
  addAgainTitle: (name: string) => `Add ${name} again`,
  addAgainOthers: (groups: number) =>
    groups === 1 ? 'Also to 1 other group where you are admin' : `Also to ${groups} other groups where you are admin`,
  addAgainIn: 'Groups and roles as before',
  addedAgain: (name: string) => `${name} is back`,
  causes: { removed: 'removed', deleted: 'account deleted', reset: 'account reset' },
  from: (group: string) => `from ${group}`,
  progress: (done: number, all: number) => (all === 0 ? 'nothing to change' : `${done} of ${all} changed`),
  cut: 'Only the last 2,000 people who left are shown.',
  more: (name: string) => `What ${name} has opened`,
  show: 'Show',
  less: 'Hide',

  rows: (name: string) => `Opened by ${name}`,
  columns: { entry: 'Entry', field: 'Field', opened: 'Opened', state: 'State' },
  rowsLoading: 'Loading the opened secrets',
  rowsFailed: 'The opened secrets could not be loaded.',
  nothing: 'Nothing was opened here.',
  how: { revealed: 'shown', offline: 'in an offline copy', written: 'written' },
  change: 'change this',
  changeNow: 'Change',
  changeNamed: (field: string, entry: string) => `Change ${field} of ${entry}`,
  gone: 'This field was moved or deleted meanwhile.',
  within: (group: string) => `in ${group}`,
  others: 'Groups that others manage',
  othersHint: (name: string) =>
    `${name} is still a member there. Ask an admin of the group to remove this person and change what they saw.`,
  ask: (names: readonly string[]) => (names.length === 0 ? 'it has no other admin' : `ask ${names.join(' or ')}`),
  changed: 'changed since',
  trashed: 'in the trash',
  untitled: 'untitled',
  openedBy: (name: string, count: number) =>
    count === 0
      ? `${name} has opened nothing in this group.`
      : `${name} has opened ${counted(count, 'value', 'values')} in this group`,
  export: 'Export as CSV',
  exportName: (name: string) => `opened by ${name}.csv`,
  exported: (name: string) => `Saved the list of what ${name} has opened`,
  csv: ['Person', 'Group', 'Entry', 'Field', 'Type', 'Opened at', 'How', 'State'],
  inAllGroups: (name: string) => `${name} in all groups`,
  onePerson: 'One person is shown.',
  everybody: 'Show everybody',
  allGroups: 'Former members of all groups',
});
