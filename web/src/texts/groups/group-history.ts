/** The columns are the specification's. */
export const GROUP_HISTORY_TEXTS = {
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
  empty: 'history is empty',
  emptyHint: 'What is done with the fields of this group appears here.',
  loading: 'Loading history',
  failed: 'The history could not be loaded',
  retry: 'Try again',
  pages: 'Pages of the history',
  page: (page: number) => `Page ${page}`,
  newer: 'Newer',
  older: 'Older',
} as const;
