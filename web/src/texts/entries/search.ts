import { catalogue } from '@passwordbroker/core/texts';

export const SEARCH_TEXTS = catalogue('search', {
  heading: (query: string) => `Search results for: "${query}"`,
  empty: '... empty result',
  emptyHint: (query: string) => `Nothing matches “${query}”. Check the spelling or try a shorter term.`,
  similar: 'Similar',
  similarHint: (query: string) => `Nothing contains “${query}”. These entries contain similar words.`,
  change: 'Change the search',
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
    { typed: 'tag:pci', text: 'entries with this tag' },
    { typed: 'due:week', text: 'entries that are due within a week; “due:late” for those that are overdue' },
    { typed: 'type:TOTP', text: 'entries with a field of this kind: password, TOTP, link, note, file' },
    { typed: '"old server"', text: 'these words in this order' },
    { typed: '-staging', text: 'without this word' },
    {
      typed: '"-staging"',
      text: 'this exact text: inside quotes, a minus sign or a word such as title: has no special meaning',
    },
  ],
  noFields: 'This entry has no fields.',
});

const nounsOf = (entry: string, field: string | null) =>
  field === null ? `of “${entry}”` : `“${field}” of “${entry}”`;

/** Keys of the entry that is chosen below the search box. */
export const ENTRY_PART_TEXTS = catalogue('entryPart', {
  bar: (entry: string) => `Actions for ${entry}`,
  buttons: {
    password: { label: 'Copy password', keys: 'Ctrl C' },
    login: { label: 'Copy login', keys: 'Ctrl B' },
    link: { label: 'Open link', keys: 'Ctrl O' },
    code: { label: 'Copy code', keys: 'Alt T' },
  },
  /** `field` is null if the entry has one field of this kind. */
  done: {
    password: (entry: string, field: string | null) => `Copied the password ${nounsOf(entry, field)}`,
    login: (entry: string, field: string | null) => `Copied the login ${nounsOf(entry, field)}`,
    link: (entry: string, field: string | null) => `Opened the link ${nounsOf(entry, field)}`,
    code: (entry: string, field: string | null) => `Copied the one-time code ${nounsOf(entry, field)}`,
  },
  none: {
    password: (entry: string) => `“${entry}” has no password.`,
    login: (entry: string) => `“${entry}” has no login.`,
    link: (entry: string) => `“${entry}” has no link.`,
    code: (entry: string) => `“${entry}” has no one-time code.`,
  },
  failed: {
    password: (entry: string, reason: string) => `The password of “${entry}” was not copied. ${reason}`,
    login: (entry: string, reason: string) => `The login of “${entry}” was not copied. ${reason}`,
    link: (entry: string, reason: string) => `The link of “${entry}” was not opened. ${reason}`,
    code: (entry: string, reason: string) => `The one-time code of “${entry}” was not copied. ${reason}`,
  },
});

export const SUGGESTION_TEXTS = catalogue('suggestion', {
  list: 'Suggestions',
  recent: 'Recent',
  favourites: 'Favourites',
  searches: 'Searches',
  newLogin: 'New login',
  chooseGroup: 'Choose the group that it belongs to.',
  noGroup: 'You may not add entries to any group. Add a group of your own first.',
  goOn: 'Continue',
  unlock: 'Unlock the vault',
  home: 'Home',
  formerMembers: 'Former members',
  groups: 'Groups',
  actions: 'Actions',
  entries: 'Entries',
  similar: { group: 'Similar groups', entry: 'Similar entries' },
  count: (count: number) =>
    count === 0
      ? 'No suggestions'
      : `${count} ${count === 1 ? 'suggestion' : 'suggestions'}, use the arrow keys to choose`,
  foot: 'searches all entries',
  footKey: 'Enter',
  failed: (reason: string) => `Search suggestions failed: ${reason}`,
});
