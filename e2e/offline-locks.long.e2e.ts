/**
 * Two tabs share one copy by Web Locks and IndexedDB: one of them downloads, and the other takes over if it
 * closes.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openElsewhere, type Elsewhere } from './testing/server/elsewhere.ts';
import {
  bannerOf,
  closePanel,
  openPanel,
  waitUntilKept,
  keepCopy,
  keptIn,
  LEDGER,
  offlineBrowser,
  switchToOffline,
  unlockPanel,
} from './testing/offline/offline-copy.ts';
import { tabOf } from './testing/offline/offline-journey.ts';

/** Longer than the polling interval of each tab (docs/spec/product.md §9: every 5 s). */
const LOOKS_MS = 11_000;
const isDownload = ({ url }: { readonly url: string }) => url.includes('/entryGroupsWithFields');

const { browser, start, stop, openTab, goTo } = offlineBrowser();
let elsewhere: Elsewhere;
let tabs: [Page, Page];
/** The tab of each started download, in order. */
const downloading: Page[] = [];

beforeAll(async () => {
  await start();
  await keepCopy(browser);
  elsewhere = await openElsewhere(browser);
  const first = browser.page;
  const second = await openTab();
  tabs = [first, second];
  await second.goto(browser.groupUrl);
  await unlockPanel(browser);
  for (const page of tabs)
    page.on('request', (request) => {
      if (isDownload({ url: request.url() })) downloading.push(page);
    });
});
afterAll(async () => {
  try {
    await elsewhere.close();
  } finally {
    await stop();
  }
});

/** Names of the held locks on parts of the copy, and the number of waiting requests, which is always 0. */
const locks = (page: Page) =>
  page.evaluate(async () => {
    const { held = [], pending = [] } = await navigator.locks.query();
    return { held: held.map(({ name }) => name?.split(' ').at(-1)), pending: pending.length };
  });

async function showsInCopy(page: Page, password: string) {
  const { at } = goToTab(page);
  await page.bringToFront();
  await switchToOffline({ page, at });
  await at.openEntry(LEDGER.entry);
  await at.button('Show', at.row(LEDGER.account)).click();
  await at.row(LEDGER.account).getByText(password).waitFor();
  await at.button('Switch to online').click();
  await bannerOf(page).waitFor({ state: 'detached' });
}
const goToTab = (page: Page) => tabOf(goTo(page));

test('only one tab downloads a change; the other one reads the stored copy', async () => {
  const before = await keptIn(tabs[0]);
  const release = browser.proxy.hold(isDownload);
  await elsewhere.changePassword('w4-Tk9 harbour');
  await expect.poll(() => downloading.length, { timeout: 20_000 }).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, LOOKS_MS));
  expect(downloading).toHaveLength(1);
  const { held, pending } = await locks(tabs[0]);
  expect([held.filter((part) => part === 'database'), pending]).toEqual([['database'], 0]);
  release();
  await expect.poll(() => keptIn(tabs[0]), { timeout: 20_000 }).toEqual({ ...before, pieces: before.pieces + 1 });
  for (const page of tabs) await showsInCopy(page, elsewhere.password());
  expect(downloading).toHaveLength(1);
});

test('the other tab takes over if the downloading tab is closed, and stores nothing twice', async () => {
  downloading.length = 0;
  const before = await keptIn(tabs[0]);
  const release = browser.proxy.hold(isDownload);
  await elsewhere.changePassword('x7-Pm2 gannet');
  await expect.poll(() => downloading.length, { timeout: 20_000 }).toBe(1);
  const [dying] = downloading;
  const staying = tabs.find((page) => page !== dying);
  if (dying === undefined || staying === undefined) throw new Error('one tab downloads, another does not');
  await dying.close();
  await expect.poll(() => downloading, { timeout: 20_000 }).toEqual([dying, staying]);
  expect(await keptIn(staying)).toEqual(before);
  release();
  await expect.poll(() => keptIn(staying), { timeout: 20_000 }).toEqual({ ...before, pieces: before.pieces + 1 });
  await showsInCopy(staying, elsewhere.password());
  // Between polls no tab holds a lock, the closed one included.
  await expect.poll(() => locks(staying)).toEqual({ held: [], pending: 0 });
});

test('clearing the storage under an open page turns the copy off, and it can be made again without a reload', async () => {
  const { page, at } = goToTab(tabs.find((one) => !one.isClosed()) ?? tabs[0]);
  const session = await browser.context.newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin: browser.proxy.origin, storageTypes: 'indexeddb' });
  await openPanel({ page, at });
  const enabled = page.getByRole('switch', { name: 'Enable offline mode' });
  await expect.poll(() => enabled.isChecked(), { timeout: 20_000 }).toBe(false);
  await enabled.click();
  await waitUntilKept({ page, at });
  await closePanel({ page, at });
  await showsInCopy(page, elsewhere.password());
});
