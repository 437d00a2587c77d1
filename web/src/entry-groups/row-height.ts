/** Height of a tree row in pixels: 28, and 44 on a narrow screen, where fingers point. */
import { useSyncExternalStore } from 'react';

const NARROW = '(max-width: 720px)';

export function useRowHeight(): number {
  return useSyncExternalStore(subscribe, () => (globalThis.matchMedia(NARROW).matches ? 44 : 28));
}

function subscribe(listener: () => void) {
  const query = globalThis.matchMedia(NARROW);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
