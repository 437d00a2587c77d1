/** Chromium with the built extension, and pages of our own on hosts that end in `.localhost`. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, type CDPSession, type Page, type Worker, chromium } from 'playwright-core';
import { browserOptions, watchPolicy } from '../browser/browser.ts';

const BUILD = join(import.meta.dirname, '../../../build/build-extension.mjs');

export interface ExtensionBrowser {
  readonly context: BrowserContext;
  readonly id: string;
  /** The service worker, started if it was stopped. */
  worker(): Promise<Worker>;
  /** The popup in a tab behind the page: the page stays the one that the person sees. */
  popup(behind: Page): Promise<Page>;
  /** As a click on the extension's button: it may act on the page until that leaves its origin. */
  grant(page: Page): Promise<void>;
  /** Serves a page on a host. @returns its address */
  serve(host: string, html: string, path?: string): string;
  /** Opens an address in a tab of its own. */
  open(address: string): Promise<Page>;
  close(): Promise<void>;
}

interface Options {
  /** Stays, so that a browser can be started again with it. */
  readonly folder?: string;
  /** More sites with a permission. */
  readonly hosts?: readonly string[];
}

/** Without the question of the browser, which no test can answer: the permissions for this machine and `hosts` are given. */
function unpackExtension(folder: string, hosts: readonly string[]): string {
  execFileSync(process.execPath, [BUILD, '--unpacked', '--target=chromium', `--out=${folder}`]);
  const unpacked = join(folder, 'chromium');
  const path = join(unpacked, 'manifest.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  const given = ['http://localhost/*', 'http://127.0.0.1/*', ...hosts];
  writeFileSync(path, JSON.stringify({ ...manifest, host_permissions: given }));
  return unpacked;
}

export async function startExtensionBrowser({ folder, hosts = [] }: Options = {}): Promise<ExtensionBrowser> {
  const own = folder ?? mkdtempSync(join(tmpdir(), 'passwordbroker-extension-'));
  const unpacked = unpackExtension(own, hosts);
  const pages = new Map<string, string>();
  const server = createServer((request, response) => {
    const html = pages.get(`${request.headers.host ?? ''}${(request.url ?? '/').split('?')[0]}`);
    response.writeHead(html === undefined ? 404 : 200, { 'Content-Type': 'text/html; charset=utf-8' });
    response.end(html ?? 'not found');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { executablePath, args } = browserOptions();
  const isFirstStart = !existsSync(join(own, 'profile'));
  const context = await chromium.launchPersistentContext(join(own, 'profile'), {
    executablePath,
    viewport: { width: 1100, height: 800 },
    args: [...args, '--headless=new', `--disable-extensions-except=${unpacked}`, `--load-extension=${unpacked}`],
  });
  watchPolicy(context);
  const worker = async () => context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  const id = new URL((await worker()).url()).host;
  if (isFirstStart) await optionsOpened(context);
  const session = await browserSession(context);
  return {
    context,
    id,
    worker,
    async popup(behind) {
      const popup = await context.newPage();
      await behind.bringToFront();
      await popup.setViewportSize({ width: 380, height: 600 });
      await popup.goto(`chrome-extension://${id}/popup.html`);
      return popup;
    },
    async grant(page) {
      await page.bringToFront();
      const targetId = await tabTargetOf(session, page);
      await session.send('Extensions.triggerAction' as never, { id, targetId } as never);
    },
    serve(host, html, path = '/') {
      pages.set(`${host}:${port}${path}`, html);
      return `http://${host}:${port}${path}`;
    },
    async open(address) {
      const page = await context.newPage();
      await page.goto(address);
      return page;
    },
    async close() {
      await context.close();
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      if (folder === undefined) rmSync(own, { recursive: true, force: true });
    },
  };
}

/** At its installation the extension opens its options, in a tab that is free: pages of a test come after that. */
async function optionsOpened(context: BrowserContext): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (context.pages().some((page) => page.url().endsWith('/options.html'))) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('The extension did not open its options');
}

async function browserSession(context: BrowserContext): Promise<CDPSession> {
  const browser = context.browser();
  if (browser === null) throw new Error('No browser');
  return browser.newBrowserCDPSession();
}

interface TargetInfo {
  readonly targetId: string;
  readonly type: string;
  readonly url: string;
}

/** The tab around a page: a target of its own. */
async function tabTargetOf(session: CDPSession, page: Page): Promise<string> {
  const { targetInfos } = (await session.send('Target.getTargets', { filter: [{ type: 'tab' }] })) as {
    readonly targetInfos: readonly TargetInfo[];
  };
  const tab = targetInfos.find(({ url }) => url === page.url());
  if (tab === undefined) throw new Error(`No tab shows ${page.url()}`);
  return tab.targetId;
}
