import type { ListedEntry } from '@passwordbroker/core/contract/entities';
import { compareTitles } from '@passwordbroker/core/domain/groups/group-tree';

export const ENTRY_COLUMNS = ['title', 'login', 'created_at', 'updated_at'] as const;
export type EntryColumn = (typeof ENTRY_COLUMNS)[number];

export interface EntryOrder {
  readonly column: EntryColumn;
  readonly isDescending: boolean;
}

export const BY_TITLE: EntryOrder = { column: 'title', isDescending: false };

/** The same column reverses the order. Another starts with texts from A, or the newest time. */
export function orderAfter(present: EntryOrder, column: EntryColumn): EntryOrder {
  if (present.column === column) return { column, isDescending: !present.isDescending };
  return { column, isDescending: column === 'created_at' || column === 'updated_at' };
}

/**
 * Entries without a login come last.
 * @param byTitle sorted by title (docs/spec/decisions.md G14), which decides between equals
 */
export function ordered<T extends ListedEntry>(
  byTitle: readonly T[],
  { column, isDescending }: EntryOrder,
): readonly T[] {
  if (column === 'title') return isDescending ? byTitle.toReversed() : byTitle;
  const sign = isDescending ? -1 : 1;
  if (column === 'login') {
    return byTitle.toSorted((a, b) => {
      if (a.login === null || b.login === null) return Number(a.login === null) - Number(b.login === null);
      return sign * compareTitles({ title: a.login, id: '' }, { title: b.login, id: '' });
    });
  }
  return byTitle.toSorted((a, b) => (a[column] === b[column] ? 0 : a[column] < b[column] ? -sign : sign));
}
