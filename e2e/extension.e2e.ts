/** BX1, BX9: pair, sign in, unlock, fill, copy and lock in the real extension; each reveal is recorded. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import { tabFaults } from './testing/accessibility/tab-walk.ts';
import { popupOf } from './testing/extension/in-popup.ts';
import { beginStory, FORM, LOGIN, PASSWORD, type Story, valuesOf } from './testing/extension/story.ts';
import { PERSON } from './testing/vault/screen.ts';

const OTHER_PASSWORD = 'canary-91cc horse battery';

let story: Story;
let shop: Page;
let popup: Page;
let inPopup: ReturnType<typeof popupOf>;

async function openPopup() {
  popup = await story.extension.popup(shop);
  popup.setDefaultTimeout(60_000);
  inPopup = popupOf(popup);
}

beforeAll(async () => {
  story = await beginStory();
  shop = await story.extension.open(story.extension.serve('shop.localhost', FORM));
  await openPopup();
});
afterAll(async () => story?.end());

test('BX1 pairs by an address; another site and plain http are refused', async () => {
  await inPopup.field('Address of your server').waitFor();
  expect(await findings(popup)).toEqual([]);
  await inPopup.field('Address of your server').fill('http://vault.example');
  await inPopup.press('Connect');
  await popup.getByText('Only https addresses can be used.').waitFor();
  await inPopup.field('Address of your server').fill(new URL(shop.url()).origin.replace('shop.', ''));
  await inPopup.press('Connect');
  await popup.getByText('There is no PasswordBroker at this address.').waitFor();
  await inPopup.pair(story.server.origin);
});

test('BX1 signs in, unlocks and shows the eight words of the own key once', async () => {
  expect(await findings(popup)).toEqual([]);
  await inPopup.signIn({ email: PERSON.email, password: 'wrong' });
  await popup.getByText('Invalid email or password').waitFor();
  await inPopup.signIn();
  await inPopup.unlock('wrong');
  await popup.getByText('MasterPassword is invalid').waitFor();
  await inPopup.unlock();
  await popup.getByRole('listitem').first().waitFor();
  const words = await popup.getByRole('listitem').allInnerTexts();
  expect(words).toHaveLength(8);
  // The field had the focus, and is gone: the heading has it.
  const heading = popup.getByRole('heading', { name: /^Compare these eight words/ });
  expect(await heading.evaluate((element) => element === document.activeElement)).toBe(true);
  await tabTo(popup, 'They are the same');
  await popup.keyboard.press('Enter');
  await focused('Search');
  expect(await findings(popup)).toEqual([]);
});

test('BX1 fills a page that the person asked for, and the server records one reveal', async () => {
  const before = await story.reveals();
  await story.extension.grant(shop);
  await popup.reload();
  await inPopup.field('Search').fill('billing');
  await inPopup.press('Use Billing ledger here');
  await popup.getByText('This entry is not kept for this host.').waitFor();
  expect(await findings(popup)).toEqual([]);
  expect(await story.reveals()).toBe(before);
  const closed = popup.waitForEvent('close');
  await inPopup.press('Fill once');
  await closed;
  await expect.poll(() => valuesOf(shop)).toEqual([LOGIN, PASSWORD]);
  expect(await story.reveals()).toBe(before + 1);
  expect(await story.opened()).toBe('fill extension');
});

test('BX1 without an act of the person nothing can be read or filled', async () => {
  // Another origin ends what the click allowed.
  await shop.goto(story.extension.serve('other.localhost', FORM));
  await openPopup();
  await popup.getByText('Nothing can be filled on this page.').waitFor();
  expect(await valuesOf(shop)).toEqual(['', '']);
});

test('BX1 saves the sign-in of a page, which then fits it and is filled with one click', async () => {
  await shop.goto(story.extension.serve('mail.localhost', FORM.replace('Shop', 'Mail of the shop')));
  await shop.getByLabel('User').fill('ada@example.org');
  await shop.getByLabel('Password').fill(OTHER_PASSWORD);
  await popup.close();
  await story.extension.grant(shop);
  await openPopup();
  await popup.getByText(/^Nothing is kept for mail\.localhost:\d+\.$/).waitFor();
  await inPopup.press('Save from this page');
  await expect.poll(() => inPopup.field('Title').inputValue()).toBe('Mail of the shop');
  expect(await inPopup.field('User name').inputValue()).toBe('ada@example.org');
  expect(await inPopup.field('Group').locator('option').allInnerTexts()).toEqual(['Production']);
  expect(await findings(popup)).toEqual([]);
  await inPopup.press('Save');
  await popup.getByText('Mail of the shop is saved.').waitFor();

  await shop.reload();
  await popup.close();
  await openPopup();
  const closed = popup.waitForEvent('close');
  await inPopup.press('Fill in Mail of the shop');
  await closed;
  await expect.poll(() => valuesOf(shop)).toEqual(['ada@example.org', OTHER_PASSWORD]);
});

test('BX1 replaces the password of an entry that fits the page', async () => {
  await shop.reload();
  await openPopup();
  await inPopup.press('Save from this page');
  await inPopup.field('Password').fill(`${OTHER_PASSWORD} 2`);
  await inPopup.press('Update Mail of the shop');
  await popup.getByText('Mail of the shop is updated.').waitFor();
  const closed = popup.waitForEvent('close');
  await inPopup.press('Fill in Mail of the shop');
  await closed;
  await expect.poll(() => valuesOf(shop)).toEqual(['ada@example.org', `${OTHER_PASSWORD} 2`]);
});

test('BX1 keeps an entry for the host of a page from now on, if the person may write it', async () => {
  await shop.goto(story.extension.serve('bank.localhost', FORM));
  await popup.close();
  await story.extension.grant(shop);
  await openPopup();
  await inPopup.field('Search').fill('billing');
  await inPopup.press('Use Billing ledger here');
  const closed = popup.waitForEvent('close');
  await inPopup.press(`Always on ${new URL(shop.url()).host}`);
  await closed;
  await expect.poll(() => valuesOf(shop)).toEqual([LOGIN, PASSWORD]);
  await openPopup();
  await popup.getByRole('button', { name: 'Fill in Billing ledger' }).waitFor();
  expect(await findings(popup)).toEqual([]);
  await popup.close();
});

test('BX1 copies, and locks by hand', async () => {
  await openPopup();
  const before = await story.reveals();
  await inPopup.field('Search').fill('billing');
  await inPopup.press('Copy the password of Billing ledger');
  await popup.getByText('Copied. It is cleared in 60 seconds.').waitFor();
  expect(await story.reveals()).toBe(before + 1);
  expect(await story.opened()).toBe('copy extension');
  await inPopup.press('Lock');
  await inPopup.field('Master password').waitFor();
  await popup.reload();
  await inPopup.field('Master password').waitFor();
});

test('the options have no findings, and by keyboard alone another server is chosen there', async () => {
  const options = await story.extension.open(new URL('options.html', popup.url()).href);
  await options.getByText(story.server.origin).waitFor();
  expect([await findings(options), await tabFaults(options)]).toEqual([[], []]);
  await tabTo(options, 'Use another server');
  await options.keyboard.press('Enter');
  await options.getByText('Connect to your server first.').waitFor();
  expect(await findings(options)).toEqual([]);
  await options.close();
});

test('by keyboard alone: pair, sign in, unlock and fill', async () => {
  await shop.goto(story.extension.serve('keys.localhost', FORM));
  await popup.close();
  await story.extension.grant(shop);
  await openPopup();
  const { keyboard } = popup;
  await focused('Address of your server');
  await keyboard.type(story.server.origin);
  await keyboard.press('Enter');
  await focused('E-mail');
  await keyboard.type(PERSON.email);
  await keyboard.press('Tab');
  await keyboard.type(PERSON.password);
  await keyboard.press('Enter');
  await focused('Master password');
  await keyboard.type(PERSON.masterPassword);
  await keyboard.press('Enter');
  await focused('Search');
  await keyboard.type('billing');
  await popup.getByRole('button', { name: 'Use Billing ledger here' }).waitFor();
  expect(await tabFaults(popup)).toEqual([]);
  await tabTo(popup, 'Use Billing ledger here');
  await keyboard.press('Enter');
  // The question begins at the safe answer.
  await focused('Cancel');
  await tabTo(popup, 'Fill once', 'Shift+Tab');
  const closed = popup.waitForEvent('close');
  await keyboard.press('Enter');
  await closed;
  await expect.poll(() => valuesOf(shop)).toEqual([LOGIN, PASSWORD]);
});

test('BX1 forgets a server, and gives its permission back', async () => {
  await openPopup();
  await inPopup.press('Lock');
  await popup.evaluate(() => {
    const { chrome } = globalThis as unknown as { chrome: { permissions: { remove(what: object): Promise<boolean> } } };
    const remove = chrome.permissions.remove.bind(chrome.permissions);
    const given: object[] = [];
    Object.assign(globalThis, { given });
    // The permissions of this test cannot be removed: what was asked for is kept.
    chrome.permissions.remove = (what) => {
      given.push(what);
      return remove(what);
    };
  });
  await inPopup.press('Log out');
  await inPopup.press('Use another server');
  await inPopup.field('Address of your server').waitFor();
  expect(await popup.evaluate(() => (globalThis as unknown as { given: object[] }).given)).toEqual([
    { origins: [`http://${new URL(story.server.origin).hostname}/*`] },
  ]);
});

/** Waits until the popup itself moved the focus to this control. */
const focused = (name: string) =>
  popup
    .locator(':focus')
    .and(popup.getByLabel(name, { exact: true }).or(popup.getByRole('button', { name, exact: true })))
    .waitFor();

/** Presses Tab until a button has the focus. */
async function tabTo(page: Page, name: string, key = 'Tab') {
  const wanted = page.locator(':focus').and(page.getByRole('button', { name, exact: true }));
  for (let presses = 0; presses < 20 && (await wanted.count()) === 0; presses += 1) await page.keyboard.press(key);
  expect(await wanted.count()).toBe(1);
}
