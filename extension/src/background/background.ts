/** Passes messages on and keeps nothing: the browser stops it when it is idle. */
import { api } from '../browser-api.ts';

api.runtime.onInstalled.addListener(({ reason }) => {
  if (reason === 'install') void api.runtime.openOptionsPage();
});
