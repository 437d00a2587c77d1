/** Two tabs of one browser, the browser started anew with a clock that is wrong, and a damaged copy (M32, M33, M34). */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  bannerOf,
  closePanel,
  goOffline,
  keepCopy,
  keptIn,
  logIn,
  logInOffline,
  makeElsewhere,
  offlineBrowser,
  offlineLoginOf,
  openPanel,
  panelOf,
  switchToOffline,
  waitUntilKept,
} from './testing/offline-copy.ts';

const { browser, start, stop, open, openTab, goTo } = offlineBrowser();

beforeAll(async () => {
  await start();
  await keepCopy(browser);
  await browser.server.kill();
});
afterAll(stop);

test('two tabs: one lock locks both, what was shown is gone, the next act asks for the master password (M32)', async () => {
  await goOffline(browser);
  await browser.at.openEntry('Billing ledger');
  await browser.at.button('Show', browser.at.row('Root account')).click();
  await browser.at.row('Root account').getByText('q8-Rf3 lantern').waitFor();
  const first = browser.page;
  const second = await openTab();
  await goOffline(browser);
  await browser.at.heading('Production').waitFor();
  await browser.at.button('Master password menu').click();
  await second.getByRole('menuitem', { name: 'Lock now' }).click();
  const isLocked = (of: Page) => of.getByRole('heading', { name: 'The local copy is locked' }).waitFor();
  await isLocked(second);
  await isLocked(first);
  expect(await first.content()).not.toContain('q8-Rf3');
  expect(await first.getByRole('table', { name: 'Entries' }).count()).toBe(0);
  // The browser tells of the end of a worker when it has ended it.
  const workers = () => first.workers().filter((worker) => /\/worker-/.test(worker.url())).length;
  await expect.poll(workers).toBe(0);
  await second.close();
  goTo(first);
  await browser.at.button('Unlock').click();
  await browser.at.remember();
  await browser.at.entry('Billing ledger').first().waitFor();
});

test('the browser is started anew, the clock is an hour ahead, then the server is back with a change made elsewhere (M34)', async () => {
  await browser.context.close();
  await open();
  await browser.context.addInitScript(() => {
    const Real = Date;
    const ahead = 3_600_000;
    class Ahead extends Real {
      constructor(...given: [] | [number]) {
        if (given.length === 0) super(Real.now() + ahead);
        else super(...given);
      }
      static override now = () => Real.now() + ahead;
    }
    globalThis.Date = Ahead as DateConstructor;
  });
  const { page, at, server } = browser;
  await goOffline(browser);
  await bannerOf(page).filter({ hasText: '1 hour old' }).waitFor();
  await at.openEntry('Billing ledger');
  expect(await at.shownIn('Root account')).toContain('q8-Rf3 lantern');
  await at.button('Switch to online').click();
  await page
    .getByText(/^Cannot establish connection with localhost/)
    .first()
    .waitFor();
  await bannerOf(page).waitFor();

  await server.restart();
  await makeElsewhere(browser, 'Made elsewhere');
  const before = await keptIn(page);
  await at.button('Switch to online').click();
  await bannerOf(page).waitFor({ state: 'detached' });
  // The session ended with the browser, so the server asks who it is. The copy stays.
  await logIn(browser);
  await at.entry('Made elsewhere').first().waitFor();
  // What needs the keys is proven by a clock that the server has corrected.
  await at.addTree('Made here');
  await at.treeRow('Production, Admin').click();
  await expect.poll(async () => (await keptIn(page)).pieces, { timeout: 30_000 }).toBeGreaterThan(before.pieces);
  await at.button('Activity log').click();
  await page.getByText('Offline Database is updated').first().waitFor();
  await at.button('Activity log').click();
  await switchToOffline(browser);
  await at.entry('Made elsewhere').first().waitFor();
  await at.treeRow('Made here, Admin').waitFor();
  await at.button('Switch to online').click();
  await bannerOf(page).waitFor({ state: 'detached' });
});

/** One byte of every piece of the database part is another one. */
const damageCopy = (page: Page) =>
  page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(new Error('IndexedDB')));
      });
    const store = (await done(indexedDB.open('passwordbroker-offline')))
      .transaction('pieces', 'readwrite')
      .objectStore('pieces');
    let damaged = 0;
    for (const key of await done(store.getAllKeys())) {
      const piece = (await done(store.get(key))) as { blob: Uint8Array };
      const at = piece.blob.length >> 1;
      piece.blob[at] = (piece.blob[at] ?? 0) ^ 1;
      await done(store.put(piece, key));
      damaged += 1;
    }
    return damaged;
  });

test('a damaged copy opens for nobody, and is downloaded again when the server is there (M33)', async () => {
  const { page, at, server } = browser;
  // Nothing is written behind the damage: no page of the client is open while it is done.
  await server.kill();
  await page.goto(browser.groupUrl);
  await offlineLoginOf(page).waitFor();
  expect(await damageCopy(page)).toBeGreaterThan(0);
  await logInOffline(browser);
  await page.getByText('The local copy cannot be used').waitFor();
  await offlineLoginOf(page).waitFor();
  await server.restart();
  await at.button('Try the server again').click();
  await at.heading('Production').waitFor();
  await openPanel(browser);
  await at.button('Unlock', panelOf(page)).click();
  await at.remember();
  await waitUntilKept(browser);
  await closePanel(browser);
  await switchToOffline(browser);
});
