import { catalogue } from '@passwordbroker/core/texts';

export const UI_TEXTS = catalogue('ui', {
  close: 'Close',
  dismiss: 'Dismiss',
  notices: 'Notices',
  optional: 'optional',
  showTyped: 'Show',
  hideTyped: 'Hide',
  pages: 'Pages',
  previousPage: 'Previous page',
  nextPage: 'Next page',
  page: (page: number) => `Page ${page}`,
  shown: (from: number, to: number, total: number) => `${from}–${to} of ${total}`,
});
