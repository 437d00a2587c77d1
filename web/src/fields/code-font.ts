/** The font that values are shown in. Asked for with the table of fields it is there before a value is: nothing is drawn twice, and no other font is looked for. */
import { useEffect } from 'react';

export function useCodeFont(): void {
  useEffect(() => {
    const family = getComputedStyle(document.documentElement).getPropertyValue('--font-code');
    // Without it the next font of that list is taken.
    if ('fonts' in document) document.fonts.load(`14px ${family}`).catch(() => undefined);
  }, []);
}
