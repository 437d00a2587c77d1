import { useEffect, useMemo, useRef, useState } from 'react';
import type { Entry } from '@passwordbroker/core/contract/entities';
import { all, among, extended, NOTHING_CHOSEN, ranged, toggled } from './selection.ts';

export interface EntrySelection {
  readonly chosen: ReadonlySet<string>;
  readonly isAll: boolean;
  readonly verbs: SelectionVerbs;
}

export interface SelectionVerbs {
  readonly toggle: (id: string) => void;
  /** Selects all rows from the anchor to this one. */
  readonly range: (id: string) => void;
  /** A step with Shift from one row to its neighbour. */
  readonly extend: (from: string, to: string) => void;
  readonly all: () => void;
  readonly none: () => void;
}

/**
 * The selection as state; rows that are gone drop out. The functions are stable.
 * @param entries in display order
 */
export function useSelection(entries: readonly Entry[]): EntrySelection {
  const [kept, keep] = useState(NOTHING_CHOSEN);
  const ids = useMemo(() => entries.map((entry) => entry.entry_id), [entries]);
  const present = useMemo(() => new Set(ids), [ids]);
  const selection = useMemo(() => among(kept, present), [kept, present]);

  const shown = useRef(ids);
  useEffect(() => {
    shown.current = ids;
  }, [ids]);
  const verbs = useMemo<SelectionVerbs>(
    () => ({
      toggle: (id) => keep((before) => toggled(before, id)),
      range: (id) => keep((before) => ranged(before, shown.current, id)),
      extend: (from, to) => keep((before) => extended(before, shown.current, from, to)),
      all: () => keep(all(shown.current)),
      none: () => keep(NOTHING_CHOSEN),
    }),
    [],
  );
  return { chosen: selection.chosen, isAll: entries.length > 0 && selection.chosen.size === entries.length, verbs };
}
