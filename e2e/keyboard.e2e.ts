/** The help: when `?` opens it, its contents, its search, and on a phone. */
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { signUpAtOnce } from './testing/people/people.ts';
import { type Screen, screenOf } from './testing/vault/screen.ts';
import type { RunningServer } from './testing/server/server.ts';

let server: RunningServer;
let page: Page;
let screen: Screen;

withOnePage(async (opened) => {
  ({ server, page } = opened);
  page.setDefaultTimeout(15_000);
  screen = screenOf(page);
  await signUpAtOnce(page, server.origin);
});

const help = () => page.getByRole('dialog', { name: 'Help' });
const box = () => page.getByRole('combobox', { name: 'Search entries' });

test('? opens the help with the shortcuts, Escape closes it and returns the focus', async () => {
  await screen.button('add new tree').focus();
  await page.keyboard.press('?');
  await help().waitFor();
  expect(await help().getByRole('heading', { level: 4 }).allInnerTexts()).toEqual([
    'Anywhere',
    'Search box',
    'Groups',
    'Entries',
    'Field',
    'Tabs, types and dialogs',
  ]);
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await help().waitFor({ state: 'detached' });
  await expect
    .poll(() => screen.button('add new tree').evaluate((button) => button === document.activeElement))
    .toBe(true);
});

test('? does not open the help in a text field or a dialog', async () => {
  await box().fill('');
  await page.keyboard.press('?');
  expect(await box().inputValue()).toBe('?');
  await box().fill('');
  await screen.button('add new tree').click();
  await screen.box('Title', screen.dialog()).press('?');
  expect(await screen.box('Title', screen.dialog()).inputValue()).toBe('?');
  await screen.button('Cancel', screen.dialog()).focus();
  await page.keyboard.press('?');
  await page.keyboard.press('Escape');
  await screen.dialog().waitFor({ state: 'detached' });
  expect(await help().count()).toBe(0);
});

test('the button in the header opens the manual, which is searched by keyboard alone', async () => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).origin));
  await screen.button('Help').press('Enter');
  await help().waitFor();
  await page.keyboard.type('eight words');
  await expect.poll(() => help().getByRole('heading', { level: 3 }).allInnerTexts()).toEqual(['Share a group']);
  await help().getByRole('status').filter({ hasText: '1 result' }).waitFor();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('zebra');
  await help().getByText('Nothing matches.').waitFor();
  expect(await findings(page)).toEqual([]);
  await screen.button('Clear the search', help()).click();
  await help().getByRole('heading', { name: 'Work without the server' }).waitFor();
  expect(await help().getByRole('link').count()).toBe(0);
  await page.keyboard.press('Escape');
  await help().waitFor({ state: 'detached' });
  // The product serves all of it.
  expect(asked.filter((origin) => origin !== server.origin)).toEqual([]);
});

test('the search box finds the help', async () => {
  await box().fill('keyb');
  await page.getByRole('option', { name: 'Help and keyboard shortcuts' }).click();
  await help().waitFor();
  await page.keyboard.press('Escape');
});

test('on a phone the header menu opens the help as a bottom sheet that scrolls by keyboard', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.evaluate(() => localStorage.setItem('theme', 'light'));
  await page.reload();
  await screen.button('Account and more').click();
  await screen.button('Help', screen.dialog()).click();
  await help().waitFor();
  // After the animation.
  await expect
    .poll(async () => {
      const place = await help().boundingBox();
      return [place?.width, Math.round((place?.y ?? 0) + (place?.height ?? 0))];
    })
    .toEqual([390, 844]);
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Tab');
  await page.keyboard.press('End');
  await expect
    .poll(() => help().evaluate((dialog) => Math.max(...[...dialog.children].map(({ scrollTop }) => scrollTop))))
    .toBeGreaterThan(100);
});
