const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

export const FORMER_MEMBER_TEXTS = {
  page: 'Leavers',
  pageHint: 'Who left a group of yours, and which values they had opened: change these.',
  title: 'Departed',
  list: 'People who left',
  loading: 'Looking up who left',
  failed: 'Who left could not be loaded.',
  retry: 'Try again',
  empty: 'nobody has left',
  emptyHint: 'Whoever is removed from a group where you are admin appears here.',
  causes: { removed: 'removed', deleted: 'account deleted', reset: 'account reset' },
  left: (time: string) => `left ${time}`,
  from: (group: string) => `from ${group}`,
  open: (count: number) => (count === 0 ? 'nothing left to change' : `${counted(count, 'value', 'values')} to change`),
  more: (name: string) => `What ${name} has opened`,
  show: 'Show',
  less: 'Hide',

  rows: (name: string) => `Opened by ${name}`,
  columns: { entry: 'Entry', field: 'Field', opened: 'Opened', state: 'State' },
  rowsLoading: 'Looking up what was opened',
  rowsFailed: 'What was opened could not be loaded.',
  nothing: 'Nothing was opened here.',
  how: { revealed: 'shown', offline: 'in an offline copy', written: 'written' },
  change: 'change this',
  changed: 'changed since',
  trashed: 'in the trash',
  untitled: 'untitled',
  changeThese: (open: number, all: number) =>
    open === 0
      ? `${all === 1 ? 'The value was' : `All ${all} values were`} changed since.`
      : `Opened and not changed since: ${counted(open, 'value', 'values')}. Change these.`,
  openedBy: (name: string, count: number) =>
    count === 0
      ? `${name} has opened nothing in this group.`
      : `${name} has opened ${counted(count, 'value', 'values')} in this group`,
  export: 'Export as CSV',
  exportName: (name: string) => `opened by ${name}.csv`,
  exported: (name: string) => `List of what ${name} has opened saved`,
  csv: ['Person', 'Group', 'Entry', 'Field', 'Type', 'Opened at', 'How', 'State'],
  inAllGroups: (name: string) => `${name} in all groups`,
  onePerson: 'One person is shown.',
  everybody: 'Show everybody',
  allGroups: 'Leavers of all groups',
} as const;
