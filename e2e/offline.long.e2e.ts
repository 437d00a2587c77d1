/**
 * The whole vault without the server: a sealed copy in a client cached by the service worker
 * (docs/spec/product.md §1, §4).
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pastedText } from './testing/browser/clipboard.ts';
import { openElsewhere, type Elsewhere } from './testing/server/elsewhere.ts';
import { journey } from './testing/offline/offline-journey.ts';
import { bannerOf, goOffline, keepCopy, LEDGER, logInOffline, offlineBrowser } from './testing/offline/offline-copy.ts';

const { browser, start, stop } = offlineBrowser();
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

test('without the server and after its return: reload, unlock, all field types, history, search, disabled controls, a change made elsewhere', async () => {
  await journey(browser, elsewhere, {
    begin: async () => {
      await browser.page.reload();
      return [browser.page];
    },
    age: /\((?:less than a minute|\d minutes?) old\)/,
    newPassword: 'w4-Tk9 harbour',
  });
});

test('without the server: a wrong master password is refused, a value is copied, and a search address opens', async () => {
  const { page, at, server, proxy } = browser;
  await server.kill();
  await page.reload();
  await logInOffline(browser, 'a wrong one');
  await page.getByText('MasterPassword is invalid').waitFor();
  await logInOffline(browser);
  await bannerOf(page).waitFor();
  await at.openEntry(LEDGER.entry);
  await at.button('Copy password', at.row(LEDGER.account)).click();
  await at.notice(`Value for field "${LEDGER.account}" copied`).first().waitFor();
  await expect.poll(() => pastedText(page)).toBe(elsewhere.password());
  await goOffline(browser, `${proxy.origin}/entrySearch/relay`);
  await page.getByText('Search results for: "relay"').waitFor();
  await page.getByText('Mail relay').first().waitFor();
  expect(await page.getByText(LEDGER.entry).count()).toBe(0);
});
