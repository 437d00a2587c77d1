/** The trash and the user's own changes: restore all or a part, delete permanently, undo, and errors. */
import { expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import { openPage, type WatchedPage } from './testing/browser/browser.ts';
import { entriesOf } from './testing/vault/entries.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { signUpAtOnce } from './testing/people/people.ts';
import { screenOf, type Screen } from './testing/vault/screen.ts';
import type { RunningServer } from './testing/server/server.ts';

const API = '/passwordBroker/api';

let server: RunningServer;
let browser: Browser;
let watched: WatchedPage;
let page: Page;
let screen: Screen;
let entries: ReturnType<typeof entriesOf>;
let production: string;
let staging: string;

withOnePage(async (opened) => {
  ({ server, browser, watched, page } = opened);
  page.setDefaultTimeout(10_000);
  screen = screenOf(page);
  entries = entriesOf(page, screen);
  await signUpAtOnce(page, server.origin);
  production = await entries.addTree('Production', true);
  staging = await entries.addTree('Staging');
});

const group = (id: string) => `${API}/entryGroups/${id}`;
const removeEntries = (id: string, ids: readonly string[]) =>
  screen.call('POST', `${group(id)}/entries/bulkEdit/delete`, { entries: ids });
const openTrash = async () => {
  await page.getByRole('link', { name: 'Trash' }).click();
  await screen.heading('Trash').waitFor();
};
const openChanges = async () => {
  await openTrash();
  await page.getByRole('tab', { name: 'Your changes' }).click();
};
const confirmation = () => page.getByRole('alertdialog');

test('the trash is linked below the groups and starts empty', async () => {
  await openTrash();
  await page.getByText('the trash is empty').waitFor();
  expect(await findings(page)).toEqual([]);
  await page.getByRole('tab', { name: 'Your changes' }).click();
  await page.getByText('nothing to undo').waitFor();
  expect(await findings(page)).toEqual([]);
});

test('one of several deleted entries can be restored, then the rest', async () => {
  await removeEntries(production, await entries.addEntries(production, ['Ledger', 'Pooler', 'Replica']));
  await page.reload();
  await page.getByText('Ledger and 2 more').waitFor();
  await page.getByText('3 entries', { exact: true }).waitFor();
  await page.getByText('deleted by Mira Okafor').waitFor();
  await page.getByText(/^can be restored until \d{4}\.\d\d\.\d\d \d\d:\d\d$/).waitFor();
  await screen.button('Show 3 items').click();
  expect(await findings(page)).toEqual([]);
  await screen.button('Restore Pooler').click();
  await entries.notice('"Pooler" restored').waitFor();
  await page.getByText('Ledger and 1 more').waitFor();
  await page.getByRole('link', { name: 'in Production' }).click();
  await screen.entry('Pooler').waitFor();
  expect(await entries.titles()).toEqual(['Pooler']);
  await openTrash();
  await screen.button('Restore Ledger and 1 more').click();
  await page.getByText('the trash is empty').waitFor();
});

test('a group is restored by keyboard alone, and the focus stays in the list', async () => {
  const below = await screen.call<{ entryGroup: { entry_group_id: string } }>('POST', `${API}/entryGroups`, {
    name: 'Old clients',
  });
  await screen.call('DELETE', group(below.entryGroup.entry_group_id));
  await page.reload();
  await screen.button('Restore Old clients').focus();
  await page.keyboard.press('Enter');
  const question = page.getByRole('alertdialog', { name: 'Restore “Old clients”?' });
  await question.getByText('Gains: you.').waitFor();
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await screen.treeRow('Old clients, Admin').waitFor();
  await page.getByText('the trash is empty').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Deleted');
});

test('an entry of a deleted group cannot be restored before the group, and its row says why', async () => {
  const { entryGroup } = await screen.call<{ entryGroup: { entry_group_id: string } }>('POST', `${API}/entryGroups`, {
    name: 'Outer',
  });
  const id = entryGroup.entry_group_id;
  await removeEntries(id, await entries.addEntries(id, ['Inner']));
  await screen.call('DELETE', group(id));
  await page.reload();
  await screen.button('Restore Inner').click();
  await page.getByRole('alert').getByText('The group or entry that it was in is in the trash too.').waitFor();
  await screen.button('Restore Outer').click();
  await screen.button('Restore', page.getByRole('alertdialog')).click();
  await screen.treeRow('Outer, Admin').waitFor();
  await screen.button('Restore Inner').click();
  await page.getByText('the trash is empty').waitFor();
});

test('a permanent deletion asks for confirmation, and Cancel keeps the entry', async () => {
  await removeEntries(production, await entries.addEntries(production, ['Obsolete']));
  await page.reload();
  await screen.button('Delete Obsolete for good').click();
  await confirmation().getByText('This removes 1 entry with all versions, for everybody.').waitFor();
  expect(await findings(page)).toEqual([]);
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel');
  await page.keyboard.press('Enter');
  await confirmation().waitFor({ state: 'detached' });
  await screen.button('Delete Obsolete for good').click();
  await screen.button('Delete for good', confirmation()).click();
  await entries.notice('"Obsolete" deleted for good').waitFor();
  await page.getByText('the trash is empty').waitFor();
});

test('emptying the trash of a group or of all shows the number of items first (T146)', async () => {
  for (const title of ['Ledger', 'Pooler'])
    await removeEntries(production, await entries.addEntries(production, [title]));
  await removeEntries(staging, await entries.addEntries(staging, ['Queue']));
  await page.goto(`${server.origin}/entryGroup/${production}`);
  await page.getByRole('tab', { name: 'Settings' }).click();
  await screen.button('Empty the trash').click();
  await confirmation().getByText('2 deleted items of this group will be removed for good.').waitFor();
  await confirmation().getByText('This removes 2 entries with all versions, for everybody.').waitFor();
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await openTrash();
  await screen.button('Empty the trash').click();
  await confirmation()
    .getByText('3 deleted items of all groups where you are admin will be removed for good.')
    .waitFor();
  // Something else was deleted meanwhile, so the dialog asks again with the new number.
  await removeEntries(staging, await entries.addEntries(staging, ['Worker']));
  await screen.button('Empty the trash', confirmation()).click();
  await confirmation().getByText('The trash has changed: it has 4 deleted items now. Check it again.').waitFor();
  await confirmation().getByText('This removes 4 entries with all versions, for everybody.').waitFor();
  await screen.button('Empty the trash', confirmation()).click();
  await entries.notice('The trash was emptied').waitFor();
  await page.getByText('the trash is empty').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Deleted');
});

test('the trash has pages, and an emptied page shows the one before', async () => {
  for (const title of Array.from({ length: 22 }, (_, at) => `Entry ${at + 1}`)) {
    await removeEntries(staging, await entries.addEntries(staging, [title]));
  }
  await page.reload();
  await screen.button('Restore Entry 22').waitFor();
  await screen.button('Page 2').click();
  await screen.button('Restore Entry 1').waitFor();
  for (const title of ['Entry 1', 'Entry 2']) await screen.button(`Restore ${title}`).click();
  // An emptied page is replaced by the one before.
  await screen.button('Restore Entry 22').waitFor();
});

test('the settings of a group show only its own trash', async () => {
  await removeEntries(production, await entries.addEntries(production, ['Only here']));
  await page.goto(`${server.origin}/entryGroup/${production}`);
  await page.getByRole('tab', { name: 'Settings' }).click();
  await screen.button('Restore Only here').click();
  await page.getByText('the trash is empty').waitFor();
});

test('the user’s renames and moves are listed and can be undone; entries need the master password', async () => {
  await screen.call('PUT', group(production), { name: 'Live' });
  await screen.call('PATCH', group(staging), { entryGroupTarget: production });
  await page.goto(`${server.origin}/entryGroup/${production}`);
  await entries.verb('Pooler', 'Move entry');
  await screen
    .dialog()
    .getByRole('option', { name: /^Staging/ })
    .click();
  await screen.button('Move entries', screen.dialog()).click();
  await screen.remember();
  await entries.notice('Entries moved to Staging').waitFor();
  await openChanges();
  await page.getByText('Entry group "Production" renamed to "Live"').waitFor();
  await page.getByText('Entry group "Staging" moved from the root to "Live"').waitFor();
  await page.getByText('Entry "Pooler" moved from "Live" to "Staging"').waitFor();
  expect(await findings(page)).toEqual([]);

  await screen.button('Undo: Entry "Pooler" moved from "Live" to "Staging"').click();
  await entries.notice('Undone: Entry "Pooler" moved from "Live" to "Staging"').waitFor();
  await screen.button('Undo: Entry group "Staging" moved from the root to "Live"').click();
  await expect.poll(() => screen.treeRow('Staging, Admin').getAttribute('aria-level')).toBe('1');
  await screen.button('Undo: Entry group "Production" renamed to "Live"').click();
  await screen.treeRow('Production, Admin').waitFor();
  await expect.poll(() => screen.button(/^Undo: .*(?:moved|renamed)/).count()).toBe(0);
  await screen.treeRow('Production, Admin').click();
  await screen.entry('Pooler').waitFor();
});

test('without a connection the trash shows an error and can be retried', async () => {
  await page.reload();
  await openTrash();
  await watched.context.setOffline(true);
  await page.getByRole('tab', { name: 'Your changes' }).click();
  await page.getByText('Your changes could not be loaded.').waitFor();
  await watched.context.setOffline(false);
  await screen.button('Try again').click();
  await page.getByText('Entry "Pooler" added').waitFor();
});

test('on a phone the drawer links to the trash, without axe findings in the light theme', async () => {
  const phone = await openPage(browser, { width: 390, height: 844, theme: 'light' });
  await phone.context.addCookies(await watched.context.cookies());
  await phone.page.goto(server.origin);
  await phone.page.getByRole('button', { name: 'Open groups' }).click();
  await phone.page.getByRole('link', { name: 'Trash' }).click();
  await phone.page.getByRole('heading', { name: 'Trash', level: 1 }).waitFor();
  await phone.page.getByRole('button', { name: 'Restore Entry 22' }).waitFor();
  expect(await findings(phone.page)).toEqual([]);
  expect(phone.complaints()).toEqual([]);
  await phone.context.close();
});
