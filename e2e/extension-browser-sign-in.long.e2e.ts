/** The extension signs in by the web page of the server, for accounts that a password and a code do not sign in. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import { virtualPasskeys } from './testing/browser/virtual-passkeys.ts';
import { type ExtensionBrowser, startExtensionBrowser } from './testing/extension/extension.ts';
import { popupOf } from './testing/extension/in-popup.ts';
import { signUpAtOnce } from './testing/people/people.ts';
import { type RunningServer, startServer } from './testing/server/server.ts';
import { PERSON, type Screen, screenOf } from './testing/vault/screen.ts';

let server: RunningServer;
let extension: ExtensionBrowser;
/** Of the web client, signed in, with the authenticator. */
let page: Page;
let screen: Screen;
let popup: Page;
let inPopup: ReturnType<typeof popupOf>;

beforeAll(async () => {
  server = await startServer();
  extension = await startExtensionBrowser();
  page = await extension.context.newPage();
  page.setDefaultTimeout(30_000);
  screen = screenOf(page);
  await (await virtualPasskeys(page)).add({ hasPrf: false });
  await signUpAtOnce(page, server.origin);
  popup = await extension.popup(page);
  popup.setDefaultTimeout(30_000);
  inPopup = popupOf(popup);
  await inPopup.pair(server.origin);
});
afterAll(async () => {
  await extension?.close();
  await server?.stop();
});

/** @returns the page that the popup opened */
async function pressAndOpen(): Promise<Page> {
  const [opened] = await Promise.all([
    extension.context.waitForEvent('page'),
    inPopup.press('Sign in through the browser'),
  ]);
  await opened.getByRole('dialog').waitFor();
  return opened;
}

async function codeOf(opened: Page): Promise<string> {
  await opened.getByRole('dialog').getByText('“PasswordBroker extension”').waitFor();
  const shown = await opened.getByRole('dialog').locator('code').innerText();
  await popup.getByText(`has to show ${shown}.`).waitFor();
  await opened.getByRole('button', { name: 'Let it sign in' }).click();
  const code = await opened.getByRole('dialog').locator('[data-secret]').innerText();
  await opened.close();
  return code;
}

test('the page of the server gives a code, which is typed into the popup', async () => {
  const opened = await pressAndOpen();
  expect(new URL(opened.url()).origin).toBe(server.origin);
  expect(await findings(popup)).toEqual([]);
  const code = await codeOf(opened);
  // Closed meanwhile, and opened again.
  await popup.reload();
  await inPopup.field('Code of the page').fill('0000-0000');
  await inPopup.press('Sign in');
  await popup.getByText('The code is not right').waitFor();
  expect(await findings(popup)).toEqual([]);
  await inPopup.field('Code of the page').fill(code);
  await inPopup.press('Sign in');
  await inPopup.unlock();
  await inPopup.compareWords();
  await inPopup.press('Lock');
  await inPopup.press('Log out');
  await inPopup.field('E-mail').waitFor();
});

test('an account with a security key signs in by the page, and one can go back', async () => {
  // A page without the focus may not ask for a passkey.
  await page.bringToFront();
  await page.goto(`${server.origin}/account#signing-in`);
  await screen.button('Set up: Security key or passkey').click();
  await screen.box('Name').fill('Blue key');
  await page.keyboard.press('Enter');
  await screen.button('I have put them somewhere safe').click();
  await inPopup.signIn();
  await inPopup.field('Recovery code').waitFor();
  expect(await findings(popup)).toEqual([]);
  await (await pressAndOpen()).close();
  await inPopup.press('Back');
  await inPopup.signIn();
  await inPopup.field('Recovery code').waitFor();
  const code = await codeOf(await pressAndOpen());
  await inPopup.field('Code of the page').fill(code);
  await inPopup.press('Sign in');
  await inPopup.field('Master password').waitFor();
  await popup.getByText(PERSON.email).waitFor();
});

test('a code of another sign-in does nothing', async () => {
  await inPopup.press('Log out');
  const code = await codeOf(await pressAndOpen());
  await inPopup.press('Back');
  await (await pressAndOpen()).close();
  await inPopup.field('Code of the page').fill(code);
  await inPopup.press('Sign in');
  await popup.getByText('Your sign-in has expired. Begin again.').waitFor();
  await inPopup.press('Back');
  await inPopup.field('E-mail').waitFor();
});
