/** The lock: its menu, changing the master password, and automatic locking. */
import { expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import type { WatchedPage } from './testing/browser/browser.ts';
import { beforeAnswer, beforeSending, lost } from './testing/browser/intercept.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { signUpAtOnce } from './testing/people/people.ts';
import { PERSON } from './testing/vault/screen.ts';
import type { RunningServer } from './testing/server/server.ts';

const FIRST = PERSON.masterPassword;
const SECOND = 'another passphrase 12 ⚓ of Mira';
const THIRD = 'a third passphrase 90 ♜ of Mira';

const LINK = 'https://console.ledger.internal:8443/primary';

let server: RunningServer;
let watched: WatchedPage;
let page: Page;

const box = (name: string, within: Page | Locator = page) => within.getByRole('textbox', { name, exact: true });
const button = (name: string | RegExp, within: Page | Locator = page) =>
  within.getByRole('button', { name, exact: typeof name === 'string' });
const verb = (name: string, within: Page = page) => within.getByRole('menuitem', { name, exact: true });
const dialog = (within: Page = page) => within.getByRole('dialog').last();

withOnePage(async (opened) => {
  ({ server, watched, page } = opened);
  page.setDefaultTimeout(30_000);
  await signUpAtOnce(page, server.origin);
});

async function unlock(masterPassword: string, within = page) {
  await button(/^Master Pasword (not entered|is incorrect)$/, within).click();
  await box('Master password', dialog(within)).fill(masterPassword);
  await within.keyboard.press('Enter');
}
/** The dialog closes shortly after the keys are open. */
async function unlocked(within = page) {
  await button('Master Pasword validated', within).waitFor();
  await within.getByRole('dialog').waitFor({ state: 'detached' });
}
const locked = (within = page) => button('Master Pasword not entered', within).waitFor();

async function lockNow() {
  await button('Master password menu').click();
  await verb('Lock now').click();
  await locked();
}

async function startChange() {
  await button('Master password menu').click();
  await verb('Change master password').click();
  await box('Old master password', dialog()).waitFor();
}

async function change(old: string, next: string, confirmation = next) {
  await box('Old master password', dialog()).fill(old);
  await box('New master password', dialog()).fill(next);
  await box('New master password confirmation', dialog()).fill(confirmation);
  await button('Change', dialog()).click();
}

const changed = async () => {
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByText('Master password changed').first().waitFor();
};

/** Creates a tree with an entry that has a link, and stays on it. */
async function storeLink(value: string) {
  await button('add new tree').click();
  await box('Title', dialog()).fill('Production');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Production', level: 1 }).waitFor();
  await button(/add new Entry/)
    .first()
    .click();
  await box('Title', dialog()).fill('Billing ledger');
  await page.keyboard.press('Enter');
  await openEntry();
  await button('Add field', page.getByRole('main')).click();
  await dialog().getByText('Link', { exact: true }).click();
  await box('Title', dialog()).fill('Console');
  await box('Value', dialog()).fill(value);
  await button('Add field', dialog()).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

const openEntry = () =>
  button(/Billing ledger/)
    .first()
    .click();

/** Records each element that gets the focus from now on. */
const watchFocus = () =>
  page.evaluate(() => {
    const seen: string[] = [];
    document.addEventListener('focusin', ({ target }) => {
      if (target instanceof HTMLInputElement) seen.push(`input ${target.type}`);
      else if (target instanceof HTMLElement) seen.push(target.getAttribute('aria-label') ?? target.tagName);
    });
    Object.assign(globalThis, { seen });
  });
const focused = () => page.evaluate(() => (globalThis as unknown as { readonly seen: string[] }).seen);

test('the dialog opens with the focus in its input, and returns it there after a wrong password', async () => {
  await watchFocus();
  await button('Master Pasword not entered').click();
  await dialog().waitFor();
  await expect.poll(async () => (await focused()).slice(-2)).toEqual(['Master Pasword not entered', 'input password']);
  await box('Master password', dialog()).fill('not it');
  await button('Remember', dialog()).click();
  await dialog().getByRole('alert').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement instanceof HTMLInputElement)).toBe(true);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('the menu works by keyboard, disables Lock now while locked, and returns the focus', async () => {
  const menu = button('Master password menu');
  await menu.focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => verb('Lock now').evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await verb('Lock now').getAttribute('aria-disabled')).toBe('true');
  await page.keyboard.press('ArrowUp');
  await expect
    .poll(() => verb('Change master password').evaluate((element) => element === document.activeElement))
    .toBe(true);
  await page.keyboard.press('Escape');
  await verb('Lock now').waitFor({ state: 'detached' });
  await expect.poll(() => menu.evaluate((element) => element === document.activeElement)).toBe(true);
});

test('the button of an unlocked vault opens no dialog; Lock now locks every tab', async () => {
  await unlock(FIRST);
  await unlocked();
  expect(await button('Master Pasword validated').getAttribute('aria-disabled')).toBe('true');
  await button('Master Pasword validated').click({ force: true });
  expect(await page.getByRole('dialog').count()).toBe(0);
  const other = await watched.context.newPage();
  await other.goto(server.origin);
  await unlock(FIRST, other);
  await unlocked(other);
  await page.bringToFront();
  await lockNow();
  await locked(other);
  await other.close();
});

test('a change of the master password shows errors and warnings, and a wrong old one keeps the vault unlocked', async () => {
  await unlock(FIRST);
  await unlocked();
  await storeLink(LINK);
  await startChange();
  await button('Change', dialog()).click();
  await dialog().getByText('Error: MasterPassword is missing').waitFor();
  await dialog().getByText('Error: Master Password is empty').waitFor();
  await change(FIRST, SECOND, 'something else');
  await dialog().getByText('Error: Master Password Confirmation mismatch to Master Password').waitFor();
  await change(FIRST, 'abc');
  await dialog().getByText('Warning Master Password is easy to guess').waitFor();
  await button('Go back and change it', dialog()).click();
  await change('not the one', SECOND);
  await dialog().getByText('Error: MasterPassword is invalid').waitFor();
  await expect.poll(() => box('Old master password', dialog()).inputValue()).toBe('');
  await change(FIRST, SECOND);
  await changed();
  await unlocked();
  await button('Activity log').click();
  await page.getByRole('complementary', { name: 'Activity log' }).getByText('Master password changed').waitFor();
  await button('Activity log').click();
});

test('after a change the new password opens the same keys, and the old one is refused', async () => {
  await page.reload();
  await locked();
  await unlock(FIRST);
  await dialog().getByText('MasterPassword is invalid').waitFor();
  await expect.poll(() => box('Master password', dialog()).inputValue()).toBe('');
  await box('Master password', dialog()).fill(SECOND);
  await page.keyboard.press('Enter');
  await unlocked();
  await openEntry();
  await button('Show', page.getByRole('main')).first().click();
  await page.getByRole('link', { name: LINK }).waitFor();
});

test('a change from a locked vault unlocks it with the old password', async () => {
  await lockNow();
  await startChange();
  await change('not the one', THIRD);
  await dialog().getByText('Error: MasterPassword is invalid').waitFor();
  await change(SECOND, THIRD);
  await changed();
  await unlocked();
});

test('other failures are not reported as a wrong password', async () => {
  await startChange();
  const reachable = await beforeSending(page, '*/keyBundle/slots/*', lost);
  await change(THIRD, FIRST);
  await dialog()
    .getByText(/^Error: /)
    .waitFor();
  expect(await dialog().innerText()).not.toContain('invalid');
  await reachable();
  const idle = await beforeSending(page, '*/keyBundle', (caught) => caught.answer('<html>', 503));
  await button('Change', dialog()).click();
  await dialog().getByText('Error: The server is busy. Try again.').waitFor();
  await idle();
});

test('a change succeeds if only its response is lost', async () => {
  const stop = await beforeAnswer(page, '*/keyBundle/slots/*', lost);
  await button('Change', dialog()).click();
  await changed();
  await stop();
  await lockNow();
  await unlock(FIRST);
  await unlocked();
});

test('a device that wakes from sleep locks every tab', async () => {
  const sleeper = await watched.context.newPage();
  await sleeper.clock.install();
  await sleeper.goto(server.origin);
  await unlock(FIRST, sleeper);
  await unlocked(sleeper);
  await sleeper.clock.fastForward(60_000);
  await unlocked(sleeper);
  await sleeper.clock.fastForward(5 * 60_000);
  await locked(sleeper);
  await locked();
  await sleeper.close();
});

test('logging out in a locked tab logs out every tab; a sign-in signs in every tab', async () => {
  await unlock(FIRST);
  await unlocked();
  const other = await watched.context.newPage();
  await other.goto(server.origin);
  await locked(other);
  await other.getByRole('link', { name: 'Logout' }).click();
  await page.bringToFront();
  await button('Log in').waitFor();
  await box('Email').fill('mira@example.org');
  await box('Password').fill(PERSON.password);
  await page.keyboard.press('Enter');
  await locked();
  await locked(other);
  await other.close();
});

test.each([
  ['dark', 1440],
  ['light', 1440],
  ['dark', 390],
  ['light', 390],
] as const)('there are no axe findings in the %s theme at a width of %i', async (theme, width) => {
  await page.setViewportSize({ width, height: 844 });
  await page.evaluate((name) => document.documentElement.setAttribute('data-theme', name), theme);
  await button('Master password menu').click();
  await verb('Lock now').waitFor();
  expect(await findings(page)).toEqual([]);
  await verb('Change master password').click();
  await change('', '');
  await dialog().getByText('Error: MasterPassword is missing').waitFor();
  expect(await findings(page, 'dialog')).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});
