import { FRAME_TEXTS as TEXTS } from '../../texts/frame.ts';
import { Glyph } from '@passwordbroker/ui/display/glyph';
import { IconButton } from '@passwordbroker/ui/actions/icon-button';
import { toggleTheme, useTheme } from './theme.ts';

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
