/** Sign-up, login and logout: errors, warnings, redirects, keyboard use and both themes. */
import { describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import { policyViolations, type WatchedPage } from './testing/browser/browser.ts';
import { beforeSending, lost } from './testing/browser/intercept.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { PERSON } from './testing/vault/screen.ts';
import type { RunningServer } from './testing/server/server.ts';

let server: RunningServer;
let watched: WatchedPage;
let page: Page;

withOnePage(async (opened) => {
  ({ server, watched, page } = opened);
  page.setDefaultTimeout(15_000);
});

const box = (name: string) => page.getByLabel(name, { exact: true });
const button = (name: string | RegExp) => page.getByRole('button', { name });
const alertLines = async () => (await page.getByRole('alert').innerText()).split('\n').filter((line) => line !== '');

describe('sign-up', () => {
  test('a fresh server redirects every page to it', async () => {
    await page.goto(`${server.origin}/entrySearch/x`);
    await page.getByRole('heading', { name: 'Create the first user' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/identity/signup');
    expect(await findings(page)).toEqual([]);
  });

  test.each(['/identity/login', '/identity/loading', '/identity/signup'])(
    'a fresh server redirects %s to it',
    async (path) => {
      await page.goto(`${server.origin}${path}`);
      await page.getByRole('heading', { name: 'Create the first user' }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/identity/signup');
    },
  );

  test('an empty form shows every error of the specification', async () => {
    await button('Sign up').click();
    expect(await alertLines()).toEqual([
      'Error: User Name is empty',
      'Error: Incorrect email',
      'Error: Password is empty',
      'Error: Master Password is empty',
    ]);
    expect(await box('User name').getAttribute('aria-invalid')).toBe('true');
    expect(await findings(page)).toEqual([]);
  });

  test('mismatches show while typing and prevent the sign-up', async () => {
    await box('User name').fill(PERSON.name);
    await box('Email').fill('mira@example');
    await box('Password').fill(PERSON.password);
    await box('Password confirmation').fill('other');
    expect(await box('Password confirmation').getAttribute('aria-invalid')).toBe('true');
    const [r = 0, g = 0, b = 0] = await box('Password confirmation').evaluate((input) =>
      (getComputedStyle(input.parentElement ?? input).borderTopColor.match(/[\d.]+/g) ?? []).map(Number),
    );
    expect([r > 1.4 * g, r > 1.4 * b], `red, not ${r} ${g} ${b}`).toEqual([true, true]);
    await box('Master password').fill(PERSON.masterPassword);
    await box('Master password confirmation').fill('another');
    await button('Sign up').click();
    expect(await alertLines()).toEqual([
      'Error: Incorrect email',
      'Error: Password Confirmation mismatch to Password',
      'Error: Master Password Confirmation mismatch to Master Password',
    ]);
  });

  test('the toggle shows and hides the password', async () => {
    const field = box('Password');
    expect(await field.getAttribute('type')).toBe('password');
    await page
      .getByRole('button', { name: /^Show Password\b/ })
      .first()
      .click();
    expect(await field.getAttribute('type')).toBe('text');
    await page
      .getByRole('button', { name: /^Hide Password\b/ })
      .first()
      .click();
    expect(await field.getAttribute('type')).toBe('password');
  });

  test('weak and identical passwords show a warning with its reason, and allow going back', async () => {
    for (const label of ['Password', 'Password confirmation', 'Master password', 'Master password confirmation']) {
      await box(label).fill('password1');
    }
    await box('Email').fill(PERSON.email);
    await button('Sign up').click();
    await button('Continue despite warnings').waitFor();
    const text = await page.getByRole('main').innerText();
    expect(text).toContain('Warning Master Password is identical to Password');
    expect(text).toContain('Warning Password is easy to guess');
    expect(await findings(page)).toEqual([]);
    await button('Go back and change it').click();
    await button('Sign up').waitFor();
  });

  test('the form works by keyboard alone in the light theme', async () => {
    await page.getByRole('button', { name: 'Toggle light and dark theme' }).click();
    expect(await page.locator('html').getAttribute('data-theme')).toBe('light');
    expect(await findings(page)).toEqual([]);
    await page.reload();
    await box('User name').waitFor();
    expect(await page.locator('html').getAttribute('data-theme')).toBe('light');
    await box('User name').focus();
    const tabTo = async (text: string, tabs: number) => {
      await page.keyboard.type(text);
      for (let tab = 0; tab < tabs; tab += 1) await page.keyboard.press('Tab');
    };
    await tabTo(PERSON.name, 1);
    await tabTo(PERSON.email, 1);
    // The toggle of a password follows its input.
    await tabTo(PERSON.password, 2);
    await tabTo(PERSON.password, 2);
    await tabTo(PERSON.masterPassword, 2);
    await tabTo(PERSON.masterPassword, 0);
    await page.keyboard.press('Enter');
    // Keys are generated, and the client behind the login loads for the first time.
    const arrived = page.getByRole('heading', { name: /Site checkup|Search results for/ });
    await arrived.waitFor({ timeout: 60_000 });
  });
});

describe('sign-in', () => {
  test('logging out ends the session in the browser and on the server', async () => {
    const cookies = await watched.context.cookies();
    const held = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    await page.getByRole('link', { name: 'Logout' }).click();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    await expect.poll(() => page.title()).toBe('Log in | PasswordBroker');
    const answer = await fetch(`${server.origin}/identity/api/me`, { headers: { cookie: held } });
    expect(await answer.json()).toEqual({ message: 'guest', user: null, session_id: null });
    expect(await findings(page)).toEqual([]);
  });

  test('sign-up is not offered once there is a user', async () => {
    await page.goto(`${server.origin}/identity/signup`);
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
  });

  test('the login page renders first, without an intermediate page, if the server answers in time', async () => {
    const places: string[] = [];
    const note = () => places.push(new URL(page.url()).pathname);
    page.on('framenavigated', note);
    // On a slow machine the page redirects through the loading page, so this tries again.
    for (let visit = 0; visit < 8 && places.length !== 1; visit += 1) {
      places.length = 0;
      await page.goto(`${server.origin}/identity/login`);
      await page.getByRole('heading', { name: 'Log in' }).waitFor();
    }
    page.off('framenavigated', note);
    expect(places).toEqual(['/identity/login']);
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('email');
  });

  test('each missing field has a line of its own', async () => {
    await page.goto(`${server.origin}/entryGroup/01900000-0000-7000-8000-000000000001`);
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    expect(await box('Server URL').inputValue()).toBe(server.origin);
    await box('Server URL').fill('');
    await button('Log in').click();
    expect(await alertLines()).toEqual([
      'Field: Server URL should be filled in',
      'Field: Email should be filled in',
      'Field: Password should be filled in',
    ]);
  });

  test('the error names a server that does not answer', async () => {
    await box('Server URL').fill('http://localhost:9');
    await box('Email').fill(PERSON.email);
    await box('Password').fill(PERSON.password);
    await button('Log in').click();
    await page.getByText('Cannot establish connection with localhost:9').waitFor();
    // The policy forbids requests to other servers, so this violation is expected.
    const complaints = watched.complaints() as string[];
    const all = [...complaints, ...policyViolations()];
    expect(all.filter((text) => !/Refused to connect|connect-src/.test(text))).toEqual([]);
    complaints.length = 0;
  });

  test('a wrong password is refused; the right one opens the requested group', async () => {
    await box('Server URL').fill(server.origin);
    await box('Password').fill('wrong');
    await button('Log in').click();
    await page.getByText('Invalid email or password').waitFor();
    await box('Password').fill(PERSON.password);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/entryGroup/01900000-0000-7000-8000-000000000001');
  });

  test('the login page redirects a signed-in user', async () => {
    await page.goto(`${server.origin}/identity/login`);
    await page.getByRole('heading', { name: 'Select an Entry Group' }).waitFor();
  });

  test('a logout that does not reach the server shows an error and can be retried', async () => {
    const stop = await beforeSending(page, '*/identity/api/logout', lost);
    await page.getByRole('link', { name: 'Logout' }).click();
    await page.getByRole('heading', { name: 'You are not logged out' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await stop();
    await button('Try again').click();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
  });

  test('an unknown address asks a guest to sign in, then shows that there is no such page', async () => {
    await page.goto(`${server.origin}/no/such/page`);
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    await box('Email').fill(PERSON.email);
    await box('Password').fill(PERSON.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'There is no page at this address' }).waitFor();
    await page.goto(server.origin);
    await page.getByRole('heading', { name: 'Select an Entry Group' }).waitFor();
  });
});

describe('header and search', () => {
  test('a blank search does nothing, Ctrl+K focuses the search box, and the logo opens the home page', async () => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('   ');
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).pathname).toBe('/');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('ledger');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Search results for: "ledger"' }).waitFor();
    await expect.poll(() => page.getByRole('combobox', { name: 'Search entries' }).inputValue()).toBe('ledger');
    await page.getByRole('link', { name: 'PasswordBroker, home' }).click();
    await page.getByRole('heading', { name: 'Select an Entry Group' }).waitFor();
  });

  test('an unknown address shows a page in the frame with a way home', async () => {
    await page.goto(`${server.origin}/no/such/page`);
    await page.getByRole('heading', { name: 'There is no page at this address' }).waitFor();
    expect(await page.title()).toBe('There is no page at this address | PasswordBroker');
    await page.getByRole('complementary', { name: 'Groups' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await button('Back to the groups').press('Enter');
    await page.getByRole('heading', { name: 'Select an Entry Group' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
  });

  test('on a phone one button opens the rest of the header', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(server.origin);
    await button('Account and more').click();
    await page.getByRole('dialog').getByText('Admin Panel').waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await button('Open groups').click();
    await page.getByText('There are no groups yet').waitFor();
    await page.keyboard.press('Escape');
    expect(await findings(page)).toEqual([]);
  });
});
