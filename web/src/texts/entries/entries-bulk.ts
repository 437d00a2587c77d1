/** Texts for many entries at once. Strings of the specification are literal. */
const entries = (count: number) => (count === 1 ? '1 entry' : `${count} entries`);

export const BULK_TEXTS = {
  bar: 'Bulk edit',
  selected: (count: number) => `${count} selected`,
  selectAll: 'Select all',
  selectAllEntries: 'Select all entries',
  select: (title: string) => `Select ${title}`,
  clear: 'Clear',
  move: 'Move entries',
  remove: 'Delete entries',
  failed: 'Something went wrong, try again',
  cancel: 'Cancel',

  removeOne: (title: string) => `Delete ${title}?`,
  removeMany: (count: number) => `Delete ${entries(count)}?`,
  removeText: (count: number, group: string) =>
    `Deletes ${count === 1 ? 'the entry with its fields' : `${entries(count)} with their fields`}, for everybody in ${group}. Until the trash is emptied, ${count === 1 ? 'it' : 'they'} can be restored.`,
  removing: 'Deleting',
  removed: 'Entries deleted',
  removeUndone: (count: number) => `${entries(count)} restored`,

  moveOne: 'Move 1 entry',
  moveMany: (count: number) => `Move ${entries(count)}`,
  names: (first: readonly string[], more: number) =>
    more === 0 ? first.join(', ') : `${first.join(', ')} and ${more} more`,
  find: 'Find a group',
  targets: 'Groups',
  noTargets: 'No group has this name',
  noOtherGroups: 'There is no other group to move to.',
  loadingTargets: 'Loading groups',
  refused: "You don't have permission to move to that group",
  moving: 'Moving',
  wrapping: 'Keys wrapped for the new group',
  moveAction: (count: number, group: string) => `move ${entries(count)} to “${group}”`,
  moved: (group: string) => `Entries moved to ${group}`,
  moveUndone: (group: string) => `Entries moved back to ${group}`,
  undoMoveAction: (group: string) => `move the entries back to “${group}”`,
} as const;
