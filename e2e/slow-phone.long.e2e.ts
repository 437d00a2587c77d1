/**
 * Twelve everyday tasks on a phone with a slow processor (4× throttling) and a slow network (400 ms latency, 50 kB/s):
 * each goes to its end, no page is wider than the phone, and nothing jumps.
 */
import { afterEach, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { openPage, type WatchedPage } from './testing/browser/browser.ts';
import { pastedText } from './testing/browser/clipboard.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { countPresses, moved, slowDown, watchPresses } from './testing/browser/presses.ts';
import { addPeople } from './testing/people/people.ts';
import type { RunningServer } from './testing/server/server.ts';
import { fieldsOf } from './testing/vault/fields.ts';
import { PERSON, screenOf } from './testing/vault/screen.ts';

const [WIDTH, HEIGHT] = [390, 844];
/** The limit for good layout stability of Web Vitals. */
const LEAST_SHIFT = 0.1;

let server: RunningServer;
let phone: WatchedPage;
let page: Page;
let at: ReturnType<typeof fieldsOf>;

withOnePage(async (opened) => {
  server = opened.server;
  phone = await openPage(opened.browser, { width: WIDTH, height: HEIGHT });
  page = phone.page;
  page.setDefaultTimeout(30_000);
  at = fieldsOf(page);
  await watchPresses(page);
  await slowDown(phone);
});
afterEach(async () => {
  expect(phone.complaints()).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(WIDTH);
  expect(await moved(page)).toBeLessThan(LEAST_SHIFT);
});

const heading = (name: string) => at.heading(name).waitFor();
const more = async (entry: string, verb: string) => {
  await at.button(`More for ${entry}`).click();
  await page.getByRole('menuitem', { name: verb, exact: true }).click();
};
const tab = (name: RegExp) => page.getByRole('tab', { name });
async function openGroup(title: string) {
  await at.button('Open groups').click();
  await at.treeRow(`${title}, Admin`).click();
  await heading(title);
}
async function addLogin(title: string, fill: () => Promise<unknown>) {
  await at
    .button(/add new Entry/)
    .first()
    .click();
  await at.box('Title', at.dialog()).fill(title);
  await at.box('Login', at.dialog()).fill('ledger_root');
  await at.box('Password', at.dialog()).fill('first-Value_1');
  await fill();
  await at.button('add', at.dialog()).click();
  await at.closed();
  await at.entry(title).waitFor();
}

test('1: signing up, and the first secret', async () => {
  await at.fillSignUp(server.origin);
  await at.button('Sign up').click();
  await heading('Site checkup');
  await page.getByRole('link', { name: 'PasswordBroker, home' }).click();
  await at.button('Add your first tree').click();
  await at.box('Title', at.dialog()).fill('Production');
  await at.button('add', at.dialog()).click();
  await heading('Production');
  await addLogin('Billing ledger', () => Promise.resolve());
});

test('2: a login with its site and one-time code in one form', async () => {
  await addLogin('Mail relay', async () => {
    await at.box('Link', at.dialog()).fill('https://console.mail.internal:8443/primary');
    await at.box('TOTP secret', at.dialog()).fill('JBSWY3DPEHPK3PXP');
  });
});

test('3: a password found by its name and copied in three taps and the term', async () => {
  const presses = await countPresses(page);
  await page
    .getByRole('button', { name: /search/i })
    .first()
    .click();
  await page.getByRole('combobox', { name: 'Search entries' }).fill('ledger');
  await at.button('Copy password', page.getByRole('group', { name: 'Actions for Billing ledger' })).click();
  await expect.poll(() => pastedText(page), { timeout: 20_000 }).toBe('first-Value_1');
  expect(await presses()).toBeLessThanOrEqual(3);
});

test('4: a recent password copied from Home', async () => {
  await page.getByRole('link', { name: 'PasswordBroker, home' }).click();
  await at.button('Copy login of Mail relay', page.getByRole('list', { name: 'Recent' })).click();
  await expect.poll(() => pastedText(page), { timeout: 20_000 }).toBe('ledger_root');
});

test('5: a value shown and hidden, and a one-time code copied', async () => {
  await openGroup('Production');
  await at.openEntry('Mail relay');
  expect(await at.shownIn('Password')).toContain('first-Value_1');
  await at.button('Copy code', at.row('TOTP')).click();
  await expect.poll(() => pastedText(page), { timeout: 20_000 }).toMatch(/^\d{6}$/);
});

test('6: a password changed, with the former one in the history', async () => {
  await at.button('Actions for Password', at.row('Password')).click();
  await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
  await at.box('Value', at.dialog()).fill('second-Value_2');
  await at.button('Save', at.dialog()).click();
  await at.closed();
  expect(await at.shownIn('Password')).toContain('second-Value_2');
});

test('7: a favourite', async () => {
  await openGroup('Production');
  await more('Mail relay', 'Add to favourites');
  await page.getByRole('link', { name: 'PasswordBroker, home' }).click();
  await page
    .getByRole('list', { name: 'Favourites', exact: true })
    .getByRole('link', { name: /^Mail relay/ })
    .waitFor();
});

test('8: a group shared with somebody never met', async () => {
  await addPeople(screenOf(page), server.dataDir, ['Bob Brandt']);
  await openGroup('Production');
  await at.button('Share “Production”').click();
  await at.box('Find people', at.dialog()).fill('Bob Brandt');
  await at.button('Choose Bob Brandt', at.dialog()).click();
  await at.button('Share now, compare later', at.dialog()).click();
  await at.closed();
  await tab(/^Users/).click();
  await page.getByRole('table', { name: 'Users of the group' }).getByText('Bob Brandt').first().waitFor();
});

test('9: who opened what', async () => {
  await tab(/^History/).click();
  await at.button('Shown in the last 7 days').click();
  await page.getByText('showed Mail relay › Password').first().waitFor();
});

test('10: an entry moved to another group', async () => {
  await at.button('Open groups').click();
  await at.button('add new tree').click();
  await at.box('Title', at.dialog()).fill('Archive');
  await at.button('add', at.dialog()).click();
  await heading('Archive');
  await openGroup('Production');
  await more('Billing ledger', 'Move entry');
  await at
    .dialog()
    .getByRole('option', { name: /^Archive/ })
    .click();
  await at.button('Move entries', at.dialog()).click();
  await at.closed();
  await openGroup('Archive');
  await at.entry('Billing ledger').waitFor();
});

test('11: an entry deleted and restored', async () => {
  await more('Billing ledger', 'Delete entry');
  await at.button('Delete entry', page.getByRole('alertdialog')).click();
  await at.button('Open groups').click();
  await page.getByRole('link', { name: 'Trash' }).click();
  await at.button('Restore Billing ledger').click();
  await openGroup('Archive');
  await at.entry('Billing ledger').waitFor();
});

test('12: locked, unlocked, signed out and in again', async () => {
  await at.openEntry('Billing ledger');
  await at.button('Master password menu').click();
  await page.getByRole('menuitem', { name: 'Lock now' }).click();
  await at.button('Show', at.row('Password')).click();
  await at.remember();
  await at.row('Password').getByText('first-Value_1').waitFor();
  await page.goto(`${server.origin}/identity/logout`);
  await heading('Log in');
  await at.box('Email').fill(PERSON.email);
  await at.box('Password').fill(PERSON.password);
  await at.button('Log in').click();
  await at.button('Unlock to see your favourites and recent entries').waitFor();
});
