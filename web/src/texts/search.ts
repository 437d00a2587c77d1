/** Texts of the search results. */
export const SEARCH_TEXTS = {
  heading: (query: string) => `Search results for: "${query}"`,
  empty: '... empty result',
  emptyHint: (query: string) => `Nothing matches “${query}”. Check the spelling or try a shorter term.`,
  count: (entries: number, groups: number) =>
    `${entries} ${entries === 1 ? 'entry' : 'entries'} in ${groups} ${groups === 1 ? 'group' : 'groups'}`,
  countOnPage: (entries: number) => `${entries} ${entries === 1 ? 'entry' : 'entries'}`,
  perPage: 'Per page',
  perPageOption: (count: number) => `${count} per page`,
  updated: (time: string) => `Updated ${time}`,
  loading: 'loading...',
  failed: 'The search could not be run.',
  retry: 'Try again',
  noFields: 'This entry has no fields.',
} as const;
