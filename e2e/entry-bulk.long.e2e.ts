/** Bulk edit of entries: select, delete, move with values, undo; by keyboard and on a phone. */
import { beforeEach, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import { openPage, type WatchedPage } from './testing/browser/browser.ts';
import { entriesOf } from './testing/vault/entries.ts';
import { addManyEntries } from './testing/vault/many-entries.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { signUpAtOnce } from './testing/people/people.ts';
import { setRole } from './testing/vault/roles.ts';
import { screenOf, type Screen } from './testing/vault/screen.ts';
import type { RunningServer } from './testing/server/server.ts';

const TITLES = ['Alpha', 'Beta', 'Gamma', 'Delta', 'Epsilon', 'Zeta'];
const SORTED = ['Alpha', 'Beta', 'Delta', 'Epsilon', 'Gamma', 'Zeta'];
const REFUSED = "You don't have permission to move to that group";

let server: RunningServer;
let browser: Browser;
let watched: WatchedPage;
let page: Page;
let screen: Screen;
let entries: ReturnType<typeof entriesOf>;
let groupId: string;

withOnePage(async (opened) => {
  ({ server, browser, watched, page } = opened);
  page.setDefaultTimeout(10_000);
  screen = screenOf(page);
  entries = entriesOf(page, screen);
  await signUpAtOnce(page, server.origin);
  await setRole(server.dataDir, await entries.addTree('Status page', true), 'member');
  await entries.addTree('Staging');
  groupId = await entries.addTree('Production');
  await entries.addEntries(groupId, TITLES);
});
beforeEach(async () => {
  await page.goto(`${server.origin}/entryGroup/${groupId}`);
  await screen.entry('Alpha').waitFor();
});

const all = () => entries.table().getByLabel('Select all entries');
const isMixed = () => all().evaluate((box) => (box as HTMLInputElement).indeterminate);
const bar = () => page.getByRole('group', { name: 'Bulk edit' });
const secret = () => page.locator('[data-secret]');

test('checkboxes select one entry, a range with Shift, all or none; sorting keeps the selection', async () => {
  expect(await screen.button('Move entries', bar()).getAttribute('aria-disabled')).toBe('true');
  expect(await screen.button('Delete entries', bar()).getAttribute('aria-disabled')).toBe('true');
  await entries.choose('Beta');
  await entries.choose('Epsilon', ['Shift']);
  expect(await entries.chosen()).toEqual(['Beta', 'Delta', 'Epsilon']);
  expect(await isMixed()).toBe(true);
  await bar().getByText('3 selected').waitFor();
  await entries.choose('Delta');
  await screen.button('Title').click();
  expect(await entries.chosen()).toEqual(['Epsilon', 'Beta']);
  await all().click();
  expect(await entries.chosen()).toHaveLength(6);
  expect(await isMixed()).toBe(false);
  await entries.choose('Gamma');
  expect(await isMixed()).toBe(true);
  expect(await findings(page)).toEqual([]);
  await all().click();
  await all().click();
  expect(await entries.chosen()).toEqual([]);
});

test('the keyboard alone selects, extends, selects all, deletes and undoes', async () => {
  await screen.entry('Beta').focus();
  await page.keyboard.press(' ');
  expect(await entries.chosen()).toEqual(['Beta']);
  expect(await screen.entry('Beta').getAttribute('aria-expanded')).toBe('false');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  expect(await entries.chosen()).toEqual(['Beta', 'Delta', 'Epsilon']);
  await page.keyboard.press('Shift+ArrowUp');
  expect(await entries.chosen()).toEqual(['Beta', 'Delta']);
  await page.keyboard.press('Control+a');
  expect(await entries.chosen()).toEqual(SORTED);
  // Outside the table the shortcut is the browser's own.
  await page.getByRole('combobox', { name: 'Search entries' }).focus();
  await page.keyboard.press('Control+a');
  await screen.entry('Beta').focus();
  await page.keyboard.press(' ');
  expect(await entries.chosen()).toHaveLength(5);

  await screen.button('Delete entries', bar()).focus();
  await page.keyboard.press('Enter');
  const question = page.getByRole('alertdialog', { name: 'Delete 5 entries?' });
  await question.waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await entries.notice('Entries deleted').waitFor();
  await expect.poll(entries.titles).toEqual(['Beta']);
  await bar().getByText('0 selected').waitFor();
  // This page never asked for the master password.
  expect(await page.getByRole('button', { name: 'Master Pasword not entered' }).count()).toBe(1);
  await entries.undo().focus();
  await page.keyboard.press('Enter');
  await entries.notice('5 entries restored').waitFor();
  await expect.poll(entries.titles).toEqual(SORTED);
});

test('a target without write permission is refused as soon as it is chosen', async () => {
  await entries.choose('Alpha');
  await screen.button('Move entries', bar()).click();
  const find = screen.dialog().getByRole('combobox', { name: 'Find a group' });
  await expect.poll(() => find.evaluate((box) => box === document.activeElement)).toBe(true);
  const options = screen.dialog().getByRole('option');
  await expect
    .poll(() => options.allInnerTexts())
    .toEqual(['Staging', expect.stringMatching(/^Status page\s+You may not change this group$/)]);
  await find.fill('STATUS');
  await expect.poll(() => options.count()).toBe(1);
  await page.keyboard.press('ArrowDown');
  await screen.dialog().getByText(REFUSED).waitFor();
  await page.keyboard.press('Enter');
  expect(await screen.button('Move entries', screen.dialog()).getAttribute('aria-disabled')).toBe('true');
  expect(await findings(page)).toEqual([]);
  await find.fill('nothing like it');
  await screen.dialog().getByText('No group has this name').waitFor();
  expect(await screen.dialog().getByText(REFUSED).count()).toBe(0);
  await page.keyboard.press('Escape');
  expect(await entries.chosen()).toEqual(['Alpha']);
});

test('entries are moved with their values after the master password, are readable there, and move back', async () => {
  await screen.entry('Alpha').click();
  await screen.button('Add field').click();
  await screen.dialog().getByText('Note', { exact: true }).click();
  await screen.box('Title', screen.dialog()).fill('Runbook');
  await screen.box('Value', screen.dialog()).fill('Pause billing first.');
  await screen.button('Add field', screen.dialog()).click();
  await screen.remember();
  await page.getByText('Runbook', { exact: true }).waitFor();
  await page.reload();

  await entries.choose('Alpha');
  await entries.choose('Beta');
  await screen.button('Move entries', bar()).click();
  await screen
    .dialog()
    .getByRole('option', { name: /^Staging/ })
    .click();
  await screen.button('Move entries', screen.dialog()).click();
  await screen.dialog().getByText('Needed to move 2 entries to “Staging”.').waitFor();
  await page.keyboard.press('Escape');
  // After cancelling, nothing is moved and the dialog is still open.
  await screen.button('Move entries', screen.dialog()).click();
  await screen.remember('wrong master password');
  await screen.dialog().getByText('MasterPassword is invalid').waitFor();
  await screen.remember();
  await entries.notice('Entries moved to Staging').waitFor();
  await expect.poll(entries.titles).toEqual(['Delta', 'Epsilon', 'Gamma', 'Zeta']);

  await screen.treeRow('Staging, Admin').click();
  await screen.entry('Alpha').click();
  await screen.button('Show').click();
  await expect.poll(() => secret().innerText()).toBe('Pause billing first.');
  await screen.treeRow('Production, Admin').click();
  await screen.heading('Production').waitFor();

  await entries.choose('Delta');
  await screen.button('Move entries', bar()).click();
  await screen
    .dialog()
    .getByRole('option', { name: /^Staging/ })
    .click();
  await page.keyboard.press('Enter');
  await expect.poll(entries.titles).toEqual(['Epsilon', 'Gamma', 'Zeta']);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await entries.undo().click();
  await entries.notice('Entries moved back to Production').waitFor();
  await expect.poll(entries.titles).toEqual(['Delta', 'Epsilon', 'Gamma', 'Zeta']);

  await screen.treeRow('Staging, Admin').click();
  await entries.table().waitFor();
  await entries.choose('Alpha');
  await entries.choose('Beta');
  await screen.button('Move entries', bar()).click();
  await screen
    .dialog()
    .getByRole('option', { name: /^Production/ })
    .click();
  await page.keyboard.press('Enter');
  await page.getByText('there are no entries').waitFor();
});

test('a failed deletion or move shows an error and changes nothing', async () => {
  await entries.choose('Alpha');
  await screen.button('Delete entries', bar()).click();
  await watched.context.setOffline(true);
  const question = page.getByRole('alertdialog');
  await screen.button('Delete entry', question).click();
  await question.getByText('Something went wrong, try again').waitFor();
  await watched.context.setOffline(false);
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  expect(await entries.titles()).toEqual(SORTED);
  expect(await entries.chosen()).toEqual(['Alpha']);

  await page.getByRole('button', { name: 'Master Pasword not entered' }).click();
  await screen.remember();
  await page.getByRole('button', { name: 'Master Pasword validated' }).waitFor();
  await screen.button('Move entries', bar()).click();
  await screen
    .dialog()
    .getByRole('option', { name: /^Staging/ })
    .click();
  await watched.context.setOffline(true);
  await page.keyboard.press('Enter');
  await screen.dialog().getByText('Something went wrong, try again').waitFor();
  await watched.context.setOffline(false);
  await page.keyboard.press('Enter');
  await expect.poll(entries.titles).toEqual(SORTED.slice(1));
  await entries.undo().click();
  await expect.poll(entries.titles).toEqual(SORTED);
});

test('on a phone the bar docks at the bottom while entries are selected, without axe findings', async () => {
  const phone = await openPage(browser, { width: 390, height: 844, theme: 'light' });
  await phone.context.addCookies(await watched.context.cookies());
  await phone.page.goto(`${server.origin}/entryGroup/${groupId}`);
  const there = entriesOf(phone.page, screenOf(phone.page));
  const docked = phone.page.getByRole('group', { name: 'Bulk edit' });
  const add = phone.page.getByRole('button', { name: 'add new Entry' });
  await add.waitFor();
  expect(await docked.isVisible()).toBe(false);
  await there.choose('Beta');
  await docked.waitFor();
  await expect.poll(() => add.isVisible()).toBe(false);
  const foot = async () => {
    const box = await docked.boundingBox();
    return (box?.y ?? 0) + (box?.height ?? 0);
  };
  await expect.poll(foot).toBe(844);
  expect(await findings(phone.page)).toEqual([]);
  await docked.getByRole('button', { name: 'Clear' }).click();
  await expect.poll(() => docked.isVisible()).toBe(false);
  // A notice does not cover the button for a new entry.
  await there.choose('Beta');
  await docked.getByRole('button', { name: 'Delete entries' }).click();
  await phone.page.getByRole('alertdialog').getByRole('button', { name: 'Delete entry' }).click();
  await there.undo().waitFor();
  await add.click();
  await phone.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await there.undo().click();
  await there.notice(/restored/).waitFor();
  expect(phone.complaints()).toEqual([]);
  await phone.context.close();
});

test('of 5,000 entries only visible rows are rendered; all are selected, deleted and restored at once', async () => {
  const big = await entries.addTree('Large', true);
  await addManyEntries(server.dataDir, { groupId: big, count: 5000 });
  await page.goto(`${server.origin}/entryGroup/${big}`);
  await screen.entry('Entry 1\\b').waitFor();
  expect(await page.locator('[data-entry-title]').count()).toBeLessThan(80);
  await all().click();
  await bar().getByText('5000 selected').waitFor();
  await screen.button('Delete entries', bar()).click();
  await screen.button('Delete entries', page.getByRole('alertdialog')).click();
  await page.getByText('there are no entries').waitFor();
  await entries.undo().click();
  await entries.notice('5000 entries restored').waitFor();
  await expect.poll(() => page.getByRole('tab', { name: /^Entries/ }).innerText()).toMatch(/5000/);
});
