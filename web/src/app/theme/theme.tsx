import { IDENTITY_TEXTS as TEXTS } from '../../texts/identity/identity.ts';
import { Glyph } from '@passwordbroker/ui/display/glyph';
import { IconButton } from '@passwordbroker/ui/actions/button';
import { useSyncExternalStore } from 'react';
import { keptChoice } from '@passwordbroker/client/kept-choice';

/** Dark by default (docs/spec/product.md §1). `public/theme.js` applies the theme before the first paint, so that no other colours flash; without storage it is dark. */
type Theme = 'dark' | 'light';
type ThemeChoice = Theme | 'system';

/** `public/theme.js` reads the same key and values. */
const choice = keptChoice<ThemeChoice>(
  'theme',
  'dark',
  (text) => (text === 'dark' || text === 'light' || text === 'system' ? text : null),
  () => localStorage,
);
const system = matchMedia('(prefers-color-scheme: light)');
const listeners = new Set<() => void>();

const current = (): Theme => (document.documentElement.dataset['theme'] === 'light' ? 'light' : 'dark');

/** Returns whether the browser remembers it. */
export function chooseTheme(chosen: ThemeChoice): boolean {
  const isKept = choice.set(chosen);
  show();
  return isKept;
}

export const toggleTheme = () => void chooseTheme(current() === 'dark' ? 'light' : 'dark');

export const useTheme = (): Theme => useSyncExternalStore(listen, current);

export const useThemeChoice = (): ThemeChoice => useSyncExternalStore(choice.onChange, choice.get);

function show(): void {
  const chosen = choice.get();
  const theme = chosen === 'system' ? (system.matches ? 'light' : 'dark') : chosen;
  document.documentElement.dataset['theme'] = theme;
  const bar = document.querySelector<HTMLMetaElement>('meta[name=theme-color]');
  if (bar !== null) bar.content = bar.dataset[theme] ?? bar.content;
  for (const listener of listeners) listener();
}

function listen(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

system.addEventListener('change', show);

/** Shows the theme that it switches to. */
export function ThemeButton() {
  const theme = useTheme();
  return (
    <IconButton
      label={TEXTS.toggleTheme}
      icon={<Glyph of={theme === 'dark' ? 'sun' : 'moon'} />}
      size="lg"
      align="end"
      onPress={toggleTheme}
    />
  );
}
