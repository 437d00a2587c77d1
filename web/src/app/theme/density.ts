import { useSyncExternalStore } from 'react';
import { keptChoice } from '@passwordbroker/client/kept-choice';

export type Density = 'comfortable' | 'compact';

export const density = keptChoice<Density>(
  'passwordbroker.density',
  'comfortable',
  (text) => (text === 'comfortable' || text === 'compact' ? text : null),
  () => localStorage,
);

/** Returns whether the browser remembers it. */
export function chooseDensity(chosen: Density): boolean {
  const isKept = density.set(chosen);
  showDensity();
  return isKept;
}

/** `tokens.css` has the heights. The pages before sign-in have no rows. */
export function showDensity(): void {
  document.documentElement.dataset['density'] = density.get();
}

/** Row heights in pixels, for lists that draw only a part of their rows; narrow screens need room for a finger. */
const HEIGHTS = {
  comfortable: { entry: 37, group: 28 },
  compact: { entry: 31, group: 24 },
} as const;
const NARROW_HEIGHTS = { entry: 57, group: 44 } as const;
const NARROW = '(max-width: 720px)';

export function useRowHeight(of: 'entry' | 'group'): number {
  return useSyncExternalStore(subscribe, () =>
    globalThis.matchMedia(NARROW).matches ? NARROW_HEIGHTS[of] : HEIGHTS[density.get()][of],
  );
}

function subscribe(listener: () => void) {
  const query = globalThis.matchMedia(NARROW);
  query.addEventListener('change', listener);
  const stop = density.onChange(listener);
  return () => {
    query.removeEventListener('change', listener);
    stop();
  };
}
