/** Sets the language, then loads everything that has texts. */
import { translate } from '@passwordbroker/core/texts';

/** Chosen on the account page; otherwise as in the browser. */
function isGerman(): boolean {
  let chosen = null;
  try {
    chosen = localStorage.getItem('language');
  } catch {
    // Storage may be forbidden.
  }
  return /^de\b/.test(chosen === 'de' || chosen === 'en' ? chosen : navigator.language);
}

// Not awaited at the top level: `start.tsx` imports this file's chunk.
void (async () => {
  if (isGerman()) {
    await import('./texts/german.ts').then(
      ({ GERMAN, germanSentence }) => {
        translate(GERMAN, germanSentence);
        document.documentElement.lang = 'de';
      },
      // Without its texts the page is English.
      () => undefined,
    );
  }
  await import('./start.tsx');
})();
