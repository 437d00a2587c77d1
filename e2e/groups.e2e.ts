/** Groups and entries: adding, the tree by keyboard, a long group, and invalid addresses. */
import { expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import { openPage, type WatchedPage } from './testing/browser/browser.ts';
import { addManyEntries } from './testing/vault/many-entries.ts';
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

withOnePage(async (opened) => {
  ({ server, browser, watched, page } = opened);
  screen = screenOf(page);
  await signUpAtOnce(page, server.origin);
});

const focused = () =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '');
/** Presses a key and waits for the focus. */
const pressed = async (key: string, there: string) => {
  await page.keyboard.press(key);
  await expect.poll(focused).toContain(there);
};

test('without groups the page shows a prompt, an empty tree and the next step', async () => {
  await screen.heading('Select an Entry Group').waitFor();
  await page.getByText('There are no groups yet').waitFor();
  expect(await findings(page)).toEqual([]);
});

test('a tree requires a title and the master password, then is selected and open', async () => {
  await screen.button('add new tree').click();
  await expect.poll(focused).toBe('');
  await page.keyboard.press('Enter');
  await screen.dialog().getByText('The name is required.').waitFor();
  await screen.box('Title', screen.dialog()).fill('Engineering');
  await page.keyboard.press('Enter');
  await screen.box('Master password', screen.dialog()).waitFor();
  await page.keyboard.press('Escape');
  // The form keeps its title; nothing was created.
  expect(await screen.box('Title', screen.dialog()).inputValue()).toBe('Engineering');
  await page.keyboard.press('Enter');
  await screen.remember('wrong master password');
  await screen.dialog().getByText('MasterPassword is invalid').waitFor();
  await screen.remember();
  await screen.heading('Engineering').waitFor();
  await screen.treeRow('Engineering, Admin').waitFor();
  await expect.poll(() => screen.treeRow('Engineering, Admin').getAttribute('aria-selected')).toBe('true');
  await page.getByText('there are no entries').waitFor();
});

test('the dialog for a child group opens empty; the child appears below its parent', async () => {
  await screen.button('add new child Entry Group').click();
  expect(await screen.box('Title', screen.dialog()).inputValue()).toBe('');
  expect(await screen.dialog().getByRole('checkbox').count()).toBe(0);
  await screen.box('Title', screen.dialog()).fill('Databases');
  await screen.button('add', screen.dialog()).click();
  await screen.heading('Databases').waitFor();
  await expect.poll(() => screen.treeRow('Engineering, Admin').getAttribute('aria-expanded')).toBe('true');
  await expect.poll(() => screen.treeRow('Databases, Admin').getAttribute('aria-selected')).toBe('true');
  await expect.poll(() => page.getByRole('navigation', { name: 'Group path' }).innerText()).toContain('Engineering');
});

test('open groups stay open after a reload, and the storage holds only ids', async () => {
  await page.reload();
  await screen.treeRow('Databases, Admin').waitFor();
  const stored = await page.evaluate(() => JSON.stringify(localStorage));
  expect(stored).not.toContain('Engineering');
  // A reload during the redirect: the address is the old one, and the history has no target.
  await page.goto(`${server.origin}/identity/loading`);
  await screen.heading('Databases').waitFor();
});

test('entries require a title, sort by title, and are reached by arrow keys', async () => {
  for (const title of ['Server 10', 'server 9', 'Ärger']) {
    await screen.button('add new Entry').click();
    if (title === 'Server 10') {
      await page.keyboard.press('Enter');
      await screen.dialog().getByText('The title is required.').waitFor();
    }
    await screen.box('Title', screen.dialog()).fill(title);
    await page.keyboard.press('Enter');
    await screen.entry(title).waitFor();
  }
  const titles = async () =>
    (await page.locator('[data-entry-title]').allInnerTexts()).map((title) => title.split('\n')[0]);
  await expect.poll(titles).toEqual(['Ärger', 'server 9', 'Server 10']);
  await expect.poll(() => page.getByRole('tab', { name: /^Entries/ }).innerText()).toMatch(/^Entries\s*3$/);
  // Each added entry gets the focus; before that, keys would act elsewhere.
  await expect.poll(focused).toContain('Ärger');
  await pressed('ArrowDown', 'server 9');
  await pressed('End', 'Server 10');
  await pressed('ArrowDown', 'Server 10');
  await pressed('Home', 'Ärger');
  await page.keyboard.press('Enter');
  await screen.button('Add field').waitFor();
  await expect.poll(() => screen.entry('Ärger').getAttribute('aria-expanded')).toBe('true');
  await page.keyboard.press('n');
  await screen.dialog().getByRole('heading', { name: 'New entry' }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(focused).toContain('Ärger');
});

test('the tree works by keyboard: arrows, type-ahead, Enter opens', async () => {
  await screen.treeRow('Databases, Admin').focus();
  const isOpen = () => screen.treeRow('Engineering, Admin').getAttribute('aria-expanded');
  await pressed('ArrowLeft', 'Engineering, Admin');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(isOpen).toBe('false');
  await page.keyboard.press('ArrowRight');
  await expect.poll(isOpen).toBe('true');
  await screen.treeRow('Databases, Admin').waitFor();
  await pressed('ArrowRight', 'Databases, Admin');
  await pressed('e', 'Engineering, Admin');
  await page.keyboard.press('Enter');
  await screen.heading('Engineering').waitFor();
});

test('only visible rows of a group of 500 entries are rendered', async () => {
  const { entryGroup } = await screen.call<{ entryGroup: { entry_group_id: string } }>('POST', `${API}/entryGroups`, {
    name: 'Long',
  });
  await addManyEntries(server.dataDir, { groupId: entryGroup.entry_group_id, count: 500 });
  await page.reload();
  await screen.treeRow('Long, Admin').click();
  await screen.entry('Entry 1\\b').waitFor();
  await expect.poll(() => page.getByRole('tab', { name: /^Entries/ }).innerText()).toMatch(/500/);
  expect(await page.locator('[data-entry-title]').count()).toBeLessThan(80);
  await screen.entry('Entry 1\\b').focus();
  await page.keyboard.press('End');
  await expect.poll(focused).toContain('Entry 500');
  expect(await findings(page)).toEqual([]);
});

test.each([
  ['an unknown group', '01890a5d-ac96-774b-bcce-b302099a8057'],
  ['an invalid id', 'nothing'],
])('%s shows an explanation', async (_, id) => {
  await page.goto(`${server.origin}/entryGroup/${id}`);
  await page.getByText('There is no such group').waitFor();
  expect(await findings(page)).toEqual([]);
  await screen.button('Go to groups').click();
  await screen.heading('Select an Entry Group').waitFor();
});

test('an error of the server about a new group shows in the dialog', async () => {
  let parent: string | null = null;
  for (let depth = 1; depth <= 32; depth += 1) {
    const made: { entryGroup: { entry_group_id: string } } = await screen.call('POST', `${API}/entryGroups`, {
      name: `Level ${depth}`,
      parent_entry_group_id: parent,
    });
    parent = made.entryGroup.entry_group_id;
  }
  await page.goto(`${server.origin}/entryGroup/${parent}`);
  await screen.heading('Level 32').waitFor();
  await screen.button('add new child Entry Group').click();
  await screen.box('Title', screen.dialog()).fill('Level 33');
  await screen.button('add', screen.dialog()).click();
  const unlock = screen.box('Master password', screen.dialog());
  const refusal = screen
    .dialog()
    .getByRole('alert')
    .filter({ hasText: /inside each other/ });
  await unlock.or(refusal).first().waitFor();
  if (await unlock.isVisible()) await screen.remember();
  await refusal.waitFor();
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Escape');
});

test('without a connection the group shows an error and can be retried', async () => {
  await page.goto(server.origin);
  await screen.treeRow('Engineering, Admin').waitFor();
  await watched.context.setOffline(true);
  await screen.treeRow('Engineering, Admin').click();
  await page.getByText('The group could not be loaded.').waitFor();
  await watched.context.setOffline(false);
  await screen.button('Try again').click();
  await screen.heading('Engineering').waitFor();
});

test('on a phone in the light theme there are no axe findings', async () => {
  const phone = await openPage(browser, { width: 390, height: 844, theme: 'light' });
  await phone.context.addCookies(await watched.context.cookies());
  await phone.page.goto(`${server.origin}/`);
  await phone.page
    .getByRole('button', { name: /groups/i })
    .first()
    .click();
  await phone.page.getByRole('row', { name: 'Long, Admin' }).click();
  await phone.page.getByRole('heading', { name: 'Long', level: 1 }).waitFor();
  expect(await findings(phone.page)).toEqual([]);
  expect(phone.complaints()).toEqual([]);
  await phone.context.close();
});
