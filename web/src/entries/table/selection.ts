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
