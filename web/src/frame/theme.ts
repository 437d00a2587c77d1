/** Dark by default, light on request; the choice stays on this device. */
import { useSyncExternalStore } from 'react';

export type Theme = 'dark' | 'light';

const KEY = 'theme';
const listeners = new Set<() => void>();

const current = (): Theme => (document.documentElement.dataset['theme'] === 'light' ? 'light' : 'dark');

export function applyStoredTheme(): void {
  document.documentElement.dataset['theme'] = localStorage.getItem(KEY) === 'light' ? 'light' : 'dark';
}

export function toggleTheme(): void {
  const next: Theme = current() === 'dark' ? 'light' : 'dark';
  document.documentElement.dataset['theme'] = next;
  localStorage.setItem(KEY, next);
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, current);
}
