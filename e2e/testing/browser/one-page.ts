/** The setup of most journeys: a server, a browser and one page without errors. */
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { type WatchedPage, closePages, openPage, sharedBrowser } from './browser.ts';
import { type RunningServer, startServer } from '../server/server.ts';

export interface OnePage {
  readonly server: RunningServer;
  readonly browser: Browser;
  readonly watched: WatchedPage;
  readonly page: Page;
}

/**
 * Call once per file, before its own hooks. `begin` runs before the first test. A script error or CSP
 * violation fails the current test.
 */
export function withOnePage(
  begin: (opened: OnePage) => Promise<void> | void,
  ...options: Parameters<typeof startServer>
): void {
  let server: RunningServer | undefined;
  let browser: Browser | undefined;
  let watched: WatchedPage | undefined;
  beforeAll(async () => {
    server = await startServer(...options);
    browser = await sharedBrowser();
    watched = await openPage(browser);
    await begin({ server, browser, watched, page: watched.page });
  });
  afterAll(async () => {
    await closePages(browser);
    await server?.stop();
  });
  afterEach(() => {
    expect(watched?.complaints()).toEqual([]);
  });
}
