/** Sets language and theme of the browser before anything with texts is loaded. */
import { catalogue, translate } from '@passwordbroker/core/texts';
import { setUiTexts, UI_TEXTS } from '@passwordbroker/ui/texts';

/** Languages beside English. */
const CATALOGUES = {
  de: () => import('./german.ts'),
  fr: () => import('./french.ts'),
  es: () => import('./spanish.ts'),
};

const known = () => /^(de|fr|es)\b/.exec(navigator.language)?.[0] as keyof typeof CATALOGUES | undefined;

/** @param start imports what has texts */
export async function inChosenLanguage<Started>(start: () => Promise<Started>): Promise<Started> {
  const language = known();
  document.documentElement.dataset['theme'] = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';
  if (language !== undefined) {
    const { TEXTS, sentence } = await CATALOGUES[language]();
    translate(TEXTS, sentence);
    document.documentElement.lang = language;
  }
  setUiTexts(catalogue('ui', UI_TEXTS));
  return start();
}
