import { catalogue } from '@passwordbroker/core/texts';

/** Favourites and recent entries. */
export const DESK_TEXTS = catalogue('desk', {
  favourite: (title: string) => `Favourite: ${title}`,
  add: 'Add to favourites',
  remove: 'Remove from favourites',
  action: (title: string) => `save the change of “${title}”`,
  added: (title: string) => `“${title}” is a favourite now`,
  removed: (title: string) => `“${title}” is no longer a favourite`,
  failed: (title: string, reason: string) => `The change of “${title}” was not saved. ${reason}`,
  saveSearch: 'Save this search',
  searchSaved: (query: string) => `The search “${query}” is saved`,
  searchRemoved: (query: string) => `The search “${query}” is no longer saved`,
});

export const HOME_TEXTS = catalogue('home', {
  page: 'Home',
  favourites: 'Favourites',
  recent: 'Recent',
  searches: 'Searches',
  removeSearch: (name: string) => `Remove the saved search ${name}`,
  noFavourites: 'Press the star of an entry or a group to find it here.',
  noRecent: 'Entries that you open, copy or change in this browser are listed here.',
  showAll: (count: number) => `Show all ${count}`,
  failed: 'Your favourites and recent entries could not be loaded.',
  damaged: [
    'Your list of favourites is damaged and cannot be opened.',
    'Start a new list with the favourites that this browser knows, or restore the server from a backup first.',
  ],
  begin: 'Start a new list',
  parts: {
    password: (title: string) => `Copy password of ${title}`,
    login: (title: string) => `Copy login of ${title}`,
    link: (title: string) => `Open link of ${title}`,
    code: (title: string) => `Copy one-time code of ${title}`,
  },
  missing: { entry: 'An entry that is no longer here', group: 'A group that is no longer here' },
  missingHint: 'It was deleted, or you are no longer a member of its group.',
  removeMissing: 'Remove this favourite',
  checkup: 'Open the checkup',
  locked: 'Unlock to see your favourites and recent entries',
});
