/**
 * The router of the client: a page stays until the next one can be shown, and meanwhile everybody knows where the person is going.
 * React Router's own one tells nobody before the new page is there, so that a press on a slow device looks like one that was lost.
 */
import { type ReactNode, createContext, startTransition, use, useLayoutEffect, useMemo, useState } from 'react';
import {
  type Location,
  type NavigationType,
  Router,
  UNSAFE_createBrowserHistory as browserHistory,
  useLocation,
} from 'react-router';

interface Place {
  readonly action: NavigationType;
  readonly location: Location;
}

interface Way {
  /** Where the person is going; where he is when he goes nowhere. */
  readonly pathname: string;
  readonly isOnTheWay: boolean;
}

const WayContext = createContext<Way | null>(null);

export function PlaceRouter({ children }: { readonly children: ReactNode }) {
  const [history] = useState(() => browserHistory({ v5Compat: true }));
  const [shown, setShown] = useState<Place>(() => ({ action: history.action, location: history.location }));
  const [wanted, setWanted] = useState(shown);
  useLayoutEffect(
    () =>
      history.listen(({ action, location }) => {
        const next = { action, location };
        setWanted(next);
        startTransition(() => setShown(next));
      }),
    [history],
  );
  const { pathname } = wanted.location;
  const isOnTheWay = wanted !== shown;
  const way = useMemo(() => ({ pathname, isOnTheWay }), [pathname, isOnTheWay]);
  return (
    <WayContext value={way}>
      <Router location={shown.location} navigationType={shown.action} navigator={history}>
        {children}
      </Router>
    </WayContext>
  );
}

/** Where the person is going: in a router that does not tell, where he is. */
export function useWay(): Way {
  const { pathname } = useLocation();
  return use(WayContext) ?? { pathname, isOnTheWay: false };
}
