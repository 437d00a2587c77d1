/** Sets the language, then loads everything that has texts. */
import { translate } from '@passwordbroker/core/texts';

/** Languages beside English. */
const CATALOGUES = {
  de: () => import('./texts/german.ts'),
  fr: () => import('./texts/french.ts'),
  es: () => import('./texts/spanish.ts'),
};

const knownIn = (text: string | null) => /^(en|de|fr|es)\b/.exec(text ?? '')?.[0];

/** Chosen on the account page; otherwise as in the browser. */
function language(): string {
  let chosen = null;
  try {
    chosen = localStorage.getItem('language');
  } catch {
    // Storage may be forbidden.
  }
  return knownIn(chosen) ?? knownIn(navigator.language) ?? 'en';
}

// Not awaited at the top level: `start.tsx` imports this file's chunk.
void (async () => {
  const chosen = language();
  if (Object.hasOwn(CATALOGUES, chosen)) {
    await CATALOGUES[chosen as keyof typeof CATALOGUES]().then(
      ({ TEXTS, sentence }) => {
        translate(TEXTS, sentence);
        document.documentElement.lang = chosen;
      },
      // Without its texts the page is English.
      () => undefined,
    );
  }
  await import('./start.tsx');
})();
