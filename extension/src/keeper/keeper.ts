/** The page without a window, in Chromium. */
import { inChosenLanguage } from '../texts/language.ts';

void inChosenLanguage(async () => (await import('./serve.ts')).serveKeeper());
