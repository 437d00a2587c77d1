/** A browser with a small extension that reads and fills pages by the code of `extension/src`, and pages of our own on hosts that end in `.localhost`. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { type BrowserContext, type Page, type Worker, chromium } from 'playwright-core';
import type { FillOrder, FillResult, ReadOptions } from '../../../extension/src/page/form-types.ts';
import type { InPage, PageRead } from '../../../extension/src/background/in-page.ts';
import { browserOptions } from '../browser/browser.ts';

const SOURCES = join(import.meta.dirname, '../../../extension/src');

/** What the worker of the small extension offers; `messages` are those of `watch-saves`. */
type Offered = typeof globalThis & { readonly inPage: InPage; readonly messages: unknown[] };

export interface FormBrowser {
  readonly context: BrowserContext;
  /** Serves the body on a host of its own. @returns its address */
  serve(page: ServedPage): string;
  /** Shows the page in a tab that is used again afterwards, on a host of the tab. */
  show<T>(page: Omit<ServedPage, 'host'>, work: (form: OpenForm) => Promise<T>): Promise<T>;
  open(url: string): Promise<OpenForm>;
  close(): Promise<void>;
}

interface ServedPage {
  readonly html: string;
  readonly host?: string;
  readonly path?: string;
  readonly lang?: string;
}

export interface OpenForm {
  readonly page: Page;
  read(options?: ReadOptions): Promise<PageRead | null>;
  fill(read: PageRead, order: Omit<FillOrder, 'mark' | 'origin'>): Promise<FillResult>;
  /** The values of all inputs of the page, in shadow roots, too: by their place in the tree. */
  values(): Promise<string[]>;
  /** The places of the inputs that a selector means. */
  places(selector: string): Promise<number[]>;
  messages(): Promise<unknown[]>;
}

/** Recorded in the page before its own scripts, to look into closed shadow roots. */
const RECORD_ROOTS = `{const attach=Element.prototype.attachShadow,closed=new WeakMap();Element.prototype.attachShadow=function(o){const r=attach.call(this,o);closed.set(this,r);return r};
  const walk=(root,out)=>{for(const e of [...(root instanceof Document?Document:DocumentFragment).prototype.querySelectorAll.call(root,'*')]){if(e instanceof HTMLInputElement)out.push(e);const s=closed.get(e)??(e instanceof HTMLFormElement?null:e.shadowRoot);if(s instanceof ShadowRoot)walk(s,out)}return out};
  Object.defineProperty(globalThis,'__inputs',{value:()=>walk(document,[])})}`;

type Recorded = typeof globalThis & { __inputs(): HTMLInputElement[] };

export async function startFormBrowser(options: { watch?: boolean } = {}): Promise<FormBrowser> {
  const folder = mkdtempSync(join(tmpdir(), 'passwordbroker-forms-'));
  const extension = await makeExtension(join(folder, 'extension'), options.watch === true);
  const pages = new Map<string, ServedPage>();
  const server = createServer((request, response) => answer(pages, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { executablePath, args } = browserOptions();
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath,
    viewport: { width: 1100, height: 800 },
    args: [...args, '--headless=new', `--disable-extensions-except=${extension}`, `--load-extension=${extension}`],
  });
  await context.addInitScript(RECORD_ROOTS);
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  let count = 0;
  const serve = (page: ServedPage) => {
    count += 1;
    const host = page.host ?? `page-${count}.localhost`;
    pages.set(host, page);
    return `http://${host}:${port}${page.path ?? '/'}`;
  };
  const open = async (url: string) => {
    const page = await context.newPage();
    await page.goto(url);
    return openForm(page, worker);
  };
  const free: { host: string; form: OpenForm }[] = [];
  return {
    context,
    serve,
    open,
    show: async (page, work) => {
      const host = free.at(-1)?.host ?? `tab-${count + 1}.localhost`;
      const known = free.pop()?.form;
      const url = serve({ ...page, host });
      await known?.page.goto(url);
      const form = known ?? (await open(url));
      const result = await work(form);
      free.push({ host, form });
      return result;
    },
    close: async () => {
      await context.close();
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function openForm(page: Page, worker: Worker): Promise<OpenForm> {
  const tabId = await tabOf(page, worker);
  return {
    page,
    read: (options = {}) =>
      worker.evaluate(([tab, asked]) => (globalThis as Offered).inPage.read(tab, asked), [tabId, options] as const),
    fill: (read, order) =>
      worker.evaluate(([tab, document, full]) => (globalThis as Offered).inPage.fill(tab, document, full), [
        tabId,
        read.documentId,
        { ...order, mark: read.reading.mark, origin: read.reading.origin },
      ] as const),
    values: () => page.evaluate(() => (globalThis as Recorded).__inputs().map(({ value }) => value)),
    places: (selector) =>
      page.evaluate(
        (wanted) =>
          (globalThis as Recorded).__inputs().flatMap((input, place) => (input.matches(wanted) ? [place] : [])),
        selector,
      ),
    messages: () => worker.evaluate(() => (globalThis as Offered).messages.splice(0)),
  };
}

interface Tabs {
  readonly chrome: { readonly tabs: { query(of: { url: string }): Promise<{ id: number }[]> } };
}

/** The browser's id of a page: each has an address of its own. */
async function tabOf(page: Page, worker: Worker): Promise<number> {
  const { origin } = new URL(page.url());
  const ids = await worker.evaluate(async () => {
    const { chrome } = globalThis as unknown as Tabs;
    return (await chrome.tabs.query({ url: '*://*/*' })) as { id: number; url?: string }[];
  });
  const found = ids.findLast(({ url }) => url !== undefined && new URL(url).origin === origin);
  if (found === undefined) throw new Error(`No tab shows ${origin}`);
  return found.id;
}

function answer(pages: ReadonlyMap<string, ServedPage>, request: IncomingMessage, response: ServerResponse): void {
  const page = pages.get((request.headers.host ?? '').split(':')[0] ?? '');
  if (page === undefined || request.url === '/favicon.ico') {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.end(
    `<!doctype html><html lang="${page.lang ?? 'en'}"><meta charset=utf-8><title>Page</title><style>body{font:15px sans-serif;margin:20px}</style><body>${page.html}`,
  );
}

const BACKGROUND = `
  import { createInPage } from './background/in-page.ts';
  globalThis.inPage = createInPage(chrome.scripting);
  globalThis.messages = [];
  chrome.runtime.onMessage.addListener((message, sender) => { globalThis.messages.push({ message, origin: sender.origin, frame: sender.frameId }); });`;

/** @returns its folder */
async function makeExtension(folder: string, watches: boolean): Promise<string> {
  const bundle = { bundle: true, format: 'iife', target: 'chrome120', logLevel: 'error' } as const;
  const scripts = watches ? ['form', 'watch-saves'] : ['form'];
  await Promise.all([
    build({ ...bundle, stdin: { contents: BACKGROUND, resolveDir: SOURCES }, outfile: join(folder, 'background.js') }),
    ...scripts.map((name) =>
      build({
        ...bundle,
        entryPoints: [join(SOURCES, `page/${name}.ts`)],
        outfile: join(folder, `${name}.js`),
      }),
    ),
  ]);
  const manifest = {
    manifest_version: 3,
    name: 'Forms',
    version: '1',
    permissions: ['scripting', 'tabs'],
    host_permissions: ['<all_urls>'],
    background: { service_worker: 'background.js' },
    ...(watches
      ? { content_scripts: [{ matches: ['<all_urls>'], js: ['watch-saves.js'], run_at: 'document_start' }] }
      : {}),
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  return folder;
}
