/** A security key as second factor: set up where the site requires one, used at the sign-in and to confirm, removed. */
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { type VirtualAuthenticator, virtualPasskeys } from './testing/browser/virtual-passkeys.ts';
import { makeSignInsOld, requireFactors } from './testing/people/accounts.ts';
import { signUpAtOnce } from './testing/people/people.ts';
import { PERSON, type Screen, screenOf } from './testing/vault/screen.ts';
import type { RunningServer } from './testing/server/server.ts';

let server: RunningServer;
let page: Page;
let screen: Screen;
let key: VirtualAuthenticator;
let codes: string[] = [];

withOnePage(async (opened) => {
  ({ server, page } = opened);
  page.setDefaultTimeout(20_000);
  screen = screenOf(page);
  key = await (await virtualPasskeys(page)).add({ hasPrf: false });
  await signUpAtOnce(page, server.origin);
});

const section = () => page.getByRole('region', { name: 'Signing in', exact: true });
const row = (name: string) => section().getByRole('listitem').filter({ hasText: name });
const home = () => page.getByRole('heading', { name: 'Groups', exact: true });
const heading = () => screen.heading('Confirm it is you');
const keyButton = () => screen.button('Use your security key or passkey');

async function isAccessible() {
  for (const [width, theme] of [
    [390, 'light'],
    [1440, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate((name) => (document.documentElement.dataset['theme'] = name), theme);
    expect([width, theme, await findings(page)]).toEqual([width, theme, []]);
  }
}

async function givePassword() {
  await page.goto(`${server.origin}/identity/logout`);
  await screen.heading('Log in').waitFor();
  await screen.box('Email').fill(PERSON.email);
  await screen.box('Password').fill(PERSON.password);
  await page.keyboard.press('Enter');
  await heading().waitFor();
}

test('where the site requires a factor, a key is set up by keyboard and brings recovery codes', async () => {
  await requireFactors(server.dataDir, Date.now() - 1);
  await page.goto(`${server.origin}/account#signing-in`);
  await screen.heading('Set up a second factor').waitFor();
  await screen.button('Security key or passkey').and(page.locator(':focus')).waitFor();
  await isAccessible();
  await page.keyboard.press('Enter');
  await screen.box('Name').waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('The name is empty').waitFor();
  await page.keyboard.type('Blue key');
  await isAccessible();
  await page.keyboard.press('Enter');
  const list = page.getByRole('list', { name: 'Your recovery codes' });
  await list.waitFor();
  codes = await list.locator('[aria-hidden]').allInnerTexts();
  expect(new Set(codes).size).toBe(10);
  await screen.button('I have put them somewhere safe').press('Enter');
  await row('Blue key').getByText('not used yet').waitFor();
  await isAccessible();
  // The site requires one: the last one stays.
  await screen.button('Remove: Blue key').and(page.locator('[aria-disabled=true]')).waitFor();
  await screen.button('Add another: Security key or passkey').click();
  await screen.box('Name', screen.dialog()).fill('The same key');
  await page.keyboard.press('Enter');
  await screen.dialog().getByText('This device or key already has a passkey of your account.').waitFor();
  expect(await findings(page, 'dialog[open]')).toEqual([]);
  await page.keyboard.press('Escape');
});

test('after the password the key signs in by keyboard, and a recovery code where the key is lost', async () => {
  await givePassword();
  await keyButton().and(page.locator(':focus')).waitFor();
  await isAccessible();
  await page.keyboard.press('Enter');
  await home().waitFor();

  const findAgain = await key.lose();
  await givePassword();
  await keyButton().press('Enter');
  await page.getByRole('alert').getByText('No passkey was used.').waitFor();
  await keyButton().and(page.locator(':focus')).waitFor();
  await screen.button('Another way').press('Enter');
  await isAccessible();
  await screen.button('Use a recovery code').press('Enter');
  await screen.box('Recovery code').waitFor();
  await page.keyboard.type(codes[0] ?? '');
  await page.keyboard.press('Enter');
  await home().waitFor();
  await findAgain();
});

test('with the password it confirms its own removal, and the password alone signs in again', async () => {
  await requireFactors(server.dataDir, null);
  await makeSignInsOld(server.dataDir);
  await page.goto(`${server.origin}/account#signing-in`);
  await row('Blue key')
    .getByText(/^last used/)
    .waitFor();
  await screen.button('Remove: Blue key').press('Enter');
  await page.getByText('When you log in, only your password is asked for.').waitFor();
  await screen.button('Remove', page.getByRole('alertdialog')).click();
  const question = page.getByRole('dialog', { name: 'Confirm your password first' });
  await question.getByText(/^When you press Confirm, your browser asks/).waitFor();
  expect(await findings(page, 'dialog[open]')).toEqual([]);
  await screen.button('Use a code instead', question).press('Enter');
  await screen.box('Code', question).waitFor();
  await screen.button('Use a security key or passkey instead', question).press('Enter');
  await screen.box('Password', question).fill(PERSON.password);
  await page.keyboard.press('Enter');
  await row('Security key or passkey').getByText('Not set up').waitFor();
  await screen.button('Set up: Authenticator app').and(page.locator(':focus')).waitFor();
  await page.goto(`${server.origin}/identity/logout`);
  await screen.box('Email').fill(PERSON.email);
  await screen.box('Password').fill(PERSON.password);
  await page.keyboard.press('Enter');
  await home().waitFor();
});
