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
  hintTitle: 'Ways to search',
  hint: [
    { typed: 'title:root', text: 'in titles of entries and fields' },
    { typed: 'login:root', text: 'in logins' },
    { typed: 'group:billing', text: 'in names of groups' },
    { typed: 'type:TOTP', text: 'entries with a field of this kind: password, TOTP, link, note, file' },
    { typed: '"old server"', text: 'these words in this order' },
    { typed: '-staging', text: 'without this word' },
    {
      typed: '"-staging"',
      text: 'this exact text: inside quotes, a minus sign or a word such as title: has no special meaning',
    },
  ],
  absent: 'Entries have no tags and no due dates yet, so “tag:” and “due:” find nothing.',
  noFields: 'This entry has no fields.',
} as const;

export const SUGGESTION_TEXTS = {
  list: 'Suggestions',
  groups: 'Groups',
  actions: 'Actions',
  entries: 'Entries',
  count: (count: number) =>
    count === 0
      ? 'No suggestions'
      : `${count} ${count === 1 ? 'suggestion' : 'suggestions'}, use the arrow keys to choose`,
  foot: 'searches all entries',
  footKey: 'Enter',
  failed: (reason: string) => `Search suggestions failed: ${reason}`,
} as const;
