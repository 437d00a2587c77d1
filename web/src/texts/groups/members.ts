import type { Role } from '@passwordbroker/core/domain/policy';

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
const groups = (count: number) => counted(count, 'group', 'groups');

/** Strings of the specification are literal. */
export const GROUP_USER_TEXTS = {
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
  addHint: 'Search by name. Whoever is in the group already is left out.',
  addAs: (role: string) => `add as ${role}`,
  addLabel: (name: string, role: string) => `add as ${role}: ${name}`,
  found: 'People found',
  searching: 'Searching',
  foundCount: (count: number) => counted(count, 'person found', 'people found'),
  foundMore: (count: number) => `These are the first ${count}. Type more of the name to see others.`,
  nobody:
    'Nobody of that name is left to add. Whoever has no account yet is invited by a site admin first, in the admin panel.',
  searchFailed: (reason: string) => `People could not be searched: ${reason}`,
  addAction: (name: string) => `add ${name}`,
  adding: (name: string) => `Adding ${name}`,
  added: (name: string, role: string, count: number) =>
    `${name} added as ${role}${count > 1 ? ` in ${groups(count)}` : ''}`,
  noKeys: (name: string) => `The user has no keys yet. ${name} has to sign in once before anything can be shared.`,

  alsoBelow: (count: number) =>
    count === 1
      ? 'Also in the child group where you are admin'
      : `Also in the ${count} child groups where you are admin`,

  changeRole: (name: string) => `role of ${name}`,
  changeTo: (role: string) => `Change to ${role}`,
  isNow: (role: string) => `${role}, as it is now`,
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
    `Access ends at once: the next request of ${name} in this group is refused.`,
    `Then the key of the group is changed, so that nothing written from now on opens with the keys that ${name} has.`,
    `Whatever ${name} has read may have been kept. What that was stays listed under “Departed”: change these.`,
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
  notEverywhere: (act: string, failed: number, left: number) =>
    [
      `Not everywhere: ${act}.`,
      ...(failed === 0 ? [] : [`It did not work in ${groups(failed)}.`]),
      ...(left === 0 ? [] : [`Stopped: ${groups(left)} left as they were.`]),
    ].join(' '),
  failedWhere: (group: string, reason: string) => `${group}: ${reason}`,
  andMore: (count: number) => `and ${groups(count)} more`,
  skipped: {
    'not-member': (count: number) => `Not a member in ${groups(count)}.`,
    'same-role': (count: number) => `Has that role already in ${groups(count)}.`,
    'other-role': (count: number) => `Is in ${groups(count)} already with another role, which was left as it is.`,
    admin: (count: number) => `Is an admin in ${groups(count)}, where an admin cannot be removed.`,
  },
  again: 'Try these again',
} as const;
