export const UI_TEXTS = {
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
};

/** Sets another language, before anything is shown. */
export function setUiTexts(texts: typeof UI_TEXTS): void {
  Object.assign(UI_TEXTS, texts);
}
