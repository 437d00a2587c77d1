/** Passes messages on and keeps nothing: Chromium stops it when it is idle. */
import { api } from '../browser-api.ts';
import { connectKeeper } from '../calls.ts';
import type { KeeperOperations } from '../keeper/operations.ts';
import { isKeeperStarted, startKeeperPage } from './keeper-page.ts';
import { startBackground } from './start-background.ts';

startBackground({
  keeper: connectKeeper<KeeperOperations>(startKeeperPage),
  isStarted: isKeeperStarted,
  lookMinutes: 1,
});

api.runtime.onInstalled.addListener(({ reason }) => {
  if (reason === 'install') void api.runtime.openOptionsPage();
});
