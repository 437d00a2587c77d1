/** Strings of the specification are literal. */
const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

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

export const GROUP_TEXTS = {
  settings: 'Settings',
  name: 'Group name',
  nameMissing: 'The name is required.',
  save: 'Save',
  saving: 'Saving',
  updated: (name: string) => `Entry group "${name}" updated`,
  renamed: (from: string, to: string) => `Entry group "${from}" renamed to "${to}"`,
  renameUndone: (name: string) => `Entry group "${name}" has its name back`,

  enableMoveMode: 'enable Entry Group move mode',
  disableMoveMode: 'disable Entry Group move mode',
  moveHint: 'Drag groups you administer, or press M on one.',
  moveDone: 'Done',
  dropZone: 'drop a group here to move it to the root',
  dragging: (title: string) => `Moving ${title}`,
  move: 'Move group',
  moveHintInSettings: 'Takes everything below it along. Members and their roles stay as they are.',
  moveTo: 'Move to',
  moveDialog: (title: string) => `Move ${title}`,
  now: (path: string) => `now in ${path}`,
  nowAtRoot: 'now at the root',
  root: 'Root',
  rootHint: 'a tree of its own',
  moving: 'Moving',
  moved: (name: string, target: string | null) =>
    target === null ? `Entry group "${name}" moved to the root` : `Entry group "${name}" moved to "${target}"`,
  moveUndone: (name: string) => `Entry group "${name}" moved back`,
  refused: "You don't have permission to move to that group",
  moveFailed: (reason: string) => `The group was not moved: ${reason}`,

  remove: 'Delete group',
  removeHint: 'Removes its entries, fields and child groups for every user.',
  removing: 'Deleting',
  removeDialog: (title: string) => `Delete ${title}?`,
  counting: 'Counting what goes with it...',
  countFailed: 'What goes with it could not be counted.',
  removeText: (below: Below & { readonly users: number }) =>
    `This deletes the group${withAll(below)}, ${below.users === 1 ? 'for you alone' : `for all ${below.users} users`}.`,
  removeLater: 'Until the trash is emptied, its admins can restore it.',
  removed: (name: string) => `Entry group "${name}" deleted`,
  removeUndone: (name: string) => `Entry group "${name}" restored`,

  cancel: 'Cancel',
} as const;
