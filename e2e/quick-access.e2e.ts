/** Quick access: copies and opens the parts of an entry from the search box, in counted presses. */
import { beforeEach, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import { pastedText } from './testing/browser/clipboard.ts';
import { beforeSending, lost } from './testing/browser/intercept.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { signUpAtOnce } from './testing/people/people.ts';
import { fieldsOf } from './testing/vault/fields.ts';
import type { RunningServer } from './testing/server/server.ts';

const PASSWORD = 'correct horse battery';

let server: RunningServer;
let page: Page;
let at: ReturnType<typeof fieldsOf>;
/** Addresses of the calls that release a value; the server records each. */
let reveals: string[] = [];
let presses = 0;

withOnePage(async (opened) => {
  ({ server, page } = opened);
  page.setDefaultTimeout(20_000);
  at = fieldsOf(page);
  await signUpAtOnce(page, server.origin);
  await at.addTree('Production');
  await at.addEntry('Empty shelf');
  await at.addEntry('Billing ledger');
  await at.openEntry('Billing ledger');
  await at.addField('Password', 'Root', async () => {
    await at.box('Login', at.dialog()).fill('mira');
    await at.box('Value', at.dialog()).fill(PASSWORD);
  });
  await at.addField('TOTP', 'Second factor', () => at.box('Secret', at.dialog()).fill('JBSWY3DPEHPK3PXP'));
  await at.addField('Link', 'Console', () => at.box('Value', at.dialog()).fill(`${server.origin}/entrySearch/console`));
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith('/envelope')) reveals.push(pathname);
  });
});
beforeEach(() => {
  reveals = [];
  presses = 0;
});

const box = () => page.getByRole('combobox', { name: 'Search entries' });
const bar = (entry: string) => page.getByRole('group', { name: `Actions for ${entry}` });
const notice = (text: string) => page.getByText(text).first();
const press = async (key: string) => {
  presses += 1;
  await page.keyboard.press(key);
};
const find = async (opener: string, term: string, entry: string) => {
  await press(opener);
  await page.keyboard.type(term);
  await bar(entry).waitFor();
};
const shown = async (address: string) =>
  (await at.call<unknown[]>('GET', address.replace(/envelope$/, 'history'))).length;

test('a locked vault asks for the master password, then the copy goes on', async () => {
  await page.goto(`${server.origin}/account`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await find('Control+k', 'billing', 'Billing ledger');
  await page.keyboard.press('Control+c');
  await at.dialog().waitFor();
  expect(reveals).toEqual([]);
  await at.remember();
  await notice('Copied the password of “Billing ledger”').waitFor();
  await expect.poll(() => pastedText(page)).toBe(PASSWORD);
  expect(reveals).toHaveLength(1);
});

test('Ctrl+K, the term and Ctrl+C copy the password, and the server records it', async () => {
  await find('Control+k', 'ledger', 'Billing ledger');
  expect(await findings(page)).toEqual([]);
  await press('Control+c');
  await expect.poll(() => reveals.length).toBe(1);
  await expect.poll(() => pastedText(page)).toBe(PASSWORD);
  expect(presses).toBe(2);
  const before = await shown(reveals[0] ?? '');
  await find('Control+k', 'ledger', 'Billing ledger');
  await page.keyboard.press('Control+c');
  await expect.poll(() => shown(reveals[0] ?? '')).toBe(before + 1);
});

test('Ctrl+C before the results have arrived copies from the first of them, unless another key follows', async () => {
  await page.keyboard.press('Control+k');
  await page.keyboard.type('ledger');
  await page.keyboard.press('Control+c');
  expect(await bar('Billing ledger').count()).toBe(0);
  await notice('Copied the password of “Billing ledger”').waitFor();
  await expect.poll(() => reveals.length).toBe(1);

  await page.keyboard.press('Control+k');
  await page.keyboard.type('ledge');
  await page.keyboard.press('Control+c');
  await page.keyboard.type('r');
  await bar('Billing ledger').waitFor();
  expect(reveals).toHaveLength(1);
  await page.keyboard.press('Escape');
});

test('the other keys copy the login and the code, and open the link in a new tab', async () => {
  await page.getByRole('main').focus();
  await find('/', 'ledger', 'Billing ledger');
  await page.keyboard.press('Control+b');
  await expect.poll(() => pastedText(page)).toBe('mira');
  expect(reveals).toEqual([]);
  await find('Control+k', 'ledger', 'Billing ledger');
  await page.keyboard.press('Alt+t');
  await notice('Copied the one-time code of “Billing ledger”').waitFor();
  await expect.poll(() => pastedText(page)).toMatch(/^\d{6}$/);
  await find('Control+k', 'ledger', 'Billing ledger');
  const opening = page.context().waitForEvent('page');
  await page.keyboard.press('Control+o');
  const tab = await opening;
  await tab.waitForURL(/console/);
  await tab.close();
  expect(reveals).toHaveLength(2);
});

test('Ctrl+C copies selected text of the box, not the password', async () => {
  await find('Control+k', 'ledger', 'Billing ledger');
  await box().selectText();
  await page.keyboard.press('Control+c');
  await expect.poll(() => pastedText(page)).toBe('ledger');
  expect(reveals).toEqual([]);
});

test('an entry without the part says so; a button does the same as its key', async () => {
  await find('Control+k', 'shelf', 'Empty shelf');
  await at.button('Copy code', bar('Empty shelf')).click();
  await notice('“Empty shelf” has no one-time code.').waitFor();
  expect(reveals).toEqual([]);
});

test('a reveal that fails says so', async () => {
  const stop = await beforeSending(page, '**/envelope*', lost);
  await find('Control+k', 'ledger', 'Billing ledger');
  await page.keyboard.press('Control+c');
  await notice('The password of “Billing ledger” was not copied.').waitFor();
  await stop();
});

test('a misspelt word finds similar entries and groups, marked as similar', async () => {
  const ofKind = (name: string) => page.getByRole('group', { name, exact: true });
  await find('Control+k', 'ledgre', 'Billing ledger');
  await ofKind('Similar entries')
    .getByRole('option', { name: /^Billing ledger/ })
    .waitFor();
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await at.heading('Search results for: "ledgre"').waitFor();
  await page.getByText('Nothing contains “ledgre”. These entries contain similar words.').waitFor();
  await page.getByRole('article', { name: 'Billing ledger' }).getByText('Similar', { exact: true }).waitFor();
  expect(await findings(page, 'main')).toEqual([]);
  await box().fill('prodcution');
  await ofKind('Similar groups')
    .getByRole('option', { name: /^Production/ })
    .waitFor();
  // As written: not marked.
  await box().fill('ledger');
  await ofKind('Entries')
    .getByRole('option', { name: /^Billing ledger/ })
    .waitFor();
  await page.keyboard.press('Escape');
});
