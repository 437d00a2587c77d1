/**
 * A browser with a local copy, behind a proxy that stays up while the server is down. The profile survives a
 * restart of the browser.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { afterEach, expect, vi } from 'vitest';
import { startBehindProxy } from '../server/behind-proxy.ts';
import { browserOptions, remember, watchPolicy } from '../browser/browser.ts';
import { fieldsOf } from '../vault/fields.ts';
import type { LyingProxy } from '../lies/lying-proxy.ts';
import { PERSON } from '../vault/screen.ts';
import type { RunningServer } from '../server/server.ts';

/** The entry with a field of each type. */
export const LEDGER = {
  entry: 'Billing ledger',
  account: 'Root account',
  login: 'ledger_root',
  password: 'q8-Rf3 lantern',
  link: 'https://console.ledger.internal/primary',
  note: 'Pause billing.\nThen promote.',
  totp: 'JBSWY3DPEHPK3PXP',
  /** Bytes differ by position, so parts cannot be confused. */
  file: {
    name: 'ledger.p12',
    mimeType: 'application/x-pkcs12',
    buffer: Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * 31 + (at >> 8)) & 255)),
  },
} as const;

export interface OfflineBrowser {
  readonly server: RunningServer;
  /** Passes everything on; tests use it to serve a new build of the client. */
  readonly proxy: LyingProxy;
  context: BrowserContext;
  /** The tab of the journey. */
  page: Page;
  at: ReturnType<typeof fieldsOf>;
  /** Address of the group 'Production'. */
  groupUrl: string;
}

export const bannerOf = (page: Page) => page.getByRole('status').filter({ hasText: 'Database is offline.' });
export const panelOf = (page: Page) => page.getByRole('dialog', { name: 'Offline database' });
export const partOf = (page: Page, name: string) => panelOf(page).locator(`[data-part=${name}]`);
export const offlineLoginOf = (page: Page) => page.getByRole('heading', { name: 'Work offline', level: 1 });

type OnPage = Pick<OfflineBrowser, 'page' | 'at'>;

export async function openPanel({ page, at }: OnPage): Promise<void> {
  await at.button('Offline database').click();
  await panelOf(page).waitFor();
}

/** Logs in on the offline page. */
export async function logInOffline(
  { page, at }: OnPage,
  masterPassword: string = PERSON.masterPassword,
): Promise<void> {
  await offlineLoginOf(page).waitFor();
  await at.box('Master password').fill(masterPassword);
  await page.keyboard.press('Enter');
}

/** Opens a page of the client without the server, and unlocks the copy. */
export async function goOffline(browser: OfflineBrowser, url = browser.groupUrl): Promise<void> {
  await browser.page.goto(url);
  await logInOffline(browser);
  await bannerOf(browser.page).waitFor();
}

/** Logs in with the account password. */
export async function logIn({ page, at }: OnPage): Promise<void> {
  await at.heading('Log in').waitFor();
  await at.box('Email').fill(PERSON.email);
  await at.box('Password').fill(PERSON.password);
  await page.keyboard.press('Enter');
}

/**
 * Waits until the service worker is active and every part of the copy is synchronized. The panel must be
 * open.
 */
export async function waitUntilKept({ page }: OnPage): Promise<void> {
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    await new Promise<void>((resolve) => {
      const look = () => {
        if (active === null || active.state === 'activated') resolve();
      };
      active?.addEventListener('statechange', look);
      look();
    });
  });
  for (const name of ['key', 'database', 'salt']) await partOf(page, name).getByText('synchronized').waitFor();
}

/** Makes a copy in the panel of the database icon, then closes the panel. */
export async function keepCopy(browser: OfflineBrowser): Promise<void> {
  const { page } = browser;
  await openPanel(browser);
  await page.getByRole('switch', { name: 'Enable offline mode' }).click();
  await partOf(page, 'key').waitFor();
  await waitUntilKept(browser);
  await keepFiles(browser);
  await closePanel(browser);
}

/** The file is fetched last, and the page does not show it. */
export async function keepFiles({ page }: OfflineBrowser): Promise<void> {
  await panelOf(page).getByLabel('Files in the copy').selectOption('Up to 10 MB each');
  await vi.waitFor(async () => expect((await keptIn(page)).bodies).toBe(1), { timeout: 20_000, interval: 100 });
}

/** Unlocks in the panel; an unlocked tab also keeps the copy up to date. */
export async function unlockPanel(tab: OnPage): Promise<void> {
  await openPanel(tab);
  await tab.at.button('Unlock', panelOf(tab.page)).click();
  await tab.at.remember();
  await waitUntilKept(tab);
  await closePanel(tab);
}

export async function closePanel({ page }: OnPage): Promise<void> {
  await page.keyboard.press('Escape');
  await panelOf(page).waitFor({ state: 'detached' });
}

export async function switchToOffline(tab: OnPage): Promise<void> {
  await openPanel(tab);
  await waitUntilKept(tab);
  await tab.at.button('Switch to offline').click();
  await bannerOf(tab.page).waitFor();
  await closePanel(tab);
}

/** Number of stored copies, pieces and file bodies. */
export const keptIn = (page: Page): Promise<{ copies: number; pieces: number; bodies: number }> =>
  page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(new Error('IndexedDB')));
      });
    const database = await done(indexedDB.open('passwordbroker-offline'));
    const stores = ['copies', 'pieces', 'bodies'] as const;
    const act = database.transaction([...stores]);
    const [copies = 0, pieces = 0, bodies = 0] = await Promise.all(
      stores.map((store) => done(act.objectStore(store).count())),
    );
    database.close();
    return { copies, pieces, bodies };
  });

/** One server and one browser per file; a script error fails the current test. */
export function offlineBrowser() {
  const complaints: string[] = [];
  const profile = mkdtempSync(join(tmpdir(), 'passwordbroker-profile-'));
  const browser = {} as { -readonly [Part in keyof OfflineBrowser]: OfflineBrowser[Part] };

  function enter(page: Page) {
    remember(page);
    page.setDefaultTimeout(20_000);
    page.on('pageerror', (error) => complaints.push(`${error.name}: ${error.message}`));
    return goTo(page);
  }

  /** Switches to a known tab. */
  function goTo(page: Page) {
    browser.page = page;
    browser.at = fieldsOf(page);
    return page;
  }

  /** @param env additional environment variables of the browser */
  async function open(env: Readonly<Record<string, string>> = {}) {
    browser.context = await chromium.launchPersistentContext(profile, {
      ...browserOptions(),
      env: { ...process.env, ...env },
      viewport: { width: 1440, height: 900 },
      colorScheme: 'dark',
      permissions: ['clipboard-read', 'clipboard-write'],
      acceptDownloads: true,
    });
    watchPolicy(browser.context);
    enter(browser.context.pages()[0] ?? (await browser.context.newPage()));
  }

  afterEach(() => expect(complaints.splice(0)).toEqual([]));

  return {
    browser: browser as OfflineBrowser,
    open,
    goTo,
    openTab: async () => enter(await browser.context.newPage()),

    /** Profile folder of the browser. */
    profile,

    /** Signs up and creates a group with two entries, one of which has a field of each type. */
    start: async (env: Readonly<Record<string, string>> = {}) => {
      const { server, proxy } = await startBehindProxy(env);
      Object.assign(browser, { server, proxy });
      await open();
      const { at } = browser;
      await at.signUp(proxy.origin);
      await at.addTree('Production');
      browser.groupUrl = proxy.origin + new URL(browser.page.url()).pathname;
      await at.addEntry(LEDGER.entry);
      await at.addEntry('Mail relay');
      await at.openEntry(LEDGER.entry);
      const { box, dialog, addField } = at;
      await addField('Password', LEDGER.account, async () => {
        await box('Login', dialog()).fill(LEDGER.login);
        await box('Value', dialog()).fill(LEDGER.password);
      });
      await addField('Link', 'Console', () => box('Value', dialog()).fill(LEDGER.link));
      await addField('Note', 'Runbook', () => box('Value', dialog()).fill(LEDGER.note));
      await addField('TOTP', 'Sign-in', () => box('Secret', dialog()).fill(LEDGER.totp));
      await addField('File', 'Certificate', () => dialog().locator('input[type=file]').setInputFiles(LEDGER.file));
    },

    /** Stops everything that was started. */
    stop: async () => {
      const { context, proxy, server }: Partial<OfflineBrowser> = browser;
      try {
        await context?.close();
        await proxy?.close();
      } finally {
        await server?.stop();
        rmSync(profile, { recursive: true, force: true });
      }
    },
  };
}
