/** The history of a field: former values shown and restored, and paging. */
import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import type { WatchedPage } from './testing/browser/browser.ts';
import { fieldsOf } from './testing/vault/fields.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { signUpAtOnce } from './testing/people/people.ts';
import { setRole } from './testing/vault/roles.ts';
import { PERSON } from './testing/vault/screen.ts';
import type { RunningServer } from './testing/server/server.ts';

let server: RunningServer;
let watched: WatchedPage;
let page: Page;
let at: ReturnType<typeof fieldsOf>;

withOnePage(async (opened) => {
  ({ server, watched, page } = opened);
  page.setDefaultTimeout(10_000);
  at = fieldsOf(page);
  await signUpAtOnce(page, server.origin);
  await at.addTree('Production');
  await at.addEntry('Billing ledger');
  await at.openEntry('Billing ledger');
  const { box, dialog, addField, button, row, closed } = at;
  await addField('Password', 'Root account', () => box('Value', dialog()).fill('first-Value_1'));
  await button('Edit Root account', row('Root account')).click();
  await box('Value', dialog()).fill('second-Value_2');
  await button('Save', dialog()).click();
  await closed();
});
afterEach(async () => {
  await page.keyboard.press('Escape');
});

const FIRST = { name: 'first.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(150_000, 7) };
const SECOND = { name: 'second.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(99_999, 9) };

async function openHistory(title: string) {
  await at.button(`History of ${title}`, at.row(title)).click();
  await at.dialog().getByRole('columnheader', { name: 'Action', exact: true }).waitFor();
}
/** After a restore the page reloads fields and history; a late response would hide a shown value. */
const restored = () => at.dialog().locator('[role=row] [aria-busy]').first().waitFor({ state: 'detached' });
const rows = () => at.dialog().getByRole('rowgroup').last().getByRole('row');
const rowOf = (event: string) => rows().filter({ has: page.getByRole('cell', { name: event, exact: true }) });

test('the history lists actions with user and date, newest first; showing an older value is logged', async () => {
  await openHistory('Root account');
  const columns = await at.dialog().getByRole('columnheader').allInnerTexts();
  expect(columns).toEqual(['Action', 'User', 'Date', 'Value', 'Actions']);
  await expect
    .poll(() => rows().locator('[role=cell]:first-child').allInnerTexts())
    .toEqual(['changed', 'shown', 'created']);
  expect(await rows().first().innerText()).toMatch(
    new RegExp(`${PERSON.name}\\s+\\d{4}\\.\\d\\d\\.\\d\\d \\d\\d:\\d\\d`),
  );
  expect(await at.dialog().innerText()).not.toContain('first-Value_1');
  await at.button('Show', rowOf('created')).click();
  await rowOf('created').getByText('first-Value_1').waitFor();
  await at.button('Show', rowOf('changed')).click();
  await rowOf('changed').getByText('second-Value_2').waitFor();
  expect(await findings(page, 'dialog')).toEqual([]);
  await page.keyboard.press('Escape');
  await at.closed();
  expect(await page.content()).not.toContain('first-Value_1');
  await openHistory('Root account');
  await expect.poll(() => rowOf('shown').count()).toBe(3);
});

test('an older value is restored as a new revision, and the replaced value stays in the history', async () => {
  await openHistory('Root account');
  // The current value cannot be restored.
  await rowOf('changed').waitFor();
  expect(await at.button('Restore this value', rowOf('changed')).count()).toBe(0);
  await at.button('Restore this value', rowOf('created')).click();
  await at.notice('Older value of field "Root account" restored').waitFor();
  await expect.poll(() => rowOf('changed').count()).toBe(2);
  await restored();
  await page.keyboard.press('Escape');
  await at.closed();
  expect(await at.shownIn('Root account')).toContain('first-Value_1');
  await openHistory('Root account');
  await at.button('Show', rowOf('changed').last()).click();
  await rowOf('changed').last().getByText('second-Value_2').waitFor();
});

test('an older file is restored byte for byte', async () => {
  const { dialog, row, button } = at;
  await at.addField('File', 'Certificate', () => dialog().locator('input[type=file]').setInputFiles(FIRST));
  await button('Edit Certificate', row('Certificate')).click();
  await dialog().locator('input[type=file]').setInputFiles(SECOND);
  await button('Save', dialog()).click();
  await at.closed();
  await openHistory('Certificate');
  await button('Show', rowOf('created')).click();
  await rowOf('created').getByText('first.bin, 150 kB').waitFor();
  await button('Restore this value', rowOf('created')).click();
  await at.notice('Older value of field "Certificate" restored').waitFor();
  await restored();
  await page.keyboard.press('Escape');
  await at.closed();
  await row('Certificate').getByText('first.bin').waitFor();
  const downloading = page.waitForEvent('download');
  await button('Download file', row('Certificate')).click();
  expect(readFileSync(await (await downloading).path()).equals(FIRST.buffer)).toBe(true);
});

test('a restore does not overwrite a concurrent change', async () => {
  await openHistory('Root account');
  const other = await watched.context.newPage();
  other.setDefaultTimeout(10_000);
  const there = fieldsOf(other);
  await other.goto(page.url());
  await there.openEntry('Billing ledger');
  await there.button('Edit Root account', there.row('Root account')).click();
  await there.remember();
  await there.box('Value', there.dialog()).fill('theirs-Value_3');
  await there.button('Save', there.dialog()).click();
  await there.closed();
  await other.close();

  await at.button('Restore this value', rowOf('created')).click();
  await at
    .dialog()
    .getByText(/Someone changed this field in the meantime/)
    .waitFor();
  await expect.poll(() => rowOf('changed').count()).toBe(3);
  await restored();
  await page.keyboard.press('Escape');
  await at.closed();
  expect(await at.shownIn('Root account')).toContain('theirs-Value_3');
});

test('a long history is loaded page by page', async () => {
  await at.addField('Link', 'Console', () => at.box('Value', at.dialog()).fill('https://console.ledger.internal'));
  const { groups, entries, fields } = await namesOf('Console');
  const base = `/passwordBroker/api/entryGroups/${groups}/entries/${entries}/fields/${fields}`;
  await page.evaluate(async (address) => {
    for (let at = 0; at < 60; at += 1) await fetch(address);
  }, `${base}/envelope`);
  await openHistory('Console');
  await expect.poll(() => rows().count()).toBe(50);
  expect(await rowOf('created').count()).toBe(0);
  await at.button('Show older', at.dialog()).click();
  await expect.poll(() => rows().count()).toBe(61);
  expect(await rows().last().innerText()).toContain('created');
  expect(await at.button('Show older', at.dialog()).count()).toBe(0);
});

test('a member downloads each version of a file, from the history of the field and of the group; each download is logged', async () => {
  const groupId = /entryGroup\/([\w-]+)/.exec(page.url())?.[1] ?? '';
  await setRole(server.dataDir, groupId, 'member');
  await page.reload();
  await at.openEntry('Billing ledger');
  await openHistory('Certificate');
  expect(await at.button('Restore this value', at.dialog()).count()).toBe(0);
  const before = await rowOf('shown').count();
  expect(await downloaded(rowOf('created'), true)).toEqual(['first.bin', FIRST.buffer]);
  expect(await downloaded(rowOf('changed').last())).toEqual(['second.bin', SECOND.buffer]);
  expect(await findings(page, 'dialog')).toEqual([]);
  await page.keyboard.press('Escape');
  await at.closed();
  await openHistory('Certificate');
  await expect.poll(() => rowOf('shown').count()).toBe(before + 2);
  await page.keyboard.press('Escape');
  await at.closed();

  await page.getByRole('tab', { name: 'History' }).click();
  await at.button('Older').click();
  const ofGroup = page
    .getByRole('table', { name: 'History of the group' })
    .getByRole('row')
    .filter({ hasText: /created\s+Billing ledger › Certificate/ });
  expect(await downloaded(ofGroup)).toEqual(['first.bin', FIRST.buffer]);
  await at.button('Show', ofGroup).click();
  await at.button('Hide', ofGroup).waitFor();
  expect(await findings(page)).toEqual([]);
});

/**
 * Downloads the file of a history row. Returns its name and bytes.
 * @param isLocked the vault asks for the master password
 */
async function downloaded(row: Locator, isLocked = false): Promise<[string, Buffer]> {
  const downloading = page.waitForEvent('download');
  await at.button('Download file', row).click();
  if (isLocked) await at.remember();
  const download = await downloading;
  return [download.suggestedFilename(), readFileSync(await download.path())];
}

/** Ids of the open group, its only entry and one of its fields. */
async function namesOf(title: string) {
  const groups = page.url().split('/').at(-1)?.split('?')[0] ?? '';
  const api = '/passwordBroker/api/entryGroups';
  const [entry] = await at.call<{ entry_id: string }[]>('GET', `${api}/${groups}/entries`);
  const entries = entry?.entry_id ?? '';
  const listed = await at.call<{ field_id: string; title: string }[]>(
    'GET',
    `${api}/${groups}/entries/${entries}/fields`,
  );
  return { groups, entries, fields: listed.find((field) => field.title === title)?.field_id ?? '' };
}
