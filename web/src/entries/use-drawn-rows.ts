/** Which rows of a long list are drawn: those near the view and the open ones, with the heights of the gaps between them. */
import { useCallback, useLayoutEffect, useMemo, useState, type RefObject } from 'react';
import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual';
import type { Entry } from '@passwordbroker/core/contract/entities';

/** Row heights with their hairline, before they are measured. */
const ROW = 37;
const NARROW_ROW = 57;
const FIELDS = 220;
/** Rows drawn beyond the view on each side. */
const BEYOND = 12;
/** A row that was far away is drawn within a few frames after the scroll. */
const FRAMES = 10;

export interface DrawnRows {
  readonly drawn: readonly { readonly index: number; readonly gapBefore: number }[];
  readonly gapAfter: number;
  readonly measure: (element: HTMLElement | null) => void;
  /** Brings the row into view and puts the focus on its title; 'center' also when it is in view. */
  readonly focus: (index: number, align?: 'center') => void;
}

export function useDrawnRows(
  list: RefObject<HTMLElement | null>,
  entries: readonly Entry[],
  open: ReadonlySet<string>,
): DrawnRows {
  const [scrollMargin, setScrollMargin] = useState(0);
  const scroller = useCallback(() => list.current?.closest('main') ?? null, [list]);
  useLayoutEffect(() => {
    const box = list.current;
    const main = scroller();
    if (box === null || main === null) return;
    setScrollMargin(box.getBoundingClientRect().top - main.getBoundingClientRect().top + main.scrollTop);
  }, [list, scroller]);

  const row = globalThis.matchMedia('(max-width: 720px)').matches ? NARROW_ROW : ROW;
  // Looked for once, not in every frame: there may be thousands of rows, and few are open.
  const openRows = useMemo(() => {
    if (open.size === 0) return [];
    return entries.flatMap((entry, index) => (open.has(entry.entry_id) ? [index] : []));
  }, [entries, open]);
  const virtualizer = useVirtualizer({
    count: entries.length,
    getScrollElement: scroller,
    estimateSize: (index) => (open.has(entries[index]?.entry_id ?? '') ? row + FIELDS : row),
    getItemKey: useCallback((index: number) => entries[index]?.entry_id ?? index, [entries]),
    scrollMargin,
    overscan: BEYOND,
    rangeExtractor: useCallback((range: Range) => withOpenRows(defaultRangeExtractor(range), openRows), [openRows]),
  });

  const items = virtualizer.getVirtualItems();
  let end = scrollMargin;
  const drawn = items.map((item) => {
    const gapBefore = item.start - end;
    end = item.end;
    return { index: item.index, gapBefore };
  });
  const focus = useCallback(
    (index: number, align?: 'center') => {
      const title = () =>
        list.current?.querySelector<HTMLElement>(`[data-index="${index}"] [data-entry-title]`) ?? null;
      const present = title();
      if (present !== null && align === undefined) {
        present.focus();
        return;
      }
      virtualizer.scrollToIndex(index, { align: 'center' });
      const focusDrawn = (frames: number) =>
        requestAnimationFrame(() => {
          const drawnTitle = title();
          if (drawnTitle !== null) drawnTitle.focus();
          else if (frames > 0) focusDrawn(frames - 1);
        });
      focusDrawn(FRAMES);
    },
    [list, virtualizer],
  );
  return {
    drawn,
    gapAfter: scrollMargin + virtualizer.getTotalSize() - end,
    measure: virtualizer.measureElement,
    focus,
  };
}

function withOpenRows(range: number[], openRows: readonly number[]): number[] {
  if (openRows.length === 0) return range;
  return [...new Set([...range, ...openRows])].sort((a, b) => a - b);
}
