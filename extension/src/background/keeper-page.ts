/** The page without a window that holds the engine, in Chromium. Firefox's background is a page itself. */
import { api } from '../browser-api.ts';

const PAGE = 'keeper.html';
let starting: Promise<void> | null = null;

/** Safe to call often: the browser allows one such page. */
export function startKeeperPage(): Promise<void> {
  starting ??= start().finally(() => {
    starting = null;
  });
  return starting;
}

async function start(): Promise<void> {
  if (api.offscreen === undefined || (await isKeeperStarted())) return;
  await api.offscreen.createDocument({
    url: PAGE,
    reasons: ['WORKERS', 'CLIPBOARD'],
    justification: 'A worker of its own holds the keys; copied values are cleared later.',
  });
}

/** False: nothing is unlocked. */
export async function isKeeperStarted(): Promise<boolean> {
  const pages = await api.runtime.getContexts?.({ contextTypes: ['OFFSCREEN_DOCUMENT'] });
  return pages !== undefined && pages.length > 0;
}
