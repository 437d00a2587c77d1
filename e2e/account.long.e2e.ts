/**
 * The account page: name, account password, master password on the server, sessions and tokens. Each change
 * is checked on the server.
 */
import { expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import { openPage } from './testing/browser/browser.ts';
import { pastedText } from './testing/browser/clipboard.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { signUpAtOnce } from './testing/people/people.ts';
import { PERSON, screenOf, type Screen } from './testing/vault/screen.ts';
import type { RunningServer } from './testing/server/server.ts';

const NEXT = 'another account passphrase 52';

let server: RunningServer;
let browser: Browser;
let page: Page;
let screen: Screen;

withOnePage(async (opened) => {
  ({ server, browser, page } = opened);
  page.setDefaultTimeout(10_000);
  screen = screenOf(page);
  await signUpAtOnce(page, server.origin);
  await page.getByRole('link', { name: `Account of ${PERSON.name}` }).click();
  await screen.heading('Account').waitFor();
});

const section = (title: string) => page.getByRole('region', { name: title, exact: true });
const notice = (text: string) => page.getByRole('region', { name: 'Notices' }).getByText(text).last();

/** Another browser, signed in as the same user. */
async function otherBrowser(password: string) {
  const there = await openPage(browser);
  const other = screenOf(there.page);
  await there.page.goto(`${server.origin}/identity/login`);
  await other.box('Email').fill(PERSON.email);
  await other.box('Password').fill(password);
  await there.page.keyboard.press('Enter');
  await other.heading('Select an Entry Group').waitFor();
  return { ...there, other, close: () => there.context.close() };
}

test('name and email: a refused change shows an error, an accepted one shows everywhere', async () => {
  const profile = section('Name and email');
  await screen.box('Email', profile).fill('not an address');
  await screen.button('Save', profile).click();
  await profile.getByRole('alert').getByText('Incorrect email').waitFor();
  await screen.box('Email', profile).fill(PERSON.email);
  await screen.box('User name', profile).fill('Mira O.');
  await screen.button('Save', profile).click();
  await notice('The User was successfully updated').waitFor();
  await page.getByRole('link', { name: 'Account of Mira O.' }).waitFor();
  await screen.box('User name', profile).fill(PERSON.name);
  await screen.button('Save', profile).click();
  await page.getByRole('link', { name: `Account of ${PERSON.name}` }).waitFor();
});

test('sessions: another browser is listed and can be signed out from here', async () => {
  const there = await otherBrowser(PERSON.password);
  await page.reload();
  const sessions = section('Sessions');
  await expect.poll(() => sessions.getByRole('listitem').count()).toBe(2);
  await expect.poll(() => sessions.getByRole('listitem').filter({ hasText: 'this browser' }).count()).toBe(1);
  await screen.button('End the session of Chrome on Linux', sessions).click();
  await notice('Session ended').waitFor();
  await expect.poll(() => sessions.getByRole('listitem').count()).toBe(1);
  await there.page.reload();
  await there.other.heading('Log in').waitFor();
  await there.close();
});

test('tokens: a token is shown once and works until it is revoked', async () => {
  const tokens = section('Tokens');
  await screen.button('New token', tokens).click();
  await screen.box('Name', screen.dialog()).fill('backup script');
  await screen.box('Days until it ends', screen.dialog()).fill('400');
  await screen.button('Create token', screen.dialog()).click();
  await screen.dialog().getByRole('alert').waitFor();
  await screen.box('Days until it ends', screen.dialog()).fill('30');
  await screen.dialog().getByLabel('write', { exact: true }).click();
  await screen.button('Create token', screen.dialog()).click();
  await screen.dialog().getByText('Copy it now; it is not shown again.').waitFor();
  const token = (await screen.dialog().locator('code').innerText()).trim();
  expect(token).toMatch(/^pbt_/);
  expect(await findings(page)).toEqual([]);
  await screen.button('Copy token', screen.dialog()).click();
  await screen.dialog().getByText('copied', { exact: true }).waitFor();
  await screen.button('Done', screen.dialog()).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.locator('body').innerText()).not.toContain(token);
  await expect.poll(() => pastedText(page)).toBe(token);

  const call = async (method: string) => {
    const path = '/passwordBroker/api/entryGroups';
    const body = method === 'POST' ? { body: JSON.stringify({ name: 'Never' }) } : {};
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    return (await fetch(`${server.origin}${path}`, { method, headers, ...body })).status;
  };
  expect([await call('GET'), await call('POST')]).toEqual([200, 403]);
  await screen.button('Revoke the token backup script', tokens).click();
  await notice('Token backup script revoked').waitFor();
  expect(await call('GET')).toBe(401);
});

test('master password on the server: the page shows its last use, and after opting out the server refuses it', async () => {
  const { masterPassword } = PERSON;
  const part = section('Master password on the server');
  const useIt = async (name: string) =>
    page.evaluate(
      async ([name, master_password]) => {
        const token = decodeURIComponent(/XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? '');
        const headers = { 'Content-Type': 'application/json', 'X-XSRF-TOKEN': token };
        const body = JSON.stringify({ name, master_password });
        return (await fetch('/passwordBroker/api/entryGroups', { method: 'POST', headers, body })).status;
      },
      [name, masterPassword] as const,
    );
  const refusal = screen.box(/^The server refuses my master password/, part);
  await refusal.waitFor();
  expect(await part.getByText('was used on the server').count()).toBe(0);
  expect(await useIt('By a program')).toBe(201);
  await page.reload();
  await part.getByText(/^Your master password was used on the server, last \d{4}\./).waitFor();
  expect(await findings(page)).toEqual([]);
  await screen.button('Change master password', part).click();
  await screen.box('Old master password', screen.dialog()).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await refusal.focus();
  await page.keyboard.press('Space');
  await notice('The server refuses your master password from now on').waitFor();
  await expect.poll(() => refusal.isChecked()).toBe(true);
  expect(await useIt('Too late')).toBe(403);
  await page.reload();
  await expect.poll(() => refusal.isChecked()).toBe(true);
  await refusal.click();
  await notice('Programs may send your master password again').waitFor();
  expect(await useIt('Again')).toBe(201);
});

test('account password: a wrong change is refused, a correct one signs out other browsers', async () => {
  const there = await otherBrowser(PERSON.password);
  const form = section('Account password');
  const put = async (current: string, next: string, confirmation: string) => {
    await screen.box('Current password', form).fill(current);
    await screen.box('New password', form).fill(next);
    await screen.box('New password confirmation', form).fill(confirmation);
    await screen.button('Change password', form).click();
  };
  await put(PERSON.password, NEXT, 'another');
  await form.getByRole('alert').getByText('Password Confirmation mismatch to Password').waitFor();
  await put('wrong', NEXT, NEXT);
  await form.getByRole('alert').getByText('Password is incorrect').waitFor();
  await put(PERSON.password, NEXT, NEXT);
  await notice('Account password changed.').waitFor();
  await expect.poll(() => screen.box('Current password', form).inputValue()).toBe('');
  await there.page.reload();
  await there.other.heading('Log in').waitFor();
  await there.close();
  await page.reload();
  await screen.heading('Account').waitFor();
  await (await otherBrowser(NEXT)).close();
});

test('the theme (dark, light or system) is chosen by arrow keys and remembered after a reload', async () => {
  const shown = () => page.locator('html').getAttribute('data-theme');
  const option = (name: string) => section('Appearance').getByRole('radio', { name, exact: true });
  const system = (colorScheme: 'dark' | 'light') => page.emulateMedia({ colorScheme });
  await system('light');
  expect([await option('Dark').isChecked(), await shown()]).toEqual([true, 'dark']);
  await option('Dark').focus();
  await page.keyboard.press('ArrowRight');
  expect([await option('Light').isChecked(), await shown()]).toEqual([true, 'light']);
  await system('dark');
  expect(await shown()).toBe('light');
  await page.keyboard.press('ArrowRight');
  await expect.poll(shown).toBe('dark');
  await system('light');
  await expect.poll(shown).toBe('light');
  await page.reload();
  await screen.heading('Account').waitFor();
  expect([await option('System').isChecked(), await shown()]).toEqual([true, 'light']);
  // The button in the header chooses the other theme, so the system's setting is ignored.
  await screen.button('Toggle light and dark theme').click();
  expect([await option('Dark').isChecked(), await shown()]).toEqual([true, 'dark']);
});

test('the page has no axe findings in both themes and widths; on a phone the sheet of the header links to it', async () => {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    for (const theme of ['dark', 'light']) {
      await page.evaluate((name) => document.documentElement.setAttribute('data-theme', name), theme);
      expect(await findings(page), `${width} ${theme}`).toEqual([]);
    }
  }
  await page.goto(server.origin);
  await screen.button('Account and more').click();
  await screen.button('Account', screen.dialog()).click();
  await screen.heading('Account').waitFor();
});
