/** Which rows are chosen: one by one, in ranges from an anchor, all. Ids, so that it survives sorting and loading again. */

export interface Selection {
  readonly chosen: ReadonlySet<string>;
  /** Where a range begins: the row that was chosen or taken back last. */
  readonly anchor: string | null;
  /** Where the present range ends. */
  readonly lead: string | null;
  /** What was chosen before the present range, which may still shrink. */
  readonly before: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();
export const NOTHING_CHOSEN: Selection = { chosen: NONE, anchor: null, lead: null, before: NONE };

/** One row more or less; ranges begin there from now on. */
export function toggled({ chosen }: Selection, id: string): Selection {
  const after = new Set(chosen);
  if (!after.delete(id)) after.add(id);
  return { chosen: after, anchor: id, lead: id, before: after };
}

/**
 * All rows from the anchor to this one become as the anchor is: chosen or not. What the last range had and this one has not is as before.
 * @param shown ids in the order on the screen
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

/** A step with Shift: from the row that has the focus to its neighbour. A new range starts unless this one ended just there. */
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

/** Without rows that are gone; the same object where none is. */
export function among(selection: Selection, present: ReadonlySet<string>): Selection {
  const { chosen, anchor } = selection;
  const left = new Set([...chosen].filter((id) => present.has(id)));
  if (left.size === chosen.size) return selection;
  const isAnchored = anchor !== null && present.has(anchor);
  return { chosen: left, anchor: isAnchored ? anchor : null, lead: isAnchored ? anchor : null, before: left };
}
