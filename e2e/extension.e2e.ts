/** BX1, BX9 in short: pair, sign in, unlock, fill, copy and lock in the real extension; each reveal is recorded. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { fillPath } from '@passwordbroker/core/contract/endpoint';
import type { FieldHistory } from '@passwordbroker/core/contract/entities';
import { history as fieldHistory } from '@passwordbroker/core/contract/entries/fields';
import { findings } from './testing/accessibility/accessibility.ts';
import { type ExtensionBrowser, startExtensionBrowser } from './testing/extension/extension.ts';
import { popupOf } from './testing/extension/in-popup.ts';
import { closePages, openPage, sharedBrowser } from './testing/browser/browser.ts';
import { signUpAtOnce } from './testing/people/people.ts';
import { type RunningServer, startServer } from './testing/server/server.ts';
import { fieldsOf } from './testing/vault/fields.ts';
import { PERSON } from './testing/vault/screen.ts';

const PASSWORD = 'canary-7f3a correct horse';
const FORM =
  '<title>Shop</title><form><label>User<input name=user autocomplete=username></label><label>Password<input type=password autocomplete=current-password></label><button>Sign in</button></form>';

let server: RunningServer;
let extension: ExtensionBrowser;
let at: ReturnType<typeof fieldsOf>;
let shop: Page;
let popup: Page;
let inPopup: ReturnType<typeof popupOf>;

beforeAll(async () => {
  server = await startServer();
  const { page } = await openPage(await sharedBrowser());
  at = fieldsOf(page);
  await signUpAtOnce(page, server.origin);
  await at.addTree('Production');
  await at.addEntry('Billing ledger');
  await at.openEntry('Billing ledger');
  await at.addField('Password', 'Root', async () => {
    await at.box('Login', at.dialog()).fill('mira');
    await at.box('Value', at.dialog()).fill(PASSWORD);
  });
  extension = await startExtensionBrowser();
  shop = await extension.open(extension.serve('shop.localhost', FORM));
  popup = await extension.popup(shop);
  popup.setDefaultTimeout(60_000);
  inPopup = popupOf(popup);
});
afterAll(async () => {
  await extension?.close();
  await closePages(await sharedBrowser());
  await server?.stop();
});

const valuesOf = (page: Page) => page.evaluate(() => [...document.querySelectorAll('input')].map(({ value }) => value));

interface Found {
  readonly data: readonly {
    readonly entry_id: string;
    readonly entry_group: { readonly entry_group_id: string };
    readonly passwords: readonly { readonly field_id: string }[];
  }[];
}
/** What the server recorded about the password, newest first. */
async function history(): Promise<readonly FieldHistory[]> {
  const found = await at.call<Found>('GET', '/passwordBroker/api/entrySearch?q=billing');
  const [row] = found.data;
  if (row === undefined) throw new Error('The entry is not found');
  const place = { g: row.entry_group.entry_group_id, e: row.entry_id, f: row.passwords[0]?.field_id ?? '' };
  return at.call('GET', fillPath<string>(fieldHistory.path, place));
}
const reveals = async () => (await history()).filter(({ event_type }) => event_type === 'decrypted').length;

test('BX1 pairs by an address; another site and plain http are refused', async () => {
  await inPopup.field('Address of your server').waitFor();
  expect(await findings(popup)).toEqual([]);
  await inPopup.field('Address of your server').fill('http://vault.example');
  await inPopup.press('Connect');
  await popup.getByText('Only https addresses can be used.').waitFor();
  await inPopup.field('Address of your server').fill(new URL(shop.url()).origin.replace('shop.', ''));
  await inPopup.press('Connect');
  await popup.getByText('There is no PasswordBroker at this address.').waitFor();
  await inPopup.pair(server.origin);
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
  await inPopup.compareWords();
  expect(await findings(popup)).toEqual([]);
});

test('BX1 fills a page that the person asked for, and the server records one reveal', async () => {
  const before = await reveals();
  await extension.grant(shop);
  await popup.reload();
  await inPopup.field('Search').fill('billing');
  await inPopup.press('Use Billing ledger here');
  await popup.getByText('This entry is not kept for this host.').waitFor();
  expect(await findings(popup)).toEqual([]);
  expect(await reveals()).toBe(before);
  const closed = popup.waitForEvent('close');
  await inPopup.press('Fill once');
  await closed;
  await expect.poll(() => valuesOf(shop)).toEqual(['mira', PASSWORD]);
  expect(await reveals()).toBe(before + 1);
});

test('BX1 without an act of the person nothing can be read or filled', async () => {
  // Another origin ends what the click allowed.
  await shop.goto(extension.serve('other.localhost', FORM));
  popup = await extension.popup(shop);
  inPopup = popupOf(popup);
  await popup.getByText('Nothing can be filled on this page.').waitFor();
  expect(await valuesOf(shop)).toEqual(['', '']);
});

test('BX1 copies, and locks by hand', async () => {
  const before = await reveals();
  await inPopup.field('Search').fill('billing');
  await inPopup.press('Copy the password of Billing ledger');
  await popup.getByText('Copied. It is cleared in 60 seconds.').waitFor();
  expect(await reveals()).toBe(before + 1);
  await inPopup.press('Lock');
  await inPopup.field('Master password').waitFor();
  await popup.reload();
  await inPopup.field('Master password').waitFor();
});
