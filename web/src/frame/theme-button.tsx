import { Moon, Sun } from 'lucide-react';
import { FRAME_TEXTS as TEXTS } from '../texts/frame.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { toggleTheme, useTheme } from './theme.ts';

/** Shows the theme that it leads to. */
export function ThemeButton() {
  const theme = useTheme();
  return (
    <IconButton
      label={TEXTS.toggleTheme}
      icon={theme === 'dark' ? <Sun size={16} /> : <Moon size={16} />}
      size="lg"
      align="end"
      onPress={toggleTheme}
    />
  );
}
