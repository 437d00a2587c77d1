import { useCallback, useLayoutEffect, useMemo, useState, type RefObject } from 'react';
import {
  defaultRangeExtractor,
  measureElement,
  observeElementRect,
  useVirtualizer,
  type Range,
  type Virtualizer,
} from '@tanstack/react-virtual';
import type { Entry } from '@passwordbroker/core/contract/entities';
import { useRowHeight } from '../../app/theme/density.ts';

/** Estimated height of the fields of an open entry. */
const FIELDS = 220;
/** Rows rendered beyond the view on each side. */
const BEYOND = 12;
/** Frames to wait until a scrolled-to row is rendered. */
const FRAMES = 10;

type Rows = Virtualizer<HTMLElement, Element>;

/** Measures rows in the next frame, to avoid a forced layout of the whole page. */
const BY_FRAME = {
  observeElementRect(rows: Rows, tell: Parameters<typeof observeElementRect<HTMLElement>>[1]) {
    let stop: ReturnType<typeof observeElementRect>;
    const frame = requestAnimationFrame(() => {
      stop = observeElementRect(rows, tell);
    });
    return () => {
      cancelAnimationFrame(frame);
      stop?.();
    };
  },
  measureElement(row: Element, seen: ResizeObserverEntry | undefined, rows: Rows) {
    if (seen !== undefined) return measureElement(row, seen, rows);
    const index = rows.indexFromElement(row);
    return rows.itemSizeCache.get(rows.options.getItemKey(index)) ?? rows.options.estimateSize(index);
  },
};

export interface DrawnRows {
  readonly drawn: readonly { readonly index: number; readonly gapBefore: number }[];
  readonly gapAfter: number;
  readonly measure: (element: HTMLElement | null) => void;
  /** Scrolls to the row and focuses its title. With 'center' it scrolls even if the row is in view. */
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
    const measure = () => {
      const box = list.current;
      const main = scroller();
      if (box === null || main === null) return;
      setScrollMargin(box.getBoundingClientRect().top - main.getBoundingClientRect().top + main.scrollTop);
    };
    const frame = requestAnimationFrame(measure);
    return () => cancelAnimationFrame(frame);
  }, [list, scroller]);

  const row = useRowHeight('entry');
  // Memoised, because there may be thousands of rows.
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
    ...BY_FRAME,
    initialRect: { width: 0, height: globalThis.innerHeight },
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
