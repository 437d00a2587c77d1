/** Offline the link is disabled and says why. */
import { type ReactNode, useId, type RefObject, useLayoutEffect, useRef } from 'react';
import { Link, matchPath, useLocation, useNavigation } from 'react-router';
import { Tooltip } from '@passwordbroker/ui/overlays/tooltip';
import { useWhyNot } from '../../vault/use-vault.ts';
import styles from './online-link.module.css';

interface OnlineLinkProps {
  readonly to: string;
  readonly className: string;
  readonly label?: string;
  readonly onFollow?: () => void;
  readonly children: ReactNode;
}

export function OnlineLink({ to, className, label, onFollow, children }: OnlineLinkProps) {
  const whyNot = useWhyNot();
  const reason = useId();
  const isHere = matchPath({ path: to, end: false }, usePendingPath()) !== null;
  if (whyNot === null) {
    return (
      <Link
        to={to}
        className={className}
        aria-label={label}
        aria-current={isHere ? 'page' : undefined}
        onClick={onFollow}
      >
        {children}
      </Link>
    );
  }
  return (
    <Tooltip text={whyNot} id={reason}>
      <span
        role="link"
        tabIndex={0}
        className={`${className} ${styles['off'] ?? ''}`}
        aria-disabled="true"
        aria-label={label}
        aria-describedby={reason}
      >
        {children}
      </span>
    </Tooltip>
  );
}

/** The path being navigated to, or the current one. */
export function usePendingPath(): string {
  const { pathname } = useLocation();
  return useNavigation().location?.pathname ?? pathname;
}

function focusHeading(main: HTMLElement): boolean {
  const heading = main.querySelector('h1');
  if (heading === null) return false;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  return true;
}

/**
 * Focuses the heading of each new page except the first, or the page itself. Stops if the person moves the
 * focus.
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
