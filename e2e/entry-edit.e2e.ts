/** One entry: rename, delete, undo, sort, and open by link; also by keyboard. */
import { expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import { openPage } from './testing/browser/browser.ts';
import { pastedText } from './testing/browser/clipboard.ts';
import { fieldsOf } from './testing/vault/fields.ts';
import { entriesOf } from './testing/vault/entries.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { signUpAtOnce } from './testing/people/people.ts';
import { setRole } from './testing/vault/roles.ts';
import { PERSON, screenOf, type Screen } from './testing/vault/screen.ts';
import type { RunningServer } from './testing/server/server.ts';

let server: RunningServer;
let browser: Browser;
let page: Page;
let screen: Screen;
let entries: ReturnType<typeof entriesOf>;
let groupId: string;

withOnePage(async (opened) => {
  ({ server, browser, page } = opened);
  page.setDefaultTimeout(10_000);
  screen = screenOf(page);
  entries = entriesOf(page, screen);
  await signUpAtOnce(page, server.origin);
  groupId = await entries.addTree('Production', true);
  for (const title of ['Billing ledger', 'Analytics', 'Connection pooler']) {
    await screen.button('add new Entry').click();
    await screen.box('Title', screen.dialog()).fill(title);
    await page.keyboard.press('Enter');
    await screen.entry(title).waitFor();
  }
});

async function lock() {
  // Replaces what was copied before, so that the next copy is seen.
  await screen.entry('Billing ledger').focus();
  await page.keyboard.press('b');
  await expect.poll(() => pastedText(page)).toBe('ledger_root');
  await screen.button('Master password menu').click();
  await page.getByRole('menuitem', { name: 'Lock now' }).click();
}

const focused = () =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '');

test('a newly added entry has the focus', async () => {
  await expect.poll(focused).toContain('Connection pooler');
  expect(await findings(page)).toEqual([]);
});

test('renaming requires a title and sorts the row anew; Undo restores the name', async () => {
  await entries.verb('Analytics', 'Edit entry');
  const title = screen.box('Title', screen.dialog());
  expect(await title.inputValue()).toBe('Analytics');
  await title.fill('  ');
  await page.keyboard.press('Enter');
  await screen.dialog().getByText('The title is required.').waitFor();
  await title.fill('Zebra warehouse');
  await page.keyboard.press('Enter');
  await entries.notice('Entry "Analytics" renamed to "Zebra warehouse"').waitFor();
  await expect.poll(entries.titles).toEqual(['Billing ledger', 'Connection pooler', 'Zebra warehouse']);
  await entries.undo().click();
  await entries.notice('Entry "Analytics" has its old name again').waitFor();
  await expect.poll(entries.titles).toEqual(['Analytics', 'Billing ledger', 'Connection pooler']);
});

test('entries sort by title and by both times, in both directions', async () => {
  const heads = entries.table().getByRole('columnheader');
  await screen.button('Title').click();
  expect(await entries.titles()).toEqual(['Connection pooler', 'Billing ledger', 'Analytics']);
  expect(await heads.nth(1).getAttribute('aria-sort')).toBe('descending');
  await screen.button('Created at').click();
  expect(await entries.titles()).toEqual(['Connection pooler', 'Analytics', 'Billing ledger']);
  await screen.button('Created at').click();
  expect(await entries.titles()).toEqual(['Billing ledger', 'Analytics', 'Connection pooler']);
  expect(await heads.nth(3).getAttribute('aria-sort')).toBe('ascending');
  await screen.button('Updated at').click();
  // Undoing the rename also restored the time of the last update.
  expect(await entries.titles()).toEqual(['Connection pooler', 'Analytics', 'Billing ledger']);
  expect(await findings(page)).toEqual([]);
  await screen.button('Title').click();
});

test('a deletion asks for confirmation, needs no master password, and can be undone', async () => {
  await page.reload();
  await entries.verb('Billing ledger', 'Delete entry');
  const question = page.getByRole('alertdialog', { name: 'Delete “Billing ledger”?' });
  await question.waitFor();
  expect(await focused()).toBe('Cancel');
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await question.waitFor({ state: 'detached' });
  expect(await entries.titles()).toContain('Billing ledger');
  await entries.verb('Billing ledger', 'Delete entry');
  await screen.button('Delete entry', question).click();
  await entries.notice('Entries deleted').waitFor();
  await expect.poll(entries.titles).toEqual(['Analytics', 'Connection pooler']);
  // The focus moves to another row.
  await expect.poll(focused).toContain('Connection pooler');
  await entries.undo().click();
  await entries.notice('1 entry restored').waitFor();
  await expect.poll(entries.titles).toEqual(['Analytics', 'Billing ledger', 'Connection pooler']);
});

test('the link of an entry opens it and scrolls to it, also after sign-in and unlock', async () => {
  const more = Array.from({ length: 120 }, (_, index) => `Host ${index + 1}`);
  await entries.addEntries(groupId, more);
  await page.reload();
  await screen.entry('Host 100').waitFor({ state: 'detached' });
  await entries.table().waitFor();
  await page
    .getByRole('table', { name: 'Entries' })
    .getByRole('button', { name: /^Analytics/ })
    .focus();
  await page.keyboard.press('End');
  await expect.poll(focused).toContain('Host 120');
  await entries.verb('Host 110', 'Copy link to entry');
  await entries.notice('Link to entry "Host 110" copied').waitFor();
  const search = page.getByRole('combobox', { name: 'Search entries' });
  await search.focus();
  await page.keyboard.press('Control+V');
  await expect
    .poll(() => search.inputValue())
    .toMatch(new RegExp(`^${server.origin}/entryGroup/${groupId}\\?entry=[\\w-]+$`));
  const address = await search.inputValue();

  const other = await openPage(browser);
  const there = screenOf(other.page);
  await other.page.goto(address);
  await there.box('Email').fill(PERSON.email);
  await there.box('Password').fill(PERSON.password);
  await other.page.keyboard.press('Enter');
  const linked = there.entry('Host 110');
  await expect.poll(() => linked.getAttribute('aria-expanded')).toBe('true');
  await expect.poll(() => linked.evaluate((title) => title === document.activeElement)).toBe(true);
  expect(other.page.url()).toBe(address);
  await there.button('Add field').click();
  await there.box('Title', there.dialog()).fill('Root account');
  await there.button('Add field', there.dialog()).click();
  await there.remember();
  await other.page.getByText('Root account', { exact: true }).waitFor();
  expect(other.page.url()).toBe(address);
  await expect.poll(() => linked.getAttribute('aria-expanded')).toBe('true');
  expect(other.complaints()).toEqual([]);
  await other.context.close();
});

test('C copies the password of the focused or chosen row, B its login; also with the vault locked', async () => {
  const at = fieldsOf(page);
  await page.goto(`${server.origin}/entryGroup/${groupId}`);
  await screen.button('Master Pasword not entered').click();
  await screen.remember();
  await at.openEntry('Billing ledger');
  await at.addField('Password', 'Root account', async () => {
    await at.box('Login', at.dialog()).fill('ledger_root');
    await at.box('Value', at.dialog()).fill('copied-Value_1');
  });
  await screen.entry('Billing ledger').click();

  await page.keyboard.press('b');
  await expect.poll(() => pastedText(page)).toBe('ledger_root');
  await page.keyboard.press('c');
  await expect.poll(() => pastedText(page)).toBe('copied-Value_1');
  await entries.notice('Copied the password of “Billing ledger”').waitFor();

  await screen.entry('Analytics').focus();
  await page.keyboard.press('c');
  await entries.notice('“Analytics” has no password.').waitFor();
  await page.keyboard.press('b');
  await entries.notice('“Analytics” has no login.').waitFor();

  await lock();
  await entries.choose('Billing ledger');
  await entries.table().getByRole('button', { name: 'Title' }).focus();
  await page.keyboard.press('c');
  await screen.remember();
  await expect.poll(() => pastedText(page)).toBe('copied-Value_1');
  await entries.choose('Billing ledger');

  await lock();
  await screen.entry('Billing ledger').hover();
  await screen.button('Copy password of Billing ledger').click();
  await screen.dialog().getByText('copy the value of “Root account”').waitFor();
  await screen.remember();
  await expect.poll(() => pastedText(page)).toBe('copied-Value_1');

  await at.openEntry('Billing ledger');
  await screen.button('History of Root account').click();
  const revealed = screen.dialog().getByRole('cell', { name: /^(shown|copied)$/ });
  await expect.poll(() => revealed.count()).toBe(3);
  await page.keyboard.press('Escape');
  await at.closed();
});

test('logins stand beside the titles, sort the list, and are hidden like each column, also after a reload', async () => {
  const heads = async () =>
    (await entries.table().getByRole('columnheader').allInnerTexts()).map((text) => text.trim());
  const choose = (name: string) => page.getByRole('menuitemcheckbox', { name, exact: true });
  await entries.table().getByRole('cell', { name: 'ledger_root', exact: true }).waitFor();
  await entries.table().getByRole('button', { name: 'Login', exact: true }).click();
  expect((await entries.titles())[0]).toBe('Billing ledger');
  await screen.button('Choose columns').click();
  await choose('Created at').waitFor();
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(() => choose('Created at').getAttribute('aria-checked')).toBe('false');
  await page.keyboard.press('Escape');
  expect(await heads()).not.toContain('Created at');
  await page.reload();
  await screen.entry('Billing ledger').waitFor();
  expect(await heads()).toEqual(expect.arrayContaining(['Title', 'Login', 'Updated at']));
  expect(await heads()).not.toContain('Created at');

  await page.setViewportSize({ width: 390, height: 844 });
  await screen.entry('Billing ledger').getByText('ledger_root').waitFor();
  expect(await findings(page)).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
  await screen.button('Choose columns').click();
  await choose('Created at').click();
  await page.keyboard.press('Escape');
});

test('an entry is dragged to another group, and a file onto an open entry', async () => {
  await screen.call('POST', '/passwordBroker/api/entryGroups', {
    name: 'Archive',
    master_password: PERSON.masterPassword,
  });
  await page.reload();
  await screen.entry('Analytics').waitFor();
  await screen.entry('Analytics').dragTo(screen.treeRow('Archive, Admin'));
  const dialog = screen.dialog();
  await dialog.getByRole('option', { name: /Archive/, selected: true }).waitFor();
  await screen.button('Move entries', dialog).click();
  await screen.remember();
  await entries.notice('Entries moved to Archive').waitFor();
  await expect.poll(() => screen.entry('Analytics').count()).toBe(0);
  await entries.undo().click();
  await screen.entry('Analytics').waitFor();

  const { openEntry, closed } = fieldsOf(page);
  await openEntry('Connection pooler');
  const fields = page.getByRole('table', { name: 'Fields of Connection pooler' });
  const dropped = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['-----BEGIN KEY-----'], 'pooler.key'));
    return transfer;
  });
  await fields.dispatchEvent('drop', { dataTransfer: dropped });
  await screen.dialog().getByText('pooler.key').waitFor();
  await screen.button('Add field', screen.dialog()).click();
  await closed();
  await fields.getByText('pooler.key').first().waitFor();
  await screen.entry('Connection pooler').click();
});

test('the link of a missing entry shows an explanation', async () => {
  await page.goto(`${server.origin}/entryGroup/${groupId}?entry=01890a5d-ac96-774b-bcce-b302099a8057`);
  await page.getByText('The linked entry is no longer in this group, or it was deleted.').waitFor();
  expect(await findings(page)).toEqual([]);
});

test('a member has no checkboxes, no bulk bar and no commands that write', async () => {
  await setRole(server.dataDir, groupId, 'member');
  await page.goto(`${server.origin}/entryGroup/${groupId}`);
  await screen.entry('Analytics').focus();
  expect(await entries.table().getByRole('checkbox').count()).toBe(0);
  expect(await page.getByRole('group', { name: 'Bulk edit' }).count()).toBe(0);
  expect(await screen.button('add new Entry').count()).toBe(0);
  await page.keyboard.press('Control+a');
  await page.keyboard.press('n');
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.keyboard.press(' ');
  await expect.poll(() => screen.entry('Analytics').getAttribute('aria-expanded')).toBe('true');
  await screen.button('More for Analytics').click();
  await expect
    .poll(() => page.getByRole('menuitem').allInnerTexts())
    .toEqual(['Add to favourites', 'Copy password', 'Copy login', 'Copy link to entry', 'Who can see this']);
  await page.keyboard.press('Escape');
  expect(await findings(page)).toEqual([]);
  await setRole(server.dataDir, groupId, 'admin');
});
