import type { Entry } from '@passwordbroker/core/contract/entities';

export const ENTRY_COLUMNS = ['title', 'created_at', 'updated_at'] as const;
export type EntryColumn = (typeof ENTRY_COLUMNS)[number];

export interface EntryOrder {
  readonly column: EntryColumn;
  readonly isDescending: boolean;
}

export const BY_TITLE: EntryOrder = { column: 'title', isDescending: false };

/** The same column reverses the order. Another starts with titles from A, or the newest time. */
export function orderAfter(present: EntryOrder, column: EntryColumn): EntryOrder {
  if (present.column === column) return { column, isDescending: !present.isDescending };
  return { column, isDescending: column !== 'title' };
}

/** @param byTitle sorted by title (docs/spec/decisions.md G14), which decides between equal times */
export function ordered<T extends Entry>(byTitle: readonly T[], { column, isDescending }: EntryOrder): readonly T[] {
  if (column === 'title') return isDescending ? byTitle.toReversed() : byTitle;
  const sign = isDescending ? -1 : 1;
  return byTitle.toSorted((a, b) => (a[column] === b[column] ? 0 : a[column] < b[column] ? -sign : sign));
}
