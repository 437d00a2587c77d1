/** A server behind a proxy that can lie. */
import type { Browser, Page } from 'playwright-core';
import { closePages, openPage, sharedBrowser, type WatchedPage } from '../browser/browser.ts';
import { startLyingProxy, type LyingProxy } from '../lies/lying-proxy.ts';
import { freePort, startServer, type RunningServer } from './server.ts';

interface BehindProxy {
  readonly server: RunningServer;
  readonly proxy: LyingProxy;
}

export async function startBehindProxy(env: Readonly<Record<string, string>> = {}): Promise<BehindProxy> {
  const port = await freePort();
  const server = await startServer({ publicUrl: `http://localhost:${port}`, env });
  return { server, proxy: await startLyingProxy(port, () => server.port) };
}

export interface BrowserBehindProxy extends BehindProxy {
  readonly browser: Browser;
  readonly watched: WatchedPage;
  readonly page: Page;
  stop(): Promise<void>;
}

/** With a browser and a page; there are no users yet. */
export async function openBehindProxy(): Promise<BrowserBehindProxy> {
  const { server, proxy } = await startBehindProxy();
  const browser = await sharedBrowser();
  const watched = await openPage(browser);
  watched.page.setDefaultTimeout(20_000);
  const stop = async () => {
    await closePages(browser);
    await proxy.close();
    await server.stop();
  };
  return { server, proxy, browser, watched, page: watched.page, stop };
}
