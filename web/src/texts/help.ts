import { catalogue } from '@passwordbroker/core/texts';

export const HELP_TEXTS = catalogue('help', {
  title: 'Help',
  action: 'Help and keyboard shortcuts',
  search: 'Search the help',
  searchHint: 'For example: share, lock, undo',
  contents: 'Manual and shortcuts',
  found: (count: number) => (count === 1 ? '1 result' : `${count} results`),
  nothing: 'Nothing matches.',
  nothingHint: 'Try one shorter word.',
  clear: 'Clear the search',
});
