/** Firefox: the background is a page, which holds the engine, too. */
import { api } from '../browser-api.ts';
import { serveKeeper } from '../keeper/serve.ts';
import { startBackground } from './start-background.ts';

const keeper = serveKeeper();

// Firefox ends a background that has had no event for half a minute, and the keys with it.
startBackground({ keeper, isStarted: async () => true, lookMinutes: 0.25 });

api.runtime.onInstalled.addListener(({ reason }) => {
  if (reason === 'install') void api.runtime.openOptionsPage();
});
