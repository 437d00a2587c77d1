/** A group's own kinds of entries, by keyboard: an admin adds them, a moderator of a group below makes an entry of one. */
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import { openPage } from './testing/browser/browser.ts';
import { withOnePage, type OnePage } from './testing/browser/one-page.ts';
import { addPeople, signIn, signUpAtOnce, type Person } from './testing/people/people.ts';
import { fieldsOf } from './testing/vault/fields.ts';
import { screenOf } from './testing/vault/screen.ts';

let opened: OnePage;
let page: Page;
let at: ReturnType<typeof fieldsOf>;
let bob: Person;

withOnePage(async (one) => {
  opened = one;
  ({ page } = one);
  page.setDefaultTimeout(15_000);
  at = fieldsOf(page);
  await signUpAtOnce(page, one.server.origin);
  [bob] = await addPeople(screenOf(page), one.server.dataDir, ['Bob Brandt']);
  await at.addTree('Network');
});

const section = () => page.getByRole('region', { name: 'Kinds of entries' });
const row = (name: string) => section().getByRole('listitem').filter({ hasText: name });
const field = (number: number) => at.dialog().getByRole('group', { name: `Field ${number}` });
const press = async (name: string, within = section()) => {
  await at.button(name, within).focus();
  await page.keyboard.press('Enter');
};
async function openSettings() {
  await page.getByRole('tab', { name: 'Settings' }).focus();
  await page.keyboard.press('Enter');
  await section().waitFor();
}

test('an admin adds a kind with three fields, changes it, deletes it, and takes that back', async () => {
  await openSettings();
  await section().getByText('No kinds of your own yet.').waitFor();
  expect(await findings(page)).toEqual([]);
  await press('Add a kind');
  await page.keyboard.press('Enter');
  await at.dialog().getByText('The name is required.').waitFor();
  await page.keyboard.type('Router');
  await press('Add a field', at.dialog());
  // The title of the new field has the focus.
  await page.keyboard.type('Rack');
  await press('Add a field', at.dialog());
  await page.keyboard.press('Enter');
  await at.dialog().getByText('The title is required.').waitFor();
  await page.keyboard.type('Console');
  await field(3).getByLabel('Type').selectOption('Link');
  await at.box('Title', field(1)).fill('Enable');
  await at.box('Name of the login', field(1)).fill('Operator');
  expect(await findings(page, 'dialog')).toEqual([]);
  await at.box('Title', field(1)).press('Enter');
  await at.closed();
  await expect.poll(() => row('Router').innerText()).toContain('Enable, Rack, Console');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Add a kind');

  await press('Edit Router');
  await press('Remove field 2', at.dialog());
  await at.box('Title', field(2)).fill('Address');
  await press('Add a field', at.dialog());
  await page.keyboard.type('Where');
  await page.keyboard.press('Enter');
  await at.closed();
  await expect.poll(() => row('Router').innerText()).toContain('Enable, Address, Where');

  await press('Delete Router');
  await section().getByText('No kinds of your own yet.').waitFor();
  await at.notice('Kind of entry "Router" deleted').getByRole('button', { name: 'Undo' }).press('Enter');
  await row('Router').waitFor();
  expect(await findings(page)).toEqual([]);
});

test('a moderator of a group below, no member of this one, makes an entry of it; the browser remembers the kind', async () => {
  await page.getByRole('tab', { name: 'Entries' }).click();
  await at.button('add new child Entry Group').click();
  await at.box('Title', at.dialog()).fill('Branch office');
  await page.keyboard.press('Enter');
  await at.heading('Branch office').waitFor();
  await openSettings();
  await section().getByText('Also offered, from groups above: “Router”.').waitFor();
  await at.button('Share “Branch office”').click();
  await at.box('Find people', at.dialog()).fill('Bob');
  await at.button('Choose Bob Brandt', at.dialog()).click();
  await at.dialog().getByText('Moderator', { exact: true }).click();
  await at.button('Share now, compare later', at.dialog()).click();
  await at.closed();

  const theirs = await openPage(opened.browser);
  theirs.page.setDefaultTimeout(15_000);
  await signIn(theirs.page, opened.server.origin, bob);
  const his = fieldsOf(theirs.page);
  await theirs.page.goto(page.url());
  await his.heading('Branch office').waitFor();
  const add = () => his.button('add new Entry').first().press('Enter');
  const kind = () => his.dialog().getByLabel('Kind of entry');
  await add();
  await kind().selectOption('Router');
  await his.box('Title', his.dialog()).fill('Core switch');
  await his.box('Operator', his.dialog()).fill('netops');
  await his.box('Enable', his.dialog()).fill('first-Value_1');
  await his.box('Address', his.dialog()).fill('https://10.0.0.1');
  await his.box('Where', his.dialog()).fill('Rack 7');
  expect(await findings(theirs.page, 'dialog')).toEqual([]);
  await his.box('Title', his.dialog()).press('Enter');
  await his.remember(bob.masterPassword);
  await his.button('Trust for now').click();
  await his.openEntry('Core switch');
  for (const title of ['Enable', 'Address', 'Where']) await his.row(title).waitFor();
  expect(await his.shownIn('Enable')).toContain('first-Value_1');
  await theirs.page.reload();
  await add();
  expect(await kind().locator('option:checked').innerText()).toBe('Router');
  await his.box('Where', his.dialog()).waitFor();
  expect(theirs.complaints()).toEqual([]);
});
