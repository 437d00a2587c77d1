/** Suggestions below the search box: by keyboard, by pointer, without the server, on a phone. */
import { beforeEach, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import { entriesOf } from './testing/vault/entries.ts';
import { beforeSending, lost } from './testing/browser/intercept.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { signUpAtOnce } from './testing/people/people.ts';
import { type Screen, screenOf } from './testing/vault/screen.ts';
import type { RunningServer } from './testing/server/server.ts';

const CALLS = '**/passwordBroker/api/entrySearch?*';

let server: RunningServer;
let page: Page;
let screen: Screen;
let engineering: string;
let asked: string[];

withOnePage(async (opened) => {
  ({ server, page } = opened);
  page.setDefaultTimeout(15_000);
  screen = screenOf(page);
  await signUpAtOnce(page, server.origin);
  const entries = entriesOf(page, screen);
  engineering = await entries.addTree('Engineering', true);
  await entries.addEntries(engineering, ['Billing ledger', 'Lédger Live', 'Root account']);
  await entries.addTree('Ledger archive');
  page.on('request', (request) => {
    if (request.url().includes('/entrySearch?')) asked.push(new URL(request.url()).search);
  });
});
beforeEach(async () => {
  await page.goto(`${server.origin}/entryGroup/${engineering}`);
  await screen.heading('Engineering').waitFor();
  asked = [];
});

const box = () => page.getByRole('combobox', { name: 'Search entries' });
const options = () => page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');
const names = () => options().evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''));
const chosen = async () => {
  const id = await box().getAttribute('aria-activedescendant');
  return id === null ? null : page.locator(`[id="${id}"]`).getAttribute('aria-label');
};
/**
 * Types within the page: keys sent from outside may arrive late on a busy machine, so the page would take the
 * pause for the end of the input.
 */
const typeQuickly = (text: string) =>
  page.evaluate(async (keys) => {
    for (const key of keys) {
      document.execCommand('insertText', false, key);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }, text.split(''));
const isOpen = async () => (await box().getAttribute('aria-expanded')) === 'true';

test('groups show at once, entries shortly after the last key with one request', async () => {
  await page.keyboard.press('Control+k');
  await typeQuickly('ledger');
  await expect
    .poll(names)
    .toEqual(['Ledger archive, Admin', 'Lédger Live, Engineering', 'Billing ledger, Engineering']);
  expect(asked).toHaveLength(1);
  expect(asked[0]).toContain('perPage=5');
  expect(await chosen()).toBeNull();
  expect(await page.locator('mark').allInnerTexts()).toEqual(['Ledger', 'Lédger', 'ledger']);
  expect(await findings(page)).toEqual([]);
});

test('Down enters the list, Up leaves it, Enter opens the selected item', async () => {
  await page.keyboard.press('Control+k');
  await page.keyboard.type('ledger');
  await expect.poll(names).toHaveLength(3);
  await page.keyboard.press('ArrowDown');
  await expect.poll(chosen).toBe('Ledger archive, Admin');
  await page.keyboard.press('ArrowUp');
  await expect.poll(chosen).toBeNull();
  for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowDown');
  await expect.poll(chosen).toBe('Billing ledger, Engineering');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.waitForURL(/entryGroup\/[\w-]+\?entry=/);
  await expect.poll(() => screen.entry('Lédger Live').getAttribute('aria-expanded')).toBe('true');
  await expect.poll(isOpen).toBe(false);
  await expect.poll(() => box().inputValue()).toBe('');
});

test('Enter in the box opens the results page, where the list stays closed', async () => {
  await box().fill('ledger');
  await expect.poll(names).toHaveLength(3);
  await page.keyboard.press('Enter');
  await screen.heading('Search results for: "ledger"').waitFor();
  await expect.poll(isOpen).toBe(false);
  await page.goto(`${server.origin}/entrySearch/root`);
  await screen.heading('Search results for: "root"').waitFor();
  await box().focus();
  expect(await isOpen()).toBe(false);
  await expect.poll(() => box().inputValue()).toBe('root');
});

test('Escape closes the list and keeps the text; a second Escape restores the focus', async () => {
  await screen.entry('Root account').focus();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('ledger');
  await expect.poll(isOpen).toBe(true);
  await page.keyboard.press('Escape');
  await expect.poll(isOpen).toBe(false);
  expect(await box().inputValue()).toBe('ledger');
  await page.keyboard.press('Escape');
  await expect
    .poll(() => screen.entry('Root account').evaluate((title) => title === document.activeElement))
    .toBe(true);
});

test('a click on a group opens it; a click outside closes the list', async () => {
  await box().fill('archive');
  await options().first().click();
  await screen.heading('Ledger archive').waitFor();
  await box().fill('ledger');
  await expect.poll(isOpen).toBe(true);
  await page.getByRole('contentinfo').click();
  await expect.poll(isOpen).toBe(false);
});

test('an empty box lists all actions; they open a dialog, lock, change the theme and open the log', async () => {
  await box().press('ArrowDown');
  await expect.poll(names).toContain('add new tree');
  expect(await names()).not.toContain('Lock now');
  await expect.poll(isOpen).toBe(true);
  for (const name of ['Unlock the vault', 'New login', 'add new tree']) {
    await page.keyboard.press('ArrowDown');
    await expect.poll(chosen).toBe(name);
  }
  await page.keyboard.press('Enter');
  await screen.dialog().getByRole('heading', { name: 'New tree' }).waitFor();
  await page.keyboard.press('Escape');
  await screen.dialog().waitFor({ state: 'detached' });
  const act = async (words: string, name: string) => {
    await box().fill(words);
    await page.getByRole('option', { name, exact: true }).click();
  };
  await act('log', 'Activity log');
  await page.getByRole('complementary', { name: 'Activity log' }).waitFor();
  await act('light', 'Light theme');
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('light');
  await act('dark', 'Dark theme');
  await page.getByRole('button', { name: 'Master Pasword not entered' }).click();
  await screen.remember();
  await page.getByRole('button', { name: 'Master Pasword validated' }).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await act('lock', 'Lock now');
  await page.getByRole('button', { name: 'Master Pasword not entered' }).waitFor();
});

test('repeated failures add one log line; groups and the search still work', async () => {
  const failed: string[] = [];
  page.on('requestfailed', (request) => failed.push(new URL(request.url()).search));
  const stop = await beforeSending(page, CALLS, lost);
  await screen.button('Activity log').click();
  await box().fill('ledg');
  await page.getByText(/Search suggestions failed/).waitFor();
  await box().fill('ledger');
  await expect.poll(names).toEqual(['Ledger archive, Admin']);
  await expect.poll(() => [asked.length, failed.length]).toEqual([2, 2]);
  expect(await page.getByText(/Search suggestions failed/).count()).toBe(1);
  expect(await page.getByRole('alert').count()).toBe(0);
  await stop();
  await page.keyboard.press('Enter');
  await screen.heading('Search results for: "ledger"').waitFor();
});

test('the box still searches if the code of the list fails to load', async () => {
  const stop = await beforeSending(page, '*suggestion-list*.js', lost);
  await page.reload();
  await screen.heading('Engineering').waitFor();
  await box().fill('ledger');
  await screen.button('Activity log').click();
  await page.getByText(/Search suggestions failed/).waitFor();
  await box().press('Enter');
  await screen.heading('Search results for: "ledger"').waitFor();
  await stop();
});

test('an empty result explains the search operators', async () => {
  await page.goto(`${server.origin}/entrySearch/${encodeURIComponent('title:ledger -billing -live')}`);
  await page.getByText('... empty result').waitFor();
  const ways = await page.getByRole('region', { name: 'Ways to search' }).innerText();
  for (const typed of ['login:root', '-staging', '"-staging"']) expect(ways).toContain(typed);
  expect(await findings(page)).toEqual([]);
  // In quotes the minus is part of the text.
  await box().fill('"-billing"');
  await box().press('Enter');
  await page.getByText('Nothing matches “"-billing"”').waitFor();
  await box().fill('ledger due:late');
  await box().press('Enter');
  await page.getByText('Nothing matches “ledger due:late”').waitFor();
  await box().fill('title:ledger -billing');
  await box().press('Enter');
  await page.getByRole('article').first().waitFor();
  await expect.poll(() => page.locator('main mark').allInnerTexts()).toEqual(['Lédger']);
});

test('on a phone the list fits the screen, has items of 44 px, and has no axe findings in the light theme', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.evaluate(() => localStorage.setItem('theme', 'light'));
  await page.reload();
  await box().fill('ledger');
  await expect.poll(names).toHaveLength(3);
  const heights = await options().evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
  expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
  expect(await findings(page)).toEqual([]);
});
