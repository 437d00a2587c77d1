/**
 * Offline mode on the page: making a copy, using it, disabled controls, a phone, and removing it
 * (docs/spec/product.md §4, docs/spec/crypto.md §16).
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findings } from './testing/accessibility/accessibility.ts';
import {
  bannerOf,
  closePanel,
  keepFiles,
  keptIn,
  logIn,
  logInOffline,
  offlineBrowser,
  offlineLoginOf,
  openPanel,
  panelOf,
  partOf,
  switchToOffline,
  waitUntilKept,
} from './testing/offline/offline-copy.ts';
import { NOT_OFFLINE, saysWhyNot } from './testing/offline/offline-journey.ts';

const { browser, start, stop } = offlineBrowser();

beforeAll(() => start());
afterAll(stop);

test('the panel of the database icon explains the copy and makes it by keyboard', async () => {
  const { page, at } = browser;
  await openPanel(browser);
  await panelOf(page).getByText('Everything you can read is copied here').waitFor();
  await panelOf(page).getByText('is not logged').waitFor();
  expect(await findings(page)).toEqual([]);
  // The panel has the focus; its switch is the next tab stop.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  // A notice stays for five seconds, and caching the client may take longer than the copy.
  await Promise.all([
    at.notice('Offline DB updated').first().waitFor(),
    partOf(page, 'key')
      .waitFor()
      .then(() => waitUntilKept(browser)),
  ]);
  await keepFiles(browser);
  expect(await findings(page)).toEqual([]);
  await closePanel(browser);
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  await expect.poll(focused).toBe('Offline database');
});

test('in offline mode the banner shows the age, no request is sent, and disabled controls say why', async () => {
  const { page, at } = browser;
  await switchToOffline(browser);
  expect(await bannerOf(page).innerText()).toMatch(/local copy from \d{4}\.\d\d\.\d\d \d\d:\d\d \(.*old\)/);
  const asked: string[] = [];
  const listen = (request: { url(): string }) => asked.push(new URL(request.url()).pathname);
  page.on('request', listen);
  await at.openEntry('Billing ledger');
  await saysWhyNot([
    at.button('add new Entry'),
    at.button('add new child Entry Group'),
    at.button('Move entries'),
    at.button('Delete entries'),
    at.button('Add field', page.getByRole('main')),
    page.getByRole('tab', { name: /^Settings/ }),
    page.getByRole('link', { name: 'Admin Panel' }),
    page.getByRole('link', { name: /Mira Okafor/ }),
    page.getByRole('link', { name: 'Trash' }),
    at.button(`add new tree. ${NOT_OFFLINE}`),
    at.button(`import data. ${NOT_OFFLINE}`),
    at.button(`Edit Root account. ${NOT_OFFLINE}`),
    at.button(`Delete Root account. ${NOT_OFFLINE}`),
  ]);
  // The copy holds only the current revision.
  await at.button('History of Root account', at.row('Root account')).click();
  await at.dialog().getByText('The local copy contains only the current values').waitFor();
  const written = at.dialog().getByRole('row').filter({ hasText: 'created' });
  await at.button('Show', written).click();
  await written.getByText('q8-Rf3 lantern').waitFor();
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await at.dialog().waitFor({ state: 'detached' });
  // A disabled control can be clicked and does nothing.
  await at.button('add new Entry').click({ force: true });
  await at.entry('Mail relay').focus();
  await page.keyboard.press('n');
  expect(await page.getByRole('dialog').count()).toBe(0);
  await at.button('More for Mail relay').click();
  const rename = page.getByRole('menuitem', { name: 'Edit entry' });
  expect(await rename.getAttribute('aria-disabled')).toBe('true');
  await page.keyboard.press('Escape');
  expect(await findings(page)).toEqual([]);
  await page.getByRole('tab', { name: /^History/ }).click();
  await page
    .getByRole('table', { name: 'History of the group' })
    .getByText(/ created /)
    .first()
    .waitFor();
  expect(await findings(page)).toEqual([]);
  await page.getByRole('tab', { name: /^Entries/ }).click();
  page.off('request', listen);
  expect(asked.filter((path) => !path.startsWith('/assets/'))).toEqual([]);
});

test('on a phone in the light theme the banner, the settings and the offline login have no axe findings', async () => {
  const { page, at, server } = browser;
  await page.evaluate(() => localStorage.setItem('theme', 'light'));
  await page.setViewportSize({ width: 390, height: 844 });
  await server.kill();
  await page.goto(browser.groupUrl);
  await offlineLoginOf(page).waitFor();
  expect(await findings(page)).toEqual([]);
  await logInOffline(browser);
  await bannerOf(page).waitFor();
  await at.heading('Production').waitFor();
  await at.entry('Mail relay').waitFor();
  expect(await findings(page)).toEqual([]);
  await at.button('Account and more').click();
  expect(await at.button(/^Admin Panel/, at.dialog()).getAttribute('aria-disabled')).toBe('true');
  await at.button('Offline database', at.dialog()).click();
  await at.dialog().getByText('Local copy from').waitFor();
  expect(await findings(page)).toEqual([]);
  await server.restart();
  await at.button('Switch to online', at.dialog()).click();
  await bannerOf(page).waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('logging out asks whether to keep the copy; a site that forbids copies says so', async () => {
  const { page, at } = browser;
  const logOut = async (keep: boolean) => {
    await page.getByRole('link', { name: 'Logout' }).click();
    await page.getByRole('heading', { name: 'Logout', level: 1 }).waitFor();
    await page.getByLabel('Keep the local copy on this device').setChecked(keep);
    await at.button('Logout').click();
    await at.heading('Log in').waitFor();
  };
  await logOut(true);
  expect(await keptIn(page)).toMatchObject({ copies: 1 });
  await page.goto(browser.groupUrl);
  await logIn(browser);
  await at.heading('Production').waitFor();
  // The page knows whether a copy exists without the marker in plain storage; remains of other copies are
  // removed at the next load.
  await leaveRests(page);
  await page.evaluate(() => localStorage.removeItem('passwordbroker.offline'));
  await page.reload();
  await at.heading('Production').waitFor();
  await expect.poll(() => keptIn(page)).toEqual({ copies: 1, pieces: 1, bodies: 1 });
  await page.evaluate(() => localStorage.removeItem('passwordbroker.offline'));
  await logOut(false);
  await expect.poll(() => keptIn(page)).toEqual({ copies: 0, pieces: 0, bodies: 0 });

  await page.goto(browser.groupUrl);
  await logIn(browser);
  await at.heading('Production').waitFor();
  const site = { offline_allowed: false };
  await at.call('PUT', '/system/api/setting/site', site);
  await openPanel(browser);
  const enabled = page.getByRole('switch', { name: 'Enable offline mode' });
  await enabled.click();
  await at.remember();
  await panelOf(page).getByText('The administrators of this site do not allow offline copies.').first().waitFor();
  await expect.poll(() => enabled.getAttribute('aria-disabled')).toBe('true');
  expect(await keptIn(page)).toMatchObject({ copies: 0 });
});

/** As if the browser was closed while it removed a copy. */
const leaveRests = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('passwordbroker-offline');
        opening.addEventListener('success', () => {
          const act = opening.result.transaction(['pieces', 'bodies', 'seen'], 'readwrite');
          const name = 'https://elsewhere.example somebody';
          act.objectStore('pieces').put({ step: 1, timestamp: 1, blob: new Uint8Array(9) }, [name, 1]);
          act.objectStore('bodies').put({ fieldId: 'f', rev: 1, body: new Blob(['x']) }, [name, 'f']);
          act.objectStore('seen').put({ step: 1, timestamp: 1 }, name);
          act.addEventListener('complete', () => {
            opening.result.close();
            resolve();
          });
          act.addEventListener('error', () => reject(new Error('IndexedDB')));
        });
      }),
  );
