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
 * Focuses the heading of each new page, but not of the first one. Until there is a heading, the page itself has the focus; if the person
 * moves the focus meanwhile, it stays there.
 */
export function useRouteFocus(place: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  const last = useRef(pathname);
  // In the layout effect: later the person may have moved the focus already.
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
