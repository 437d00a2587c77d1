/**
 * The whole offline journey after a restart of the browser and in two tabs; and a damaged copy (M32, M33).
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openElsewhere, type Elsewhere } from './testing/server/elsewhere.ts';
import {
  keepCopy,
  LEDGER,
  logIn,
  logInOffline,
  offlineBrowser,
  offlineLoginOf,
  switchToOffline,
  unlockPanel,
} from './testing/offline/offline-copy.ts';
import { journey, type Tab } from './testing/offline/offline-journey.ts';

const { browser, start, stop, open, openTab, goTo } = offlineBrowser();
let elsewhere: Elsewhere;

beforeAll(async () => {
  await start();
  await keepCopy(browser);
  elsewhere = await openElsewhere(browser);
});
afterAll(async () => {
  try {
    await elsewhere.close();
  } finally {
    await stop();
  }
});

test('the whole journey works after a restart of the browser without the server', async () => {
  await journey(browser, elsewhere, {
    begin: async () => {
      await browser.context.close();
      await open();
      await browser.page.goto(browser.groupUrl);
      return [browser.page];
    },
    age: /\((?:less than a minute|\d+ minutes?) old\)/,
    // The session ended with the browser.
    isSignedOut: true,
    newPassword: 'w4-Tk9 harbour',
  });
  const { page, at } = browser;
  await at.button('Activity log').click();
  await page.getByText('Offline Database is updated').first().waitFor();
  await at.button('Activity log').click();
});

test('the whole journey works in two tabs; a lock or logout in one applies to both (M32)', async () => {
  const first = browser.page;
  const second = await openTab();
  await second.goto(browser.groupUrl);
  await browser.at.heading('Production').waitFor();
  const tabs = await journey(browser, elsewhere, {
    begin: async () => {
      await Promise.all([first.reload(), second.reload()]);
      return [first, second];
    },
    age: /\((?:less than a minute|\d+ minutes?) old\)/,
    newPassword: 'x7-Pm2 gannet',
  });
  const [one, other] = tabs as [Tab, Tab];
  await one.page.bringToFront();
  await one.at.button('Show', one.at.row(LEDGER.account)).click();
  await one.at.row(LEDGER.account).getByText(elsewhere.password()).waitFor();
  await other.page.bringToFront();
  await other.at.button('Master password menu').click();
  await other.page.getByRole('menuitem', { name: 'Lock now' }).click();
  for (const { page } of [other, one]) await page.getByRole('heading', { name: 'The local copy is locked' }).waitFor();
  expect(await one.page.content()).not.toContain(elsewhere.password());
  expect(await one.page.getByRole('table', { name: 'Entries' }).count()).toBe(0);
  // The browser reports the end of a worker with a delay.
  for (const { page } of tabs)
    await expect.poll(() => page.workers().filter((worker) => /\/keyring-worker-/.test(worker.url())).length).toBe(0);
  for (const { page, at } of tabs) {
    await page.bringToFront();
    await at.button('Unlock').click();
    await at.remember();
    await at.entry(LEDGER.entry).first().waitFor();
  }
  await other.page.getByRole('link', { name: 'Logout' }).click();
  await other.page.getByLabel('Keep the local copy on this device').setChecked(true);
  await other.at.button('Logout').click();
  for (const { at } of tabs) await at.heading('Log in').waitFor();
  await other.page.close();
  goTo(first);
  await browser.page.goto(browser.groupUrl);
  await logIn(browser);
  await browser.at.heading('Production').waitFor();
});

/** Changes one byte of every piece of the database part. */
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

test('a damaged copy does not open, and is downloaded again once the server answers (M33)', async () => {
  const { page, at, server } = browser;
  // Without the server nothing overwrites the damage. A page that asks for the master password has read the
  // copy already.
  await server.kill();
  await page.goto(browser.groupUrl);
  await offlineLoginOf(page).waitFor();
  expect(await damageCopy(page)).toBeGreaterThan(0);
  await page.reload();
  await logInOffline(browser);
  await page.getByText('The local copy cannot be used').waitFor();
  await offlineLoginOf(page).waitFor();
  await server.restart();
  await at.button('Try the server again').click();
  await at.heading('Production').waitFor();
  await unlockPanel(browser);
  await switchToOffline(browser);
});
