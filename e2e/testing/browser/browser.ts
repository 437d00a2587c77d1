/** The distribution's Chromium, and pages that fail a test on any CSP complaint or script error. */
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, type Page, chromium } from 'playwright-core';
import { CHROMIUM_ARGUMENTS } from './chromium-arguments.ts';

const PLACES = [
  process.env['CHROMIUM'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Which program, and how it is started. */
export function browserOptions(): { executablePath: string; args: string[] } {
  const executablePath = PLACES.find((place) => place !== '' && existsSync(place));
  if (executablePath === undefined)
    throw new Error('No Chromium: install the distribution’s package “chromium” or set CHROMIUM.');
  return { executablePath, args: CHROMIUM_ARGUMENTS };
}

/** A browser in which the policy is watched in every page, popups too, whoever opens it. */
export async function launchBrowser(): Promise<Browser> {
  const browser = await chromium.launch(browserOptions());
  browser.on('context', watchPolicy);
  return browser;
}

let shared: Promise<Browser> | undefined;

/** The browser of all files that one process runs in turn; `closePages` ends what a file had in it, the end of the process ends it. */
export async function sharedBrowser(): Promise<Browser> {
  if (shared !== undefined && !(await shared).isConnected()) shared = undefined;
  shared ??= launchBrowser();
  return shared;
}

/** Every context with all that it kept: none knows of the next, and no server has to wait for a page to let go of it. */
export async function closePages(browser: Browser | undefined): Promise<void> {
  await Promise.all((browser?.contexts() ?? []).map((context) => context.close()));
}

const isComplaint = (text: string) => /Content.Security.Policy|Trusted ?Type|violates/i.test(text);
const violations: string[] = [];

/** From now on what the policy refuses in any page of it fails the test in which it came (`on-failure.ts`). */
export function watchPolicy(context: BrowserContext): void {
  context.on('console', (message) => {
    if (isComplaint(message.text())) violations.push(message.text());
  });
}

/** What the policies of all pages have refused since this was asked last. */
export const policyViolations = (): readonly string[] => violations.splice(0);

export interface WatchedPage {
  readonly context: BrowserContext;
  readonly page: Page;
  /** CSP violations and uncaught script errors so far; a good run has none. */
  complaints(): readonly string[];
}

interface OpenedPage {
  readonly page: Page;
  /** The last requests that failed or were refused. */
  readonly troubles: readonly string[];
}

const MOST_TROUBLES = 20;
const opened: OpenedPage[] = [];

/** All pages that are open. */
export const openedPages = (): readonly OpenedPage[] => opened.filter(({ page }) => !page.isClosed());

/** Tells of it when a test fails; pages of `openPage` are known. */
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
    /** Theme stored in this browser; none: dark. */
    theme?: 'light';
    motion?: 'reduce' | 'no-preference';
    serviceWorkers?: 'allow' | 'block';
  } = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
    colorScheme: options.scheme ?? 'dark',
    // Ways from one state to the next are a quarter of the work of opening a dialog; the journey through the whole product takes them.
    reducedMotion: options.motion ?? 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    acceptDownloads: true,
    // It would fetch the whole client again for every journey; those about it ask for it.
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
