/** The distribution's Chromium, and pages that fail a test on any CSP complaint or script error. */
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, type Page, chromium } from 'playwright-core';

const PLACES = [
  process.env['CHROMIUM'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Which program, and how it is started. */
export function browserOptions(): { executablePath: string; args: string[] } {
  const executablePath = PLACES.find((place) => place !== '' && existsSync(place));
  if (executablePath === undefined)
    throw new Error('No Chromium: install the distribution’s package “chromium” or set CHROMIUM.');
  return { executablePath, args: ARGUMENTS };
}

export const launchBrowser = (): Promise<Browser> => chromium.launch(browserOptions());

export interface WatchedPage {
  readonly context: BrowserContext;
  readonly page: Page;
  /** CSP violations and uncaught script errors so far; a good run has none. */
  complaints(): readonly string[];
}

export async function openPage(
  browser: Browser,
  options: { width?: number; height?: number; scheme?: 'dark' | 'light'; serviceWorkers?: 'allow' | 'block' } = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
    colorScheme: options.scheme ?? 'dark',
    permissions: ['clipboard-read', 'clipboard-write'],
    acceptDownloads: true,
    // It would fetch the whole client again for every journey; those about it ask for it.
    serviceWorkers: options.serviceWorkers ?? 'block',
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (/Content.Security.Policy|Trusted ?Type|violates/i.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(`${error.name}: ${error.message}`));
  return { context, page, complaints: () => complaints };
}
