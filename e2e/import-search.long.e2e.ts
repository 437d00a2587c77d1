/**
 * Import and search: the dialog with errors, progress, cancel and undo; results, paging and scroll positions.
 */
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import { beforeAnswer, beforeSending } from './testing/browser/intercept.ts';
import { KNOWN, keepassFile } from './testing/vault/keepass-file.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { PERSON, screenOf, type Screen } from './testing/vault/screen.ts';
import type { RunningServer } from './testing/server/server.ts';

const API = '/passwordBroker/api';

let server: RunningServer;
let page: Page;
let screen: Screen;

withOnePage(async (opened) => {
  ({ server, page } = opened);
  screen = screenOf(page);
  await screen.signUp(server.origin);
});

const choose = (name: string, buffer: Buffer) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/xml', buffer });
const submit = () => screen.button('Continue', screen.dialog()).click();
/** The second step, in which everything is shown before it is sent. */
const confirm = () =>
  screen
    .dialog()
    .getByRole('button', { name: /^Import \d+ entr/ })
    .click();
const trees = async () =>
  (await screen.call<{ trees: { title: string }[] }>('GET', `${API}/entryGroupsAsTree`)).trees.map(
    ({ title }) => title,
  );

test('a missing file and master password show the errors of the specification', async () => {
  await screen.button('import a file of another program').click();
  await submit();
  await screen.dialog().getByText('Field File is missing').waitFor();
  await screen.dialog().getByText('MasterPassword is missing').waitFor();
  expect(await findings(page)).toEqual([]);
});

test('a wrong master password is cleared and reported, and the import runs after the right one', async () => {
  await choose('team-vault.xml', keepassFile({ more: 60 }));
  await screen.box('Master password', screen.dialog()).fill('not the master password');
  await submit();
  await page.getByText('MasterPassword is invalid').waitFor();
  expect(await screen.box('Master password', screen.dialog()).inputValue()).toBe('');
  await page
    .getByRole('button', { name: 'Master Pasword is incorrect', includeHidden: true })
    .waitFor({ state: 'attached' });
  await screen.remember();
  await screen.dialog().getByRole('heading', { name: 'Look before you import' }).waitFor();
  expect(await findings(page)).toEqual([]);
  await confirm();
  await screen.dialog().getByRole('heading', { name: 'Import finished' }).waitFor();
});

test('the summary counts imported and skipped items, the tree is open, and the vault is unlocked', async () => {
  const summary = await screen.dialog().innerText();
  expect(summary).toContain('Added as the new tree “keepass”.');
  expect(summary).toMatch(/62 entries/);
  expect(summary).toMatch(/Left out[\s\S]*recycle bin/i);
  expect(await findings(page)).toEqual([]);
  await screen.button('Open the tree', screen.dialog()).click();
  await screen.heading('keepass').waitFor();
  await expect.poll(() => screen.treeRow('keepass, Admin').getAttribute('aria-expanded')).toBe('true');
  await page.getByRole('button', { name: 'Master Pasword validated' }).waitFor();
  await screen.button('Activity log').click();
  await page.getByText('Import into "keepass" finished').waitFor();
  await screen.button('Activity log').click();
});

test('the notice undoes the import', async () => {
  await screen.button('import data').click();
  await screen.button('Continue', screen.dialog()).waitFor();
  const filledIn = screen.box('Master password', screen.dialog());
  expect([await filledIn.inputValue(), await filledIn.getAttribute('readonly')]).toEqual(['already unlocked', '']);
  expect(await findings(page)).toEqual([]);
  await choose('again.xml', keepassFile());
  await submit();
  await confirm();
  await screen.dialog().getByRole('heading', { name: 'Import finished' }).waitFor();
  // Wait behind the summary: the notice after it disappears after five seconds.
  await screen.heading('keepass (2)').waitFor();
  await page.keyboard.press('Escape');
  await screen.button('Undo').last().click();
  await page.getByText('Import into "keepass (2)" undone').first().waitFor();
  await screen.heading('Select an Entry Group').waitFor();
  expect(await trees()).toEqual(['keepass']);
});

test.each([
  ['empty', Buffer.alloc(0), 'The file could not be read: it is empty.'],
  ['no kind', Buffer.from('just a text'), 'This file is of no kind that can be imported.'],
  ['cut off', keepassFile().subarray(0, 900), 'The file could not be read: it is cut off.'],
  ['another XML', Buffer.from('<?xml version="1.0"?><rss><channel/></rss>'), 'The file is not a KeePass XML 2.x file.'],
  [
    'a document type',
    Buffer.from('<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><KeePassFile><Root/></KeePassFile>'),
    'The file could not be read: it contains a document type or an entity.',
  ],
])('an invalid file (%s) shows an error and changes nothing', async (_, bytes, sentence) => {
  await screen.button('import data').click();
  await choose('wrong.xml', bytes);
  await submit();
  await screen.dialog().getByRole('alert').waitFor();
  const lines = (await screen.dialog().getByRole('alert').innerText()).split(/\n+/);
  expect(lines.map((line) => line.trim())).toEqual(['The file could not be imported.', sentence]);
  await page.keyboard.press('Escape');
  await screen.dialog().waitFor({ state: 'detached' });
  expect(await trees()).toEqual(['keepass']);
});

test('a cancelled import changes nothing', async () => {
  await screen.button('import data').click();
  await choose('large.xml', keepassFile({ more: 15_000 }));
  await submit();
  await confirm();
  await screen.dialog().getByRole('progressbar').waitFor();
  // Several presses: a browser force-closes a dialog that prevents closing repeatedly.
  for (let press = 0; press < 4; press += 1) await page.keyboard.press('Escape');
  await screen.button('Cancel', screen.dialog()).click();
  await screen.dialog().getByText('The import was cancelled. Nothing was changed.').waitFor();
  await page.keyboard.press('Escape');
  // Time for a server that ignores the cancellation to store the import.
  await page.waitForTimeout(1500);
  expect(await trees()).toEqual(['keepass']);
});

test('a cancel after the upload removes what the server stored', async () => {
  await screen.button('import data').click();
  await choose('small.xml', keepassFile());
  // Delays the response like a slow network.
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const stop = await beforeAnswer(page, '*/passwordBroker/api/import', async (caught) => {
    await held;
    await caught.goOn();
  });
  await submit();
  await confirm();
  await screen.dialog().getByText('Keep this tab open').waitFor();
  await expect.poll(trees).toContain('keepass (2)');
  await screen.button('Cancel', screen.dialog()).click();
  release();
  await screen.dialog().getByText('The import was cancelled. Nothing was changed.').waitFor();
  await stop();
  await page.keyboard.press('Escape');
  expect(await trees()).toEqual(['keepass']);
});

test('search results show heading, group, marked words and read-only fields, and reveal a value', async () => {
  const search = page.getByRole('combobox', { name: 'Search entries' });
  await search.fill('   ');
  await page.keyboard.press('Enter');
  expect(new URL(page.url()).pathname).not.toContain('entrySearch');
  await page.keyboard.press('Control+k');
  await search.fill('LEDGER datenbanken');
  await page.keyboard.press('Enter');
  await screen.heading('Search results for: "LEDGER datenbanken"').waitFor();
  const found = page.getByRole('article', { name: KNOWN.entry }).first();
  await found.waitFor();
  expect(await page.getByRole('article').count()).toBe(2);
  await expect.poll(() => page.locator('mark').allInnerTexts()).toContain('Ledger');
  const first = page.getByRole('article').filter({ hasText: KNOWN.login });
  expect(await first.innerText()).not.toContain(KNOWN.password);
  await first.getByRole('button', { name: 'Show' }).first().click();
  await first.getByText(KNOWN.password).waitFor();
  expect(await first.getByRole('button', { name: /Add field|Edit|Delete/ }).count()).toBe(0);
  expect(await findings(page)).toEqual([]);
  await first.getByRole('link', { name: KNOWN.group }).click();
  await screen.heading(KNOWN.group).waitFor();
  await expect.poll(() => screen.treeRow(`${KNOWN.group}, Admin`).getAttribute('aria-selected')).toBe('true');
});

test('an empty result says so, and skipped items of the import are not found', async () => {
  for (const words of ['zyxwvut', KNOWN.deleted, '100%']) {
    await page.goto(`${server.origin}/entrySearch/${encodeURIComponent(words)}`);
    await page.getByText('... empty result').waitFor();
  }
  expect(await findings(page)).toEqual([]);
});

test('the address holds query and page, and Back restores page and scroll position without a request', async () => {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/entrySearch?')) asked.push(new URL(request.url()).search);
  });
  await page.goto(`${server.origin}/entrySearch/host?page=2`);
  await page.getByText('21–40 of 60').waitFor();
  await expect.poll(() => page.getByRole('combobox', { name: 'Search entries' }).inputValue()).toBe('host');
  await page.getByRole('button', { name: 'Page 3' }).click();
  await page.getByText('41–60 of 60').waitFor();
  expect(page.url()).toContain('page=3');
  // A new page of results focuses the heading and scrolls to the top in the next frame.
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
  await page.locator('main').evaluate(async (main) => {
    const frames = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    await frames();
    main.scrollTo(0, 700);
    // The scroll position is stored on the scroll event, one frame later.
    await frames();
  });
  const before = asked.length;
  await page.getByRole('link', { name: 'keepass' }).nth(6).click();
  await screen.heading('keepass').waitFor();
  await page.goBack();
  await page.getByText('41–60 of 60').waitFor();
  await expect.poll(() => page.locator('main').evaluate((main) => main.scrollTop)).toBe(700);
  expect(asked.length).toBe(before);
  await page.getByLabel('Per page').selectOption('50');
  await page.getByText('1–50 of 60').waitFor();
  await expect.poll(() => page.url()).toMatch(/\/entrySearch\/host\?perPage=50$/);
});

test('a changed query aborts the pending request', async () => {
  const aborted: string[] = [];
  page.on('requestfailed', (request) => {
    const { searchParams } = new URL(request.url());
    // Ignores requests for suggestions, which have five results per page.
    if (searchParams.get('perPage') !== '5') aborted.push(searchParams.get('q') ?? '');
  });
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const stop = await beforeSending(page, '*/entrySearch\\?*q=slow*', async (caught) => {
    await held;
    await caught.goOn();
  });
  const search = page.getByRole('combobox', { name: 'Search entries' });
  await search.fill('slow');
  await page.keyboard.press('Enter');
  await page.locator('#main').getByText('loading...').waitFor();
  await search.fill('ledger');
  await page.keyboard.press('Enter');
  await page.getByRole('article').first().waitFor();
  await expect.poll(() => aborted.filter((query) => query === 'slow')).toHaveLength(1);
  release();
  await stop();
});

test('the log of the server does not contain the master password', () => {
  expect(server.output()).not.toContain(PERSON.masterPassword);
});
