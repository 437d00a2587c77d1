/** The history of a group: columns, former values, pages, and the empty state. */
import { expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { join } from 'node:path';
import type { Purpose, Via } from '@passwordbroker/core/contract/faces';
import { risingUuids } from '../server/src/platform/ids-and-digests.ts';
import { openWriter } from '../server/src/db/sqlite/connections.ts';
import { findings } from './testing/accessibility/accessibility.ts';
import { openPage, type WatchedPage } from './testing/browser/browser.ts';
import { pastedText } from './testing/browser/clipboard.ts';
import { entriesOf } from './testing/vault/entries.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { signUpAtOnce } from './testing/people/people.ts';
import { screenOf, type Screen } from './testing/vault/screen.ts';
import type { RunningServer } from './testing/server/server.ts';

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
  groupId = await entries.addTree('Production', true);
});

const table = () => page.getByRole('table', { name: 'History of the group' });
const rows = () => table().getByRole('row');
const sentence = async (row: number) =>
  (await rows().nth(row).getByRole('cell').first().innerText()).replaceAll(/\s+/g, ' ');
const openHistory = () => page.getByRole('tab', { name: 'History' }).click();

test('an empty history says so', async () => {
  await openHistory();
  await page.getByText('history is empty').waitFor();
  expect(await findings(page)).toEqual([]);
});

test('former values can be shown and copied, and each access adds a row', async () => {
  await page.getByRole('tab', { name: 'Entries' }).click();
  await entries.addEntries(groupId, ['Billing ledger']);
  await page.reload();
  await screen.entry('Billing ledger').click();
  await screen.button('Add field').click();
  await screen.dialog().getByText('Note', { exact: true }).click();
  await screen.box('Title', screen.dialog()).fill('Runbook');
  await screen.box('Value', screen.dialog()).fill('Pause billing first.');
  await screen.button('Add field', screen.dialog()).click();
  await screen.remember();
  await page.getByText('Runbook', { exact: true }).waitFor();
  await page.reload();

  await openHistory();
  await table().waitFor();
  expect(await table().getByRole('columnheader').allInnerTexts()).toEqual([
    'Entry',
    'Field title',
    'Field type',
    'Action',
    'User',
    'Date',
    'Value',
    'Actions',
  ]);
  expect(await sentence(1)).toBe('Mira Okafor created Billing ledger › Runbook Note');
  await screen.button('Show', rows().nth(1)).click();
  await screen.remember();
  await expect.poll(() => page.locator('[data-secret]').innerText()).toBe('Pause billing first.');
  await screen.button('Hide', rows().nth(1)).click();
  await page.locator('[data-secret]').waitFor({ state: 'detached' });
  await screen.button('Copy value', rows().nth(1)).click();
  await rows().nth(1).getByText('copied').first().waitFor();
  await expect.poll(() => pastedText(page)).toBe('Pause billing first.');
  expect(await findings(page)).toEqual([]);

  await page.getByRole('tab', { name: 'Entries' }).click();
  await openHistory();
  await expect.poll(() => rows().count()).toBe(3);
  expect(await sentence(1)).toBe('Mira Okafor showed Billing ledger › Runbook Note');
  expect(await screen.button('Show', rows().nth(1)).count()).toBe(0);
  await rows()
    .nth(1)
    .getByRole('button', { name: /^Details/ })
    .click();
  expect(await rows().nth(2).innerText()).toMatch(/event_type\s+decrypted/);
  expect(await findings(page)).toEqual([]);
  await rows()
    .nth(1)
    .getByRole('button', { name: /^Details/ })
    .click();
  await expect.poll(() => rows().count()).toBe(3);
});

test('a long history has pages, newest first', async () => {
  const [entry] = await screen.call<{ entry_id: string }[]>(
    'GET',
    `/passwordBroker/api/entryGroups/${groupId}/entries`,
  );
  const path = `/passwordBroker/api/entryGroups/${groupId}/entries/${entry?.entry_id ?? ''}/fields`;
  const [field] = await screen.call<{ field_id: string }[]>('GET', path);
  for (let look = 0; look < 60; look += 1) await screen.call('GET', `${path}/${field?.field_id ?? ''}/envelope`);
  await page.reload();
  await openHistory();
  await page.getByText('Page 1', { exact: true }).waitFor();
  await expect.poll(() => rows().count()).toBe(51);
  expect(await screen.button('Newer').getAttribute('aria-disabled')).toBe('true');
  await screen.button('Older').click();
  await page.getByText('Page 2', { exact: true }).waitFor();
  await expect.poll(() => rows().count()).toBe(13);
  expect(await sentence(12)).toMatch(/^Mira Okafor created /);
  expect(await screen.button('Older').getAttribute('aria-disabled')).toBe('true');
  expect(await findings(page)).toEqual([]);
  await screen.button('Newer').click();
  await expect.poll(() => rows().count()).toBe(51);
});

test('on a phone each row is a card, without axe findings in the light theme', async () => {
  const phone = await openPage(browser, { width: 390, height: 844, theme: 'light' });
  await phone.context.addCookies(await watched.context.cookies());
  await phone.page.goto(`${server.origin}/entryGroup/${groupId}`);
  await phone.page.getByRole('tab', { name: 'History' }).click();
  await phone.page.getByText(/shown/).first().waitFor();
  const width = await phone.page.evaluate(() => document.querySelector('main')?.scrollWidth ?? 0);
  expect(width).toBeLessThanOrEqual(390);
  expect(await findings(phone.page)).toEqual([]);
  expect(phone.complaints()).toEqual([]);
  await phone.context.close();
});

interface Reveal {
  readonly purpose: Purpose | null;
  readonly label: string | null;
  readonly via: Via | null;
}

/** As the server records them, the newest last. */
async function addReveals(fieldId: string, rows: readonly Reveal[]) {
  const newId = risingUuids(Date.now);
  const { queries } = openWriter(join(server.dataDir, 'passwordbroker.sqlite'));
  const made = { field_id: fieldId, event_type: 'decrypted', rev: 1, created_at: Date.now() } as const;
  try {
    const { user_id } = await queries.selectFrom('users').select('user_id').executeTakeFirstOrThrow();
    for (const row of rows)
      await queries
        .insertInto('field_history')
        .values({ ...made, ...row, user_id, field_edit_log_id: newId() })
        .execute();
  } finally {
    await queries.destroy();
  }
}

test('both histories say what a value was opened for, and with which program', async () => {
  const path = `/passwordBroker/api/entryGroups/${groupId}/entries`;
  const [entry] = await screen.call<{ entry_id: string }[]>('GET', path);
  const [field] = await screen.call<{ field_id: string }[]>('GET', `${path}/${entry?.entry_id ?? ''}/fields`);
  await addReveals(field?.field_id ?? '', [
    { purpose: 'site', label: null, via: 'web' },
    { purpose: 'export', label: 'kdbx', via: 'web' },
    { purpose: 'run', label: 'release 41', via: 'cli' },
    { purpose: 'fill', label: null, via: 'extension' },
    { purpose: null, label: null, via: null },
  ]);
  await page.reload();
  await openHistory();
  await table().waitFor();
  const told = [];
  for (let row = 1; row <= 5; row += 1) told.push(await sentence(row));
  expect(told).toEqual([
    'Mira Okafor showed Billing ledger › Runbook Note',
    'Mira Okafor, browser extension: filled · Billing ledger › Runbook Note',
    'Mira Okafor, command line: run “release 41” · Billing ledger › Runbook Note',
    'Mira Okafor: exported as kdbx · Billing ledger › Runbook Note',
    'Mira Okafor: prepared for web sites · Billing ledger › Runbook Note',
  ]);
  await page.getByRole('tab', { name: 'Entries' }).click();
  await screen.entry('Billing ledger').click();
  await screen.button('History of Runbook').click();
  const lines = screen.dialog().getByRole('rowgroup').last().getByRole('row');
  const line = async (at: number) => (await lines.nth(at).innerText()).split(/\s*\n\s*/).slice(0, 2);
  await lines.first().waitFor();
  expect([await line(0), await line(1), await line(2), await line(3), await line(4)]).toEqual([
    ['shown', 'Mira Okafor'],
    ['filled', 'Mira Okafor, browser extension'],
    ['run “release 41”', 'Mira Okafor, command line'],
    ['exported as kdbx', 'Mira Okafor'],
    ['prepared for web sites', 'Mira Okafor'],
  ]);
  expect(await findings(page, 'dialog')).toEqual([]);
  await page.keyboard.press('Escape');
  await screen.dialog().waitFor({ state: 'detached' });
});

test('a failed request shows an error and can be retried', async () => {
  await page.getByRole('tab', { name: 'Entries' }).click();
  await watched.context.setOffline(true);
  await openHistory();
  await page.getByText('The history could not be loaded').waitFor();
  await watched.context.setOffline(false);
  await screen.button('Try again').click();
  await table().waitFor();
});
