/** Tags, icon and due date of an entry, by keyboard. */
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { signUpAtOnce } from './testing/people/people.ts';
import { entriesOf } from './testing/vault/entries.ts';
import { screenOf, type Screen } from './testing/vault/screen.ts';

let page: Page;
let screen: Screen;
let entries: ReturnType<typeof entriesOf>;

withOnePage(async ({ server, page: opened }) => {
  page = opened;
  page.setDefaultTimeout(10_000);
  screen = screenOf(page);
  entries = entriesOf(page, screen);
  await signUpAtOnce(page, server.origin);
  await entries.addTree('Production', true);
  await screen.button('add new Entry').click();
  await screen.box('Title', screen.dialog()).fill('Analytics');
  await page.keyboard.press('Enter');
  await screen.entry('Analytics').waitFor();
});

test('tags, icon and due date are edited by keyboard, shown, and found; Undo restores them', async () => {
  await entries.verb('Analytics', 'Edit entry');
  const dialog = screen.dialog();
  const tags = dialog.getByRole('combobox', { name: 'Tags' });
  await tags.focus();
  await page.keyboard.type('pci,monthly report');
  await page.keyboard.press('Enter');
  await page.keyboard.type('wrong');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Backspace');
  await dialog.getByLabel('Due date').fill('2026-01-31');
  await dialog.locator('summary').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowRight');
  await dialog.getByRole('radio', { name: 'Server', checked: true }).waitFor();
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await entries.notice('Changes to "Analytics" saved').waitFor();
  const row = entries.table().getByRole('row').filter({ hasText: 'Analytics' });
  await expect.poll(() => row.innerText()).toMatch(/monthly report[^]*pci[^]*Overdue 2026\.01\.31/);
  expect(await row.innerText()).not.toContain('wrong');
  await screen.entry('Analytics').press('Enter');
  await page.getByRole('list', { name: 'Tags' }).getByRole('link', { name: 'monthly report' }).click();
  await page.getByRole('heading', { name: 'Search results for: "tag:"monthly report""' }).waitFor();
  await page.getByRole('article', { name: 'Analytics' }).waitFor();
  await page.goBack();
  await entries.verb('Analytics', 'Edit entry');
  await tags.focus();
  await tags.fill('x'.repeat(10_000));
  await page.keyboard.press('Enter');
  await dialog.getByText('A tag has at most 40 characters.').waitFor();
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await entries.undo().waitFor({ state: 'detached' });
  await screen.button('Save').click();
  await entries.undo().click();
  await entries.notice('Changes to "Analytics" undone').waitFor();
  await expect.poll(() => row.innerText()).toContain('pci');
});
