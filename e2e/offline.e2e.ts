/** The whole vault without the server: from a sealed copy, in a client that the service worker keeps (specification §1, §4). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pastedText } from './testing/clipboard.ts';
import {
  bannerOf,
  goOffline,
  keepCopy,
  keptIn,
  logInOffline,
  makeElsewhere,
  offlineBrowser,
  offlineLoginOf,
  switchToOffline,
} from './testing/offline-copy.ts';

const { browser, start, stop } = offlineBrowser();

beforeAll(async () => {
  await start();
  await keepCopy(browser);
});
afterAll(stop);

test('the server is gone: reload, unlock, each of the five types, a copy, a search', async () => {
  const { page, at, server, proxy } = browser;
  await server.kill();
  await page.goto(browser.groupUrl);
  await offlineLoginOf(page).waitFor();
  await logInOffline(browser, 'a wrong one');
  await page.getByText('MasterPassword is invalid').waitFor();
  await logInOffline(browser);
  await at.heading('Production').waitFor();
  await bannerOf(page).waitFor();
  await at.openEntry('Billing ledger');
  expect(await at.shownIn('Root account')).toContain('q8-Rf3 lantern');
  await at.button('Show', at.row('Console')).click();
  const link = at.row('Console').getByRole('link');
  await expect.poll(() => link.getAttribute('href')).toBe('https://console.ledger.internal/primary');
  expect(await at.shownIn('Runbook')).toContain('Pause billing.\nThen promote.');
  expect(await at.shownIn('Sign-in', 'Show code', 'Hide code')).toMatch(/\d{3}\s*\d{3}\s+\d+ s/);
  const downloading = page.waitForEvent('download');
  await at.button('Download file', at.row('Certificate')).click();
  expect((await downloading).suggestedFilename()).toBe('ledger.p12');
  await at.button('Copy password', at.row('Root account')).click();
  await at.notice('Value for field "Root account" copied').first().waitFor();
  await expect.poll(() => pastedText(page)).toBe('q8-Rf3 lantern');

  await goOffline(browser, `${proxy.origin}/entrySearch/relay`);
  await page.getByText('Search results for: "relay"').waitFor();
  await page.getByText('Mail relay').first().waitFor();
  expect(await page.getByText('Billing ledger').count()).toBe(0);
});

test('the server is back: a change made elsewhere arrives, on the page and in the copy', async () => {
  const { page, at, server } = browser;
  await goOffline(browser);
  const before = await keptIn(page);
  await server.restart();
  await makeElsewhere(browser, 'Made elsewhere');
  await at.button('Switch to online').click();
  await bannerOf(page).waitFor({ state: 'detached' });
  await at.entry('Made elsewhere').first().waitFor();
  // Only what changed: one more sealed piece behind the copy.
  await expect.poll(() => keptIn(page), { timeout: 30_000 }).toEqual({ ...before, pieces: before.pieces + 1 });
  await switchToOffline(browser);
  await at.entry('Made elsewhere').first().waitFor();
});
