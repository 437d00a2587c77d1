/** A new entry with its fields in one form: presses counted, a lost connection, the lock, axe. */
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import type { WatchedPage } from './testing/browser/browser.ts';
import { beforeAnswer } from './testing/browser/intercept.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import type { RunningServer } from './testing/server/server.ts';
import { signUpAtOnce } from './testing/people/people.ts';
import { fieldsOf } from './testing/vault/fields.ts';

let server: RunningServer;
let watched: WatchedPage;
let page: Page;
let at: ReturnType<typeof fieldsOf>;

withOnePage(async (opened) => {
  ({ server, watched, page } = opened);
  page.setDefaultTimeout(10_000);
  at = fieldsOf(page);
  await signUpAtOnce(page, opened.server.origin);
  await at.addTree('Production');
});

const open = () =>
  at
    .button(/add new Entry/)
    .first()
    .click();
const kindsOf = async (entry: string) => {
  const table = page.getByRole('table', { name: `Fields of ${entry}` });
  await table.getByRole('row').nth(1).waitFor();
  const titles = await table.getByRole('row').allInnerTexts();
  return titles.slice(1).map((text) => text.trim().split(/\s/)[0]);
};

async function fillLogin(title: string) {
  const { box, dialog } = at;
  await box('Title', dialog()).fill(title);
  await box('Login', dialog()).fill('ledger_root');
  await box('Password', dialog()).fill('first-Value_1');
  await box('Link', dialog()).fill('https://console.ledger.internal:8443/primary');
  await box('TOTP secret', dialog()).fill('otpauth://totp/a:b?secret=JBSWY3DPEHPK3PXP&period=45');
}

test('a new login with title, user name, password, site and one-time code is one form and one press to save', async () => {
  const posts: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && /\/(?:entries|fields)$/.test(request.url())) posts.push(request.url());
  });
  await open();
  expect(await page.getByRole('dialog').count()).toBe(1);
  expect(await at.box('Title', at.dialog()).evaluate((input) => input === document.activeElement)).toBe(true);
  await fillLogin('Billing ledger');
  expect(await findings(page, 'dialog')).toEqual([]);
  await page.keyboard.press('Enter');
  await at.closed();
  expect(posts).toHaveLength(4);
  await at.openEntry('Billing ledger');
  expect(await kindsOf('Billing ledger')).toEqual(['Password', 'Link', 'TOTP']);
  expect(await at.shownIn('Password')).toContain('first-Value_1');
});

test('Undo takes the entry back with all its fields, also from the list of changes, and a restore returns them', async () => {
  await open();
  await fillLogin('Mistake');
  await page.keyboard.press('Enter');
  await at.closed();
  await at.notice('Entry "Mistake" added').getByRole('button', { name: 'Undo' }).click();
  await at.notice('Entry "Mistake" removed again').waitFor();
  await expect.poll(() => at.entry('Mistake').count()).toBe(0);
  await page.getByRole('link', { name: 'Trash' }).click();
  await page.getByText('1 entry, 3 fields').waitFor();
  await at.button('Restore Mistake').click();
  await at.notice('"Mistake" restored').waitFor();
  await page.getByRole('tab', { name: 'Your changes' }).click();
  expect(await at.button('Undo: Entry "Mistake" added').count()).toBe(0);
  await at.button('Undo: Entry "Billing ledger" added').click();
  await at.notice('Undone: Entry "Billing ledger" added').waitFor();
  expect(await findings(page)).toEqual([]);
  await at.treeRow('Production, Admin').click();
  await at.openEntry('Mistake');
  expect(await kindsOf('Mistake')).toEqual(['Password', 'Link', 'TOTP']);
  expect(await at.entry('Billing ledger').count()).toBe(0);
});

test('"Save and add another" empties the form and focuses the title; a login needs a password', async () => {
  await open();
  await at.box('Title', at.dialog()).fill('Mail relay');
  await at.box('Login', at.dialog()).fill('relay');
  await at.button('Save and add another', at.dialog()).click();
  await at.dialog().getByText('Type or generate a password to save the login.').waitFor();
  await at.button('Generate a password', at.dialog()).click();
  await at.button('Save and add another', at.dialog()).click();
  await expect.poll(() => at.box('Title', at.dialog()).inputValue()).toBe('');
  expect(await at.box('Login', at.dialog()).inputValue()).toBe('');
  expect(await at.box('Password', at.dialog()).inputValue()).toBe('');
  await expect
    .poll(() => at.box('Title', at.dialog()).evaluate((input) => input === document.activeElement))
    .toBe(true);
  await at.box('Title', at.dialog()).fill('Second');
  await page.keyboard.press('Enter');
  await at.closed();
  await at.entry('Mail relay').waitFor();
  await at.entry('Second').waitFor();
});

test('a lost connection keeps the form, names the missing fields, and saving again adds only these', async () => {
  await open();
  await fillLogin('Search cluster');
  // The first field is stored and answered; then the connection is gone.
  const stop = await beforeAnswer(page, '*/fields', async (caught) => {
    if (caught.method === 'POST') await watched.context.setOffline(true);
    await caught.goOn();
  });
  await at.button('add', at.dialog()).click();
  await at
    .dialog()
    .getByText(/^The entry was added\. Not saved yet: .*TOTP\.$/)
    .waitFor();
  await stop();
  await watched.context.setOffline(false);
  await at.button('add', at.dialog()).click();
  await at.closed();
  expect(await at.entry('Search cluster').count()).toBe(1);
  await at.openEntry('Search cluster');
  expect(await kindsOf('Search cluster')).toEqual(['Password', 'Link', 'TOTP']);
});

test('a server that stops between fields: the form says what is missing, goes on, and Undo still takes back all', async () => {
  await open();
  await fillLogin('Mail archive');
  const stop = await beforeAnswer(page, '*/fields', async (caught) => {
    if (caught.method === 'POST') await server.kill();
    await caught.goOn();
  });
  await at.button('add', at.dialog()).click();
  await at
    .dialog()
    .getByText(/^The entry was added\. Not saved yet: .*TOTP\.$/)
    .waitFor();
  await stop();
  await server.restart();
  await at.button('add', at.dialog()).click();
  await at.closed();
  await at.openEntry('Mail archive');
  expect(await kindsOf('Mail archive')).toEqual(['Password', 'Link', 'TOTP']);
  expect(await at.entry('Mail archive').count()).toBe(1);
  await at.notice('Entry "Mail archive" added').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => at.entry('Mail archive').count()).toBe(0);
});

test('a locked vault asks for the master password first, and then saves', async () => {
  await page.reload();
  await at.heading('Production').waitFor();
  await open();
  await fillLogin('Staging');
  await page.keyboard.press('Enter');
  await at.remember();
  await page.getByRole('dialog', { name: 'Master password' }).waitFor({ state: 'detached' });
  await at.closed();
  await at.openEntry('Staging');
  expect(await kindsOf('Staging')).toEqual(['Password', 'Link', 'TOTP']);
});
