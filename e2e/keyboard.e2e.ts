/** The list of keyboard shortcuts: when `?` opens it, its contents, and on a phone. */
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

const sheet = () => page.getByRole('dialog', { name: 'Keyboard shortcuts' });
const box = () => page.getByRole('combobox', { name: 'Search entries' });

test('? opens the list of shortcuts, Escape closes it and returns the focus', async () => {
  await screen.button('add new tree').focus();
  await page.keyboard.press('?');
  await sheet().waitFor();
  expect(await sheet().getByRole('heading', { level: 3 }).allInnerTexts()).toEqual([
    'Anywhere',
    'Search box',
    'Groups',
    'Entries',
    'Field',
    'Tabs, types and dialogs',
  ]);
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await sheet().waitFor({ state: 'detached' });
  await expect
    .poll(() => screen.button('add new tree').evaluate((button) => button === document.activeElement))
    .toBe(true);
});

test('? does not open the list in a text field or a dialog', async () => {
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
  expect(await sheet().count()).toBe(0);
});

test('the search box finds the list', async () => {
  await box().fill('keyb');
  await page.getByRole('option', { name: 'Keyboard shortcuts' }).click();
  await sheet().waitFor();
  await page.keyboard.press('Escape');
});

test('on a phone the header menu opens the list as a bottom sheet that scrolls by keyboard', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.evaluate(() => localStorage.setItem('theme', 'light'));
  await page.reload();
  await screen.button('Account and more').click();
  await screen.button('Keyboard shortcuts', screen.dialog()).click();
  await sheet().waitFor();
  // After the animation.
  await expect
    .poll(async () => {
      const place = await sheet().boundingBox();
      return [place?.width, Math.round((place?.y ?? 0) + (place?.height ?? 0))];
    })
    .toEqual([390, 844]);
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Tab');
  await page.keyboard.press('End');
  await expect
    .poll(() => sheet().evaluate((dialog) => Math.max(...[...dialog.children].map(({ scrollTop }) => scrollTop))))
    .toBeGreaterThan(100);
});
