/** A lost copy: expired, or deleted by the browser (docs/spec/product.md §4, docs/spec/crypto.md §16). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findings } from './testing/accessibility/accessibility.ts';
import {
  closePanel,
  keepCopy,
  keptIn,
  offlineBrowser,
  openPanel,
  panelOf,
  partOf,
  waitUntilKept,
} from './testing/offline/offline-copy.ts';
import { PERSON } from './testing/vault/screen.ts';

const { browser, start, stop } = offlineBrowser();

beforeAll(async () => {
  await start();
  await keepCopy(browser);
});
afterAll(stop);

/** Makes every copy of this browser look this many days old. */
const age = (days: number) =>
  browser.page.evaluate(async (milliseconds) => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(new Error('IndexedDB')));
      });
    const database = await done(indexedDB.open('passwordbroker-offline'));
    const copies = database.transaction('copies', 'readwrite').objectStore('copies');
    for (const key of await done(copies.getAllKeys())) {
      const record = (await done(copies.get(key))) as { syncedAt: number };
      await done(copies.put({ ...record, syncedAt: Date.now() - milliseconds }, key));
    }
    database.close();
  }, days * 86_400_000);

test('the panel shows how long the browser keeps the copy; the login page names an expired copy, which is made again', async () => {
  const { page, at, server } = browser;
  await openPanel(browser);
  await panelOf(page)
    .getByText(/This browser (keeps the copy until|may delete the copy when)/)
    .waitFor();
  await closePanel(browser);
  await server.kill();
  await age(31);
  await page.reload();
  await at.heading('Log in').waitFor();
  const named = `The local copy of ${PERSON.name} (${PERSON.email}) on this device was deleted, because it was not updated for 30 days.`;
  await page.getByText(named).waitFor();
  expect(await findings(page)).toEqual([]);
  await page.evaluate(() => localStorage.setItem('theme', 'light'));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await page.getByText(named).waitFor();
  expect(await findings(page)).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect.poll(() => keptIn(page)).toMatchObject({ copies: 1, pieces: 0, bodies: 0 });

  await server.restart();
  await page.reload();
  await at.heading('Production').waitFor();
  await openPanel(browser);
  await at.button('Unlock', panelOf(page)).click();
  await at.remember();
  await waitUntilKept(browser);
  await expect.poll(() => keptIn(page)).toMatchObject({ copies: 1, pieces: 1 });
  await closePanel(browser);
});

test('clearing the storage under an open page turns offline mode off, and a new copy can be made', async () => {
  const { page, proxy, context } = browser;
  const tools = await context.newCDPSession(page);
  await tools.send('Storage.clearDataForOrigin', { origin: proxy.origin, storageTypes: 'indexeddb' });
  await tools.detach();
  await openPanel(browser);
  const mode = page.getByRole('switch', { name: 'Enable offline mode' });
  await expect.poll(() => mode.isChecked(), { timeout: 60_000 }).toBe(false);
  await mode.click();
  await partOf(page, 'key').waitFor();
  await waitUntilKept(browser);
  await expect.poll(() => keptIn(page)).toMatchObject({ copies: 1, pieces: 1 });
});
