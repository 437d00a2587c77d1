/** Dark or light: `public/theme.js` sets what the system asks for before anything is drawn; a choice stays on this device. */
import { useSyncExternalStore } from 'react';

export type Theme = 'dark' | 'light';

const KEY = 'theme';
const listeners = new Set<() => void>();

const current = (): Theme => (document.documentElement.dataset['theme'] === 'light' ? 'light' : 'dark');

export function toggleTheme(): void {
  const next: Theme = current() === 'dark' ? 'light' : 'dark';
  document.documentElement.dataset['theme'] = next;
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // Storage may be forbidden: the choice then lives as long as the page.
  }
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, current);
}
