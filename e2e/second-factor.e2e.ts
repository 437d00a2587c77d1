/**
 * A user sets up a second factor by keyboard, signs in with it, with a recovery code, and in a remembered browser.
 * Then the site requires one of everybody, and an admin resets that of a user who lost the phone.
 */
import { expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import { openPage } from './testing/browser/browser.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { authenticatorOf } from './testing/people/authenticator.ts';
import { addPeople, type Person, signIn, signUpAtOnce } from './testing/people/people.ts';
import { PERSON, screenOf, type Screen } from './testing/vault/screen.ts';

let browser: Browser;
let origin: string;
let miras: Page;
let mira: Screen;
let bobs: Page;
let bob: Screen;
let bobAccount: Person;
let app: ReturnType<typeof authenticatorOf>;
let codes: string[] = [];

withOnePage(async (opened) => {
  ({ browser, page: miras } = opened);
  origin = opened.server.origin;
  mira = screenOf(miras);
  await signUpAtOnce(miras, origin);
  [bobAccount] = await addPeople(mira, opened.server.dataDir, ['Bob Brandt']);
  ({ page: bobs } = await openPage(browser));
  bob = await signIn(bobs, origin, bobAccount);
});

const section = (page: Page) => page.getByRole('region', { name: 'Signing in', exact: true });
const row = (page: Page, name: string) => section(page).getByRole('listitem').filter({ hasText: name });
const home = (page: Page) => page.getByRole('heading', { name: 'Groups', exact: true });

/** In both themes, on a phone and on a desktop. */
async function isAccessible(page: Page) {
  for (const [width, theme] of [
    [390, 'light'],
    [1440, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate((name) => (document.documentElement.dataset['theme'] = name), theme);
    expect([width, theme, await findings(page)]).toEqual([width, theme, []]);
  }
}

const authenticatorOn = async (page: Page) => authenticatorOf(await page.locator('code[data-secret]').innerText());

async function shownCodes(page: Page): Promise<string[]> {
  const list = page.getByRole('list', { name: 'Your recovery codes' });
  await list.waitFor();
  return list.locator('[aria-hidden]').allInnerTexts();
}

const logOut = async (page: Page) => {
  await page.goto(`${origin}/identity/logout`);
  await screenOf(page).heading('Log in').waitFor();
};

async function givePassword(screen: Screen, page: Page, { email, password }: Pick<Person, 'email' | 'password'>) {
  await screen.box('Email').fill(email);
  await screen.box('Password').fill(password);
  await page.keyboard.press('Enter');
}

async function type(page: Page, label: string, text: string) {
  await screenOf(page).box(label).waitFor();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

test('an authenticator app is set up by keyboard, and ten recovery codes are shown once', async () => {
  await miras.goto(`${origin}/account#signing-in`);
  await mira.button('Set up: Authenticator app').focus();
  await miras.keyboard.press('Enter');
  await miras.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
  await isAccessible(miras);
  app = await authenticatorOn(miras);
  await type(miras, 'Code from the app', '000000');
  await miras.getByText('The code is not right. Look at the clock of your phone.').waitFor();
  await type(miras, 'Code from the app', app.code());
  codes = await shownCodes(miras);
  expect(new Set(codes).size).toBe(10);
  expect(codes[0]).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
  await isAccessible(miras);
  await miras.keyboard.press('Escape');
  const [download] = await Promise.all([miras.waitForEvent('download'), mira.button('Save as a file').click()]);
  expect(download.suggestedFilename()).toBe('recovery-codes-localhost.txt');
  await mira.button('I have put them somewhere safe').press('Enter');
  await row(miras, 'Recovery codes').getByText('10 of 10 left').waitFor();
  await miras.getByRole('dialog').waitFor({ state: 'detached' });
  await isAccessible(miras);
});

test('signing in asks for a code; a wrong one is refused, a recovery code works once', async () => {
  await logOut(miras);
  await givePassword(mira, miras, PERSON);
  await mira.heading('Confirm it is you').waitFor();
  await isAccessible(miras);
  await type(miras, 'Code', '000000');
  await miras.getByRole('alert').getByText('The code is not right').waitFor();
  await mira.button('Another way').press('Enter');
  await mira.button('Use a recovery code').press('Enter');
  await miras.getByText('It works once. 10 are left.').waitFor();
  await type(miras, 'Recovery code', (codes[0] ?? '').toLowerCase().replaceAll('-', ' '));
  await home(miras).waitFor();
  await logOut(miras);
  await givePassword(mira, miras, PERSON);
  await mira.button('Another way').press('Enter');
  await mira.button('Use a recovery code').press('Enter');
  await type(miras, 'Recovery code', codes[0] ?? '');
  await miras.getByRole('alert').waitFor();
  expect(await mira.box('Recovery code').inputValue()).toBe('');
  await mira.button('Back').press('Enter');
  await mira.heading('Log in').waitFor();
  expect([await mira.box('Email').inputValue(), await mira.box('Password').inputValue()]).toEqual([PERSON.email, '']);
});

test('reloading the second step begins the sign-in anew', async () => {
  await givePassword(mira, miras, PERSON);
  await mira.heading('Confirm it is you').waitFor();
  await miras.reload();
  await mira.heading('Log in').waitFor();
});

test('a site admin is always asked; others may let a browser be remembered', async () => {
  await givePassword(mira, miras, PERSON);
  await mira.heading('Confirm it is you').waitFor();
  expect(await mira.box(/^Do not ask in this browser/).count()).toBe(0);
  await type(miras, 'Code', app.code());
  await home(miras).waitFor();

  await bobs.goto(`${origin}/account`);
  await bob.button('Set up: Authenticator app').click();
  const bobsApp = await authenticatorOn(bobs);
  await type(bobs, 'Code from the app', bobsApp.code());
  await bob.button('I have put them somewhere safe').click();
  await logOut(bobs);
  await givePassword(bob, bobs, bobAccount);
  await bob.box('Do not ask in this browser for 30 days').check();
  await bob.box('Code').focus();
  await type(bobs, 'Code', bobsApp.code());
  await home(bobs).waitFor();
  await logOut(bobs);
  await givePassword(bob, bobs, bobAccount);
  await home(bobs).waitFor();

  // Removing the factor asks for password and code again: a remembered browser is no fresh sign-in.
  await bobs.goto(`${origin}/account#signing-in`);
  await section(bobs).getByText('this browser').waitFor();
  await isAccessible(bobs);
  await bob.button('Remove: Authenticator app').click();
  await bob.button('Remove', bobs.getByRole('alertdialog')).click();
  const question = bobs.getByRole('dialog', { name: 'Confirm your password first' });
  await bob.box('Password', question).fill(bobAccount.password);
  await bob.box('Code', question).fill(bobsApp.code());
  expect(await findings(bobs, 'dialog[open]')).toEqual([]);
  await bobs.keyboard.press('Enter');
  await row(bobs, 'Authenticator app').getByText('Not set up').waitFor();
  await logOut(bobs);
  await givePassword(bob, bobs, bobAccount);
  await home(bobs).waitFor();
});

const policy = () => miras.getByRole('form', { name: 'Signing in' });
async function setPolicy(chosen: string, days?: string) {
  await miras.goto(`${origin}/admin/settings/`);
  await mira.box('Second factor', policy()).selectOption(chosen);
  if (days !== undefined) await mira.box('Days to set one up', policy()).fill(days);
  await mira.button('Save', policy()).click();
  await miras.getByText('The settings were saved').last().waitFor();
}

test('a site that demands it first tells everybody until when, then lets nobody in without', async () => {
  await setPolicy('Everyone must have one');
  await isAccessible(miras);
  await bobs.goto(origin);
  await bobs.getByText(/^Set up a second factor by /).waitFor();
  await isAccessible(bobs);
  await bob.button('Set up now').press('Enter');
  await section(bobs).getByText('Your site requires a second factor.').waitFor();
  await setPolicy('Everyone may set one up');
  await setPolicy('Everyone must have one', '0');
  await bobs.goto(`${origin}/account`);
  await bob.heading('Set up a second factor').waitFor();
  await isAccessible(bobs);
  await bob.button('Authenticator app').press('Enter');
  const bobsApp = await authenticatorOn(bobs);
  await isAccessible(bobs);
  await type(bobs, 'Code from the app', bobsApp.code());
  expect(await shownCodes(bobs)).toHaveLength(10);
  expect(await bobs.locator(':focus').innerText()).toBe('I have put them somewhere safe');
  await isAccessible(bobs);
  // The codes are gone with the page: new ones are offered.
  await bobs.reload();
  await bob.button('Make new codes').press('Enter');
  await shownCodes(bobs);
  await bob.button('I have put them somewhere safe').press('Enter');
  await bob.heading('Account').waitFor();
  await row(bobs, 'Authenticator app').getByText('not used yet').waitFor();
});

test('an admin gives a code to somebody who lost the phone; it only lets set up a new one', async () => {
  await miras.goto(`${origin}/admin/user_control/`);
  await mira.button('More for Bob Brandt').click();
  await miras.getByRole('menuitem', { name: 'Reset second factors' }).click();
  await mira.button('Reset second factors', miras.getByRole('alertdialog')).click();
  await miras.getByText('Shown once').waitFor();
  await isAccessible(miras);
  const code = await mira.dialog().locator('code').innerText();
  await mira.button('Done', mira.dialog()).click();
  await miras.getByText('Waiting for a new second factor').waitFor();

  await bobs.goto(`${origin}/identity/login`);
  await bob.heading('Log in').waitFor();
  await givePassword(bob, bobs, bobAccount);
  await type(bobs, 'Recovery code', code);
  await bob.heading('Set up a second factor').waitFor();
  await bob.button('Authenticator app').press('Enter');
  await type(bobs, 'Code from the app', (await authenticatorOn(bobs)).code());
  await bob.button('I have put them somewhere safe').press('Enter');
  await home(bobs).waitFor();
});
