/** The people who opened something, in the history of a group with counted presses, and at each field. */
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { openWriter } from '../server/src/db/sqlite/connections.ts';
import { findings } from './testing/accessibility/accessibility.ts';
import { openPage } from './testing/browser/browser.ts';
import { withOnePage, type OnePage } from './testing/browser/one-page.ts';
import { countPresses } from './testing/browser/presses.ts';
import { addPeople, type Person, signIn, signUpFirst } from './testing/people/people.ts';
import { addSealedEntry, addSealedGroup, type SealedGroup } from './testing/vault/sealed-tree.ts';
import { type Screen, screenOf } from './testing/vault/screen.ts';

const API = '/passwordBroker/api/entryGroups';
const MONTH = 30 * 24 * 60 * 60 * 1000;

let opened: OnePage;
let page: Page;
let screen: Screen;
let bob: Person;
let bobsPage: Page;
let production: SealedGroup;
/** Path of the field 'Root account' of the entry 'Search cluster'. */
let root: string;

withOnePage((one) => {
  opened = one;
  ({ page } = one);
  page.setDefaultTimeout(15_000);
  screen = screenOf(page);
});

async function addEntry(group: SealedGroup, title: string, field: string): Promise<string> {
  const { entryId, fieldIds } = await addSealedEntry(screen, group, { title, fields: [field] });
  return `${API}/${group.id}/entries/${entryId}/fields/${fieldIds[0] ?? ''}`;
}
const reveal = (who: Screen, field: string) => who.call('GET', `${field}/envelope`);

async function inDatabase(work: (queries: ReturnType<typeof openWriter>['queries']) => Promise<unknown>) {
  const { queries } = openWriter(join(opened.server.dataDir, 'passwordbroker.sqlite'));
  try {
    await work(queries);
  } finally {
    await queries.destroy();
  }
}

/** Dates what was shown so far a month back. */
const letAMonthPass = () =>
  inDatabase((queries) =>
    queries
      .updateTable('field_history')
      .set((eb) => ({ created_at: eb('created_at', '-', MONTH) }))
      .where('event_type', '=', 'decrypted')
      .execute(),
  );

beforeAll(async () => {
  const { server, browser } = opened;
  const ada = await signUpFirst(page, server.origin, 'Ada Adler');
  [bob] = await addPeople(screen, server.dataDir, ['Bob Brandt']);
  production = await addSealedGroup(screen, ada, 'Production');
  const databases = await addSealedGroup(screen, ada, 'Databases', production.id);
  root = await addEntry(production, 'Search cluster', 'Root account');
  await page.goto(`${server.origin}/entryGroup/${production.id}`);
  await screen.button('Master Pasword not entered').click();
  await screen.remember(ada.masterPassword);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await screen.button('Share “Production”').click();
  await screen.box('Find people', screen.dialog()).fill(bob.name);
  await screen.button(`Choose ${bob.name}`, screen.dialog()).click();
  await screen.button('Share now, compare later', screen.dialog()).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await reveal(screen, root);
  await letAMonthPass();
  bobsPage = (await openPage(browser)).page;
  await reveal(await signIn(bobsPage, server.origin, bob), root);
  await reveal(screen, await addEntry(databases, 'Replica', 'Console'));
});

const rows = async () => {
  const table = page.getByRole('table', { name: 'History of the group' });
  const cells = await table.locator('[aria-colspan="5"]').allInnerTexts();
  return cells.map((text) => text.replaceAll(/\s+/g, ' '));
};

test('who opened what in the last week takes two presses, and is told in sentences', async () => {
  await page.goto(`${opened.server.origin}/entryGroup/${production.id}`);
  await screen.heading('Production').waitFor();
  const presses = await countPresses(page);
  await page.getByRole('tab', { name: 'History' }).click();
  await screen.button('Shown in the last 7 days').click();
  await expect.poll(rows).toEqual(['Bob Brandt, other program: shown · Search cluster › Root account Password']);
  expect(await presses()).toBeLessThanOrEqual(2);
});

test('child groups, people, events and days are filters, which can be cleared at once', async () => {
  await page.getByLabel('With child groups').check();
  const child = 'Ada Adler, other program: shown · Databases › Replica › Console Password';
  await expect.poll(rows).toEqual([child, 'Bob Brandt, other program: shown · Search cluster › Root account Password']);
  expect(await findings(page)).toEqual([]);
  await screen.box('Person').selectOption({ label: 'Ada Adler' });
  await expect.poll(rows).toEqual([child]);
  await screen.box('From').fill('');
  const own = 'Ada Adler, other program: shown · Search cluster › Root account Password';
  await expect.poll(rows).toEqual([child, own]);
  await screen.box('To').fill('2020-01-01');
  await page.getByText('No rows match.').waitFor();
  await screen.button('Clear the filters').click();
  await expect.poll(async () => (await rows()).length).toBe(3);
  await screen.box('Event').selectOption({ label: 'Created' });
  await expect.poll(rows).toEqual(['Ada Adler created Search cluster › Root account Password']);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'light'));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect(await findings(page)).toEqual([]);
});

async function openEntry(of: Page) {
  await of.goto(`${opened.server.origin}/entryGroup/${production.id}`);
  await screenOf(of).entry('Search cluster').click();
}
const seenBy = (count: string, of: Page = page) =>
  of.getByRole('button', { name: `Seen by ${count}: Root account`, exact: true });
const people = async () => {
  const list = screen.dialog().getByRole('list', { name: 'People who have seen it' });
  const all = await list.getByRole('listitem').allInnerTexts();
  return all.map((text) => text.replaceAll(/\s+/g, ' ').replace(/ [\d.]+ [\d:]+$/, ''));
};

test('a field says how many have seen it, with one request for the whole entry; the names are one press away', async () => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/seenBy')) asked.push(request.url());
  });
  await openEntry(page);
  await seenBy('2').waitFor();
  expect(asked).toHaveLength(1);
  await seenBy('2').focus();
  await page.keyboard.press('Enter');
  await expect.poll(people).toEqual(['Bob Brandt', 'Ada Adler']);
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await screen.dialog().waitFor({ state: 'detached' });
  expect(await seenBy('2').evaluate((button) => button === document.activeElement)).toBe(true);
});

test('a member learns of the own reveal only', async () => {
  await openEntry(bobsPage);
  await seenBy('you', bobsPage).waitFor();
});

test('who is no longer in the group is marked, also on a phone', async () => {
  await inDatabase((queries) => queries.deleteFrom('group_members').where('user_id', '=', bob.userId).execute());
  await page.setViewportSize({ width: 390, height: 844 });
  await openEntry(page);
  await screen.button('Actions for Root account').click();
  await page.getByRole('menuitem', { name: 'Seen by 2' }).click();
  await expect.poll(people).toEqual(['Bob Brandt not in this group now', 'Ada Adler']);
  expect(await findings(page)).toEqual([]);
});
