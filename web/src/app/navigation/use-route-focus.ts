import { type RefObject, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router';

function focusHeading(main: HTMLElement): boolean {
  const heading = main.querySelector('h1');
  if (heading === null) return false;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  return true;
}

/**
 * Focuses the heading of each new page except the first; without a heading, the page itself. If the person
 * moves the focus meanwhile, it stays there.
 */
export function useRouteFocus(page: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  const last = useRef(pathname);
  // In a layout effect, before the person can move the focus.
  useLayoutEffect(() => {
    const main = page.current;
    if (main === null || last.current === pathname) return undefined;
    last.current = pathname;
    main.scrollTo(0, 0);
    if (focusHeading(main)) return undefined;
    main.focus({ preventScroll: true });
    const arrival = new MutationObserver(() => {
      if (document.activeElement !== main || focusHeading(main)) arrival.disconnect();
    });
    arrival.observe(main, { childList: true, subtree: true });
    return () => arrival.disconnect();
  }, [pathname, page]);
}
