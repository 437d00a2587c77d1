/** Texts of the side panel, the group page and the add-group dialogs. Strings of the specification are literal. */
export const ENTRY_GROUP_TEXTS = {
  panel: 'Groups',
  tree: 'Entry groups',
  addTree: 'add new tree',
  importFile: 'import data',
  loading: 'loading...',
  updating: 'updating...',
  treeFailed: 'The groups could not be loaded.',
  retry: 'Try again',
  noGroups: 'There are no groups yet',
  noGroupsHint: 'Add a tree of your own, or import a KeePass XML file.',
  firstTree: 'Add your first tree',
  /**
   * One sentence; its middle part opens the import, which is not visible elsewhere on a small
   * screen.
   */
  firstTreeHint: {
    begin: 'A tree of groups holds your entries. Begin with one of your own, ',
    importFile: 'import a KeePass XML file',
    ask: ', or ask an admin of a group to add you to it.',
  },
  expand: (title: string) => `Expand ${title}`,
  collapse: (title: string) => `Collapse ${title}`,
  named: (title: string, role: string) => `${title}, ${role}`,
  roles: { admin: 'Admin', moderator: 'Moderator', member: 'Member', guest: 'Guest' },

  select: 'Select an Entry Group',
  selectHint: 'Choose a group from the tree on the left.',
  /** For a small screen, where the header opens the tree. */
  selectHintNarrow: 'Choose a group: the button at the top left opens them.',
  path: 'Group path',
  sections: 'Group sections',
  legend: 'Roles',
  admins: 'Admins:',
  otherRole: (signed: string, shown: string) =>
    `The signed list of members says ${signed} where the server says ${shown}.`,
  keyChanged: 'The signed list of members names another key of yours: key changed, rotation due.',
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
  keysFirst: (names: readonly string[]) =>
    `Nothing is wrapped for a key that nobody has looked at. First look at the keys of: ${names.join(', ')}.`,
  lookAtKeys: 'Look at the keys',
  onlyYou: 'You will be the only member.',
  add: 'add',
  adding: 'adding',
  cancel: 'Cancel',
  pendingAction: (title: string) => `add the group “${title}”`,
  added: (title: string) => `Entry group "${title}" added`,
  addChild: 'add new child Entry Group',
} as const;
