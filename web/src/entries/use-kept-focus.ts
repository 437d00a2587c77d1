/** Where the focus was in the table, so that it does not fall out of the page with a row that is gone. */
import { useCallback, useEffect, useRef, type FocusEvent } from 'react';

/**
 * @param count of rows; the focus goes to the row that has taken the place, or to the last one
 * @param isCovered while a dialog lies over the table the focus is the dialog's
 * @returns for the table's `onFocus`
 */
export function useKeptFocus(focus: (index: number) => void, count: number, isCovered: boolean) {
  const place = useRef<number | null>(null);
  useEffect(() => {
    if (isCovered || place.current === null || count === 0) return;
    if (document.activeElement === null || document.activeElement === document.body)
      focus(Math.min(place.current, count - 1));
  }, [focus, count, isCovered]);
  useEffect(() => {
    // Whoever points elsewhere has left the table.
    const leave = ({ target }: Event) => {
      if (target instanceof Element && target.closest('[data-index], dialog') === null) place.current = null;
    };
    document.addEventListener('pointerdown', leave);
    return () => document.removeEventListener('pointerdown', leave);
  }, []);
  return useCallback(({ target }: FocusEvent) => {
    const index = target.closest<HTMLElement>('[data-index]')?.dataset['index'];
    place.current = index === undefined ? null : Number(index);
  }, []);
}
