/** Firefox: the background is a page, which holds the engine, too. */
import { api } from '../browser-api.ts';
import { callWhenStarted } from '../calls.ts';
import { inChosenLanguage } from '../texts/language.ts';
import { startBackground } from './start-background.ts';

const keeper = callWhenStarted(inChosenLanguage(async () => (await import('../keeper/serve.ts')).serveKeeper()));

// Firefox ends a background that has had no event for half a minute, and the keys with it.
startBackground({ keeper, isStarted: async () => true, lookMinutes: 0.25 });

api.runtime.onInstalled.addListener(({ reason }) => {
  if (reason === 'install') void api.runtime.openOptionsPage();
});
