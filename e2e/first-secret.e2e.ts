/** From the first sign-up to the first secret: presses counted, the master password typed in the form alone. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { closePages, openPage, sharedBrowser, type WatchedPage } from './testing/browser/browser.ts';
import { countPresses } from './testing/browser/presses.ts';
import { startServer, type RunningServer } from './testing/server/server.ts';
import { fieldsOf } from './testing/vault/fields.ts';

let server: RunningServer;
let browser: Browser;
let watched: WatchedPage;
let page: Page;
let at: ReturnType<typeof fieldsOf>;

beforeAll(async () => {
  server = await startServer();
  browser = await sharedBrowser();
  watched = await openPage(browser);
  page = watched.page;
  page.setDefaultTimeout(15_000);
  at = fieldsOf(page);
});
afterAll(async () => {
  await closePages(browser);
  await server.stop();
});
afterEach(() => {
  expect(watched.complaints()).toEqual([]);
});

const isLocked = () => page.getByRole('button', { name: 'Master Pasword not entered' });
const isOpen = () => page.getByRole('button', { name: 'Master Pasword validated' });

test('the first secret is saved within seven presses of a filled-in sign-up, and nothing asks again', async () => {
  await at.fillSignUp(server.origin);
  const presses = await countPresses(page);
  await at.button('Sign up').click();
  await at.heading('Site checkup').waitFor();
  await page.getByRole('link', { name: 'PasswordBroker, home' }).click();
  await at.button('add new tree').click();
  await at.box('Title', at.dialog()).fill('Production');
  await page.keyboard.press('Enter');
  await at.heading('Production').waitFor();
  await at
    .button(/add new Entry/)
    .first()
    .click();
  await at.box('Title', at.dialog()).fill('Billing ledger');
  await at.box('Password', at.dialog()).fill('first-Value_1');
  await page.keyboard.press('Enter');
  await at.entry('Billing ledger').waitFor();
  expect(await presses()).toBeLessThanOrEqual(7);
  await isOpen().waitFor();
  await at.openEntry('Billing ledger');
  expect(await at.shownIn('Password')).toContain('first-Value_1');
});

test('the vault locks and unlocks as after any other unlock, and the values are the same', async () => {
  await at.button('Master password menu').click();
  await page.getByRole('menuitem', { name: 'Lock now' }).click();
  await isLocked().waitFor();
  await at.button('Show', at.row('Password')).click();
  await at.remember();
  await at.row('Password').getByText('first-Value_1').waitFor();
});
