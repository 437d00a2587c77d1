/** Cuts searched texts as `searchRowOf` does. */
import type { Migration } from '../migrate.ts';

const TEXTS = ['title_folded', 'names_folded', 'logins_folded', 'files_folded'];
const MOST = 16_384;

export const boundedSearch: Migration = {
  name: '0020-bounded-search',
  both: [
    `update entry_search set ${TEXTS.map((column) => `${column} = substr(${column}, 1, ${MOST})`).join(', ')}
      where ${TEXTS.map((column) => `length(${column}) > ${MOST}`).join(' or ')}`,
  ],
};
