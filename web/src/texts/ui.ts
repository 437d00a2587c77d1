/** Words of the design system, the same wherever one of its parts is used. */
export const UI_TEXTS = {
  close: 'Close',
  dismiss: 'Dismiss',
  notices: 'Notices',
  /** After the name of an input that may stay empty. */
  optional: 'optional',
  showTyped: 'Show',
  hideTyped: 'Hide',
  pages: 'Pages',
  previousPage: 'Previous page',
  nextPage: 'Next page',
  page: (page: number) => `Page ${page}`,
  shown: (from: number, to: number, total: number) => `${from}–${to} of ${total}`,
} as const;
