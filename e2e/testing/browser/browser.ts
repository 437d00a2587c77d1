/** Chromium of the distribution, and pages that fail a test on any CSP violation or script error. */
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, type Page, chromium } from 'playwright-core';
import { CHROMIUM_ARGUMENTS } from './chromium-arguments.ts';

const PLACES = [
  process.env['CHROMIUM'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Program and arguments. */
export function browserOptions(): { executablePath: string; args: string[] } {
  const executablePath = PLACES.find((place) => place !== '' && existsSync(place));
  if (executablePath === undefined)
    throw new Error('No Chromium: install the distribution’s package “chromium” or set CHROMIUM.');
  return { executablePath, args: CHROMIUM_ARGUMENTS };
}

/** A browser that records CSP violations of every page, popups included. */
export async function launchBrowser(): Promise<Browser> {
  const browser = await chromium.launch(browserOptions());
  browser.on('context', watchPolicy);
  return browser;
}

let shared: Promise<Browser> | undefined;

/**
 * One browser for all files of a process. `closePages` closes the contexts of a file; the end of the process
 * closes the browser.
 */
export async function sharedBrowser(): Promise<Browser> {
  if (shared !== undefined && !(await shared).isConnected()) shared = undefined;
  shared ??= launchBrowser();
  return shared;
}

/** Closes every context, so that files are independent and no server waits for open connections. */
export async function closePages(browser: Browser | undefined): Promise<void> {
  await Promise.all((browser?.contexts() ?? []).map((context) => context.close()));
}

const isComplaint = (text: string) => /Content.Security.Policy|Trusted ?Type|violates/i.test(text);
const violations: string[] = [];

/** From now on a CSP violation in any page of the context fails the current test (`on-failure.ts`). */
export function watchPolicy(context: BrowserContext): void {
  context.on('console', (message) => {
    if (isComplaint(message.text())) violations.push(message.text());
  });
}

/** CSP violations of all pages since the last call. */
export const policyViolations = (): readonly string[] => violations.splice(0);

export interface WatchedPage {
  readonly context: BrowserContext;
  readonly page: Page;
  /** CSP violations and uncaught script errors so far; empty in a good run. */
  complaints(): readonly string[];
}

interface OpenedPage {
  readonly page: Page;
  /** The last failed or refused requests. */
  readonly troubles: readonly string[];
}

const MOST_TROUBLES = 20;
const opened: OpenedPage[] = [];

/** All pages that are open. */
export const openedPages = (): readonly OpenedPage[] => opened.filter(({ page }) => !page.isClosed());

/** Records failures of the page, printed if a test fails. `openPage` calls it for its pages. */
export function remember(page: Page): void {
  const troubles: string[] = [];
  const note = (line: string) => {
    troubles.push(line);
    if (troubles.length > MOST_TROUBLES) troubles.shift();
  };
  const pathOf = (url: string) => new URL(url).pathname;
  page.on('requestfailed', (request) => note(`${request.failure()?.errorText ?? ''} ${pathOf(request.url())}`));
  page.on('response', (response) => {
    if (response.status() >= 400) note(`${response.status()} ${pathOf(response.url())}`);
  });
  page.on('pageerror', (error) => note(error.message));
  opened.push({ page, troubles });
}

export async function openPage(
  browser: Browser,
  options: {
    width?: number;
    height?: number;
    /** Colour scheme of the system. */
    scheme?: 'dark' | 'light';
    /** Theme stored in this browser; default: dark. */
    theme?: 'light';
    motion?: 'reduce' | 'no-preference';
    serviceWorkers?: 'allow' | 'block';
  } = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
    colorScheme: options.scheme ?? 'dark',
    // Transitions are a quarter of the time of opening a dialog; only the basic journey runs with them.
    reducedMotion: options.motion ?? 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    acceptDownloads: true,
    // A service worker would fetch the whole client for every journey; journeys about it enable it.
    serviceWorkers: options.serviceWorkers ?? 'block',
  });
  if (options.theme !== undefined) {
    await context.addInitScript((theme) => {
      if (globalThis.origin !== 'null') localStorage.setItem('theme', localStorage.getItem('theme') ?? theme);
    }, options.theme);
  }
  const page = await context.newPage();
  remember(page);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (isComplaint(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(`${error.name}: ${error.message}`));
  return { context, page, complaints: () => complaints };
}
