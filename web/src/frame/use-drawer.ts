/** The groups of a small screen: a drawer that takes the focus and gives it back. It closes with Escape, a new page, and a wider window. */
import { type RefObject, useLayoutEffect, useState } from 'react';
import { useLocation } from 'react-router';

/** Wider than this the groups are a column (app-frame.module.css). */
const NARROW = '(max-width: 960px)';

export interface Drawer {
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly close: () => void;
}

export function useDrawer(panel: RefObject<HTMLElement | null>): Drawer {
  const { pathname } = useLocation();
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  const isOpen = openedAt === pathname;

  // Whoever closes it by going on is read the next page from its heading: that takes the focus after this has given it back (use-route-focus.ts).
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const opener = document.activeElement;
    panel.current?.focus();
    const close = () => setOpenedAt(null);
    const closeByKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape' && document.querySelector('dialog[open]') === null) close();
    };
    const narrow = matchMedia(NARROW);
    addEventListener('keydown', closeByKey);
    narrow.addEventListener('change', close);
    return () => {
      removeEventListener('keydown', closeByKey);
      narrow.removeEventListener('change', close);
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, [isOpen, panel]);

  return { isOpen, open: () => setOpenedAt(pathname), close: () => setOpenedAt(null) };
}
