/** Which rows of a long list are drawn: those near the view and the open ones, with the heights of the gaps between them. */
import { useCallback, useLayoutEffect, useState, type RefObject } from 'react';
import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual';
import type { Entry } from '@passwordbroker/core/contract/entities';

/** Row heights with their hairline, before they are measured. */
const ROW = 37;
const NARROW_ROW = 57;
const FIELDS = 220;

export interface DrawnRows {
  readonly drawn: readonly { readonly index: number; readonly gapBefore: number }[];
  readonly gapAfter: number;
  readonly measure: (element: HTMLElement | null) => void;
  readonly focus: (index: number) => void;
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
  const isOpen = (index: number) => open.has(entries[index]?.entry_id ?? '');
  const virtualizer = useVirtualizer({
    count: entries.length,
    getScrollElement: scroller,
    estimateSize: (index) => (isOpen(index) ? row + FIELDS : row),
    getItemKey: (index) => entries[index]?.entry_id ?? index,
    scrollMargin,
    overscan: 12,
    rangeExtractor: (range: Range) => withOpenRows(defaultRangeExtractor(range), entries, open),
  });

  const items = virtualizer.getVirtualItems();
  let end = scrollMargin;
  const drawn = items.map((item) => {
    const gapBefore = item.start - end;
    end = item.end;
    return { index: item.index, gapBefore };
  });
  const focus = (index: number) => {
    const title = () => list.current?.querySelector<HTMLElement>(`[data-index="${index}"] [data-entry-title]`) ?? null;
    const drawn = title();
    if (drawn !== null) {
      drawn.focus();
      return;
    }
    virtualizer.scrollToIndex(index, { align: 'center' });
    // A row that was far away is drawn in the first or the second frame after the scroll.
    requestAnimationFrame(() => (title() === null ? requestAnimationFrame(() => title()?.focus()) : title()?.focus()));
  };
  return {
    drawn,
    gapAfter: scrollMargin + virtualizer.getTotalSize() - end,
    measure: virtualizer.measureElement,
    focus,
  };
}

function withOpenRows(range: readonly number[], entries: readonly Entry[], open: ReadonlySet<string>): number[] {
  if (open.size === 0) return [...range];
  const all = new Set(range);
  entries.forEach((entry, index) => {
    if (open.has(entry.entry_id)) all.add(index);
  });
  return [...all].sort((a, b) => a - b);
}
