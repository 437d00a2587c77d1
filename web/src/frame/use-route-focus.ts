/** A new page is read from its heading on; the first one keeps the browser's own focus. */
import { type RefObject, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router';

function focusHeading(main: HTMLElement): boolean {
  const heading = main.querySelector('h1');
  if (heading === null) return false;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  return true;
}

/** Until the heading is there, the place of the page itself has the focus; whoever moves on meanwhile is left in peace. */
export function useRouteFocus(place: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  const last = useRef(pathname);
  // With the page itself: a moment later somebody could be elsewhere already, and would be taken away from there.
  useLayoutEffect(() => {
    const main = place.current;
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
  }, [pathname, place]);
}
