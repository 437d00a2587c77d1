import { useEffect, useMemo, useRef, useState } from 'react';
import type { Entry } from '@passwordbroker/core/contract/entities';

export interface EntrySelection {
  readonly chosen: ReadonlySet<string>;
  readonly isAll: boolean;
  readonly verbs: SelectionVerbs;
}

interface SelectionVerbs {
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

/** Selected rows by id, so that the selection survives sorting and reloading. */
export interface Selection {
  readonly chosen: ReadonlySet<string>;
  /** Start of a range: the row that was toggled last. */
  readonly anchor: string | null;
  /** End of the current range. */
  readonly lead: string | null;
  /** The chosen rows before the current range, which may still shrink. */
  readonly before: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();
export const NOTHING_CHOSEN: Selection = { chosen: NONE, anchor: null, lead: null, before: NONE };

/** Toggles one row, which becomes the anchor. */
export function toggled({ chosen }: Selection, id: string): Selection {
  const after = new Set(chosen);
  if (!after.delete(id)) after.add(id);
  return { chosen: after, anchor: id, lead: id, before: after };
}

/**
 * Gives all rows from the anchor to this one the state of the anchor. Rows of the previous range outside this
 * one get their earlier state back.
 * @param shown ids in display order
 */
export function ranged(selection: Selection, shown: readonly string[], id: string): Selection {
  const { anchor, before } = selection;
  const from = anchor === null ? -1 : shown.indexOf(anchor);
  const to = shown.indexOf(id);
  if (from === -1 || anchor === null) return toggled(selection, id);
  if (to === -1) return selection;
  const isOn = before.has(anchor);
  const chosen = new Set(before);
  for (const one of shown.slice(Math.min(from, to), Math.max(from, to) + 1)) {
    if (isOn) chosen.add(one);
    else chosen.delete(one);
  }
  return { chosen, anchor, lead: id, before };
}

/** A step with Shift to a neighbour. Continues the current range if it ends at the focused row. */
export function extended(selection: Selection, shown: readonly string[], from: string, to: string): Selection {
  if (selection.lead === from && selection.anchor !== null && selection.before.has(selection.anchor))
    return ranged(selection, shown, to);
  const before = new Set(selection.chosen).add(from);
  return ranged({ chosen: before, anchor: from, lead: from, before }, shown, to);
}

export function all(shown: readonly string[]): Selection {
  const chosen = new Set(shown);
  return { chosen, anchor: null, lead: null, before: chosen };
}

/** Drops rows that are gone; returns the same object if none is. */
export function among(selection: Selection, present: ReadonlySet<string>): Selection {
  const { chosen, anchor } = selection;
  const left = new Set([...chosen].filter((id) => present.has(id)));
  if (left.size === chosen.size) return selection;
  const isAnchored = anchor !== null && present.has(anchor);
  return { chosen: left, anchor: isAnchored ? anchor : null, lead: isAnchored ? anchor : null, before: left };
}
