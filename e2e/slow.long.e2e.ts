/**
 * A slow network (400 ms latency, 50 kB/s) and a slow device (4× CPU throttling): the page responds to each
 * press before the server, a double press acts once, and nothing jumps. Limits are relative to the smallest
 * change in the same run, so a busy machine matters little.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Browser, Locator, Page } from 'playwright-core';
import { launchBrowser, openPage, type WatchedPage } from './testing/browser/browser.ts';
import { fieldsOf } from './testing/vault/fields.ts';
import { lastPress, moved, slowDown, watchPresses } from './testing/browser/presses.ts';
import { PERSON } from './testing/vault/screen.ts';
import { startServer, type RunningServer } from './testing/server/server.ts';

/** The limit for good layout stability of Web Vitals. */
const LEAST_SHIFT = 0.1;

let server: RunningServer;
let browser: Browser;
let watched: WatchedPage;
let page: Page;
let at: ReturnType<typeof fieldsOf>;

beforeAll(async () => {
  server = await startServer();
  browser = await launchBrowser();
  watched = await openPage(browser);
  page = watched.page;
  page.setDefaultTimeout(60_000);
  at = fieldsOf(page);
  await watchPresses(page);
  await at.signUp(server.origin);
  await page.goto(`${server.origin}/identity/logout`);
  await at.heading('Log in').waitFor();
  await slowDown(watched);
});
afterAll(async () => {
  await browser.close();
  await server.stop();
});
afterEach(async () => {
  expect(watched.complaints()).toEqual([]);
  expect(await moved(page)).toBeLessThan(LEAST_SHIFT);
});

/**
 * Milliseconds until a small change shows on this machine: the median of nine presses on the theme button.
 */
async function smallest(): Promise<number> {
  const theme = page.getByRole('button', { name: 'Toggle light and dark theme' }).first();
  const times: number[] = [];
  for (let time = 0; time < 9; time += 1) {
    await theme.click();
    await expect.poll(async () => (await lastPress(page)).seenAfter).not.toBeNull();
    times.push((await lastPress(page)).seenAfter ?? 0);
  }
  return times.sort((a, b) => a - b)[4] ?? 0;
}

/** Presses and waits for `end`; the page must have shown a response before. */
async function pressed(what: string, control: Locator, end: Locator): Promise<void> {
  await control.click();
  await end.waitFor();
  const press = await lastPress(page);
  expect.soft(press, what).toMatchObject({ seenAfter: expect.any(Number) as unknown });
  seen.push({ what, after: press.seenAfter ?? Number.POSITIVE_INFINITY });
}
const seen: { readonly what: string; readonly after: number }[] = [];
const titles = () => page.locator('[data-entry-title]').allInnerTexts();

test('the first page shows a text before its scripts load, and then the form', async () => {
  const fresh = await openPage(browser);
  await slowDown(fresh);
  await fresh.page.goto(`${server.origin}/identity/login`, { waitUntil: 'commit' });
  await fresh.page.getByText('Opening PasswordBroker').first().waitFor();
  await fresh.page.getByRole('heading', { name: 'Log in' }).waitFor();
  expect(fresh.complaints()).toEqual([]);
  await fresh.context.close();
});

test('the login button shows a response', async () => {
  await at.box('Email').fill(PERSON.email);
  await at.box('Password').fill(PERSON.password);
  await pressed('log in', at.button('Log in'), page.getByRole('button', { name: 'Logging in' }));
  await at.heading('Select an Entry Group').waitFor();
});

test('a double press creates one tree', async () => {
  await pressed('first tree', at.button('Add your first tree'), at.dialog());
  await at.box('Title', at.dialog()).fill('Production');
  await at.button('add', at.dialog()).dblclick();
  await at.box('Master password', at.dialog()).waitFor();
  await at.box('Master password', at.dialog()).fill(PERSON.masterPassword);
  await at.button('Remember', at.dialog()).dblclick();
  await at.heading('Production').waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await at.treeRow('Production, Admin').waitFor();
  expect(await page.getByRole('treegrid').getByRole('row').count()).toBe(1);
});

test('a double press creates one entry', async () => {
  await pressed('add entry', at.button(/add new Entry/).first(), at.dialog());
  await at.box('Title', at.dialog()).fill('Ledger');
  await at.button('add', at.dialog()).dblclick();
  await at.entry('Ledger').first().waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await titles()).toHaveLength(1);
  await pressed('open entry', at.entry('Ledger'), page.getByRole('table', { name: 'Fields of Ledger' }));
});

test('a double press creates one field; its value and history show a response', async () => {
  const main = page.getByRole('main');
  await pressed('add field', at.button('Add field', main), at.dialog());
  await at.box('Title', at.dialog()).fill('Root account');
  await at.button('Add field', at.dialog()).dblclick();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await at.row('Root account').waitFor();
  expect(await main.getByText('Root account', { exact: true }).count()).toBe(1);
  await pressed('show', at.button('Show', main), at.button('Hide', main));
  await pressed('history', at.button('History of Root account', main), at.dialog());
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('each link shows a response while its code loads', async () => {
  const tab = (name: RegExp) => page.getByRole('tab', { name });
  await pressed('users', tab(/^Users/), page.getByRole('table', { name: 'Users of the group' }));
  await pressed('settings', tab(/^Settings/), at.button('Delete group'));
  await pressed('trash', page.getByRole('link', { name: 'Trash' }), at.heading('Trash'));
  await pressed('account', page.getByRole('link', { name: /^Account of/ }), at.heading('Account'));
  await pressed('admin', page.getByRole('link', { name: 'Admin Panel' }), at.heading('Users'));
  const menu = page.getByRole('navigation', { name: 'Admin Panel' });
  await pressed('backup', menu.getByRole('link', { name: 'Backup' }), at.heading('Backup'));
});

test('a double press creates one backup', async () => {
  await page.goto(`${server.origin}/admin/backup/`);
  await at.button('Create a new backup').dblclick();
  await page.getByText('verified', { exact: true }).first().waitFor();
  expect(await page.getByRole('table', { name: 'Backups' }).getByRole('row').count()).toBe(2);
});

test('each press showed a response within 200 ms or ten times the time of the smallest change', async () => {
  const bound = Math.max(200, 10 * (await smallest()));
  expect(seen.length).toBeGreaterThan(12);
  expect(seen.filter(({ after }) => after > bound)).toEqual([]);
});

test('the logout button shows a response', async () => {
  await pressed('log out', page.getByRole('link', { name: 'Logout' }), at.heading('Log in'));
});
