import { useLocation, useNavigation } from 'react-router';

/** The path that is being navigated to, or the current one. */
export function usePendingPath(): string {
  const { pathname } = useLocation();
  return useNavigation().location?.pathname ?? pathname;
}
