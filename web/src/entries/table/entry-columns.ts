import { useMemo, useSyncExternalStore } from 'react';
import { keptChoice } from '@passwordbroker/client/kept-choice';
import { ENTRY_COLUMNS, type EntryColumn } from './entry-order.ts';

/** The title is always shown. */
export const CHOSEN_COLUMNS = ENTRY_COLUMNS.filter((column) => column !== 'title');

export interface EntryColumns {
  readonly shown: ReadonlySet<EntryColumn>;
  readonly toggle: (column: EntryColumn) => void;
}

/** Hidden columns rather than shown ones, so that a column of a later version is shown. */
const hidden = keptChoice<string>(
  'passwordbroker.hidden-entry-columns',
  '',
  (text) => text,
  () => localStorage,
);

/** The columns of all tables of entries, as chosen in this browser. */
export function useEntryColumns(): EntryColumns {
  const text = useSyncExternalStore(hidden.onChange, hidden.get);
  return useMemo(() => {
    const absent = text.split(',');
    return {
      shown: new Set(ENTRY_COLUMNS.filter((column) => column === 'title' || !absent.includes(column))),
      toggle: (column) => {
        const others = absent.filter((one) => one !== column && one !== '');
        hidden.set((absent.includes(column) ? others : [...others, column]).join(','));
      },
    };
  }, [text]);
}
