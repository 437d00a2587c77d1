/** Who opened what in a group: presses counted, in sentences, with child groups. */
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
let bobs: Screen;
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

/** Dates what was shown so far a month back. */
async function letAMonthPass(): Promise<void> {
  const { queries } = openWriter(join(opened.server.dataDir, 'passwordbroker.sqlite'));
  try {
    await queries
      .updateTable('field_history')
      .set((eb) => ({ created_at: eb('created_at', '-', MONTH) }))
      .where('event_type', '=', 'decrypted')
      .execute();
  } finally {
    await queries.destroy();
  }
}

beforeAll(async () => {
  const { server, browser } = opened;
  const ada = await signUpFirst(page, server.origin, 'Ada Adler');
  const [bob] = (await addPeople(screen, server.dataDir, ['Bob Brandt'])) as [Person];
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
  bobs = await signIn((await openPage(browser)).page, server.origin, bob);
  await reveal(bobs, root);
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
  await expect.poll(rows).toEqual(['Bob Brandt showed Search cluster › Root account Password']);
  expect(await presses()).toBeLessThanOrEqual(2);
});

test('child groups, people, events and days are filters, which can be cleared at once', async () => {
  await page.getByLabel('With child groups').check();
  const child = 'Ada Adler showed Databases › Replica › Console Password';
  await expect.poll(rows).toEqual([child, 'Bob Brandt showed Search cluster › Root account Password']);
  expect(await findings(page)).toEqual([]);
  await screen.box('Person').selectOption({ label: 'Ada Adler' });
  await expect.poll(rows).toEqual([child]);
  await screen.box('From').fill('');
  const own = 'Ada Adler showed Search cluster › Root account Password';
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
