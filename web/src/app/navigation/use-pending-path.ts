import { useLocation, useNavigation } from 'react-router';

/** The path that the person has asked for, from the click on: the page of the former one is shown until the code of the next has come. */
export function usePendingPath(): string {
  const { pathname } = useLocation();
  return useNavigation().location?.pathname ?? pathname;
}
