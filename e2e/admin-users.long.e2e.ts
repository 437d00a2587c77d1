/**
 * The admin panel: users (create, edit, promote, disable, reset keys, delete), settings and logs, in both
 * themes and widths.
 */
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Browser, Locator, Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import { addAccounts, makeSignInsOld } from './testing/people/accounts.ts';
import { openPage, type WatchedPage } from './testing/browser/browser.ts';
import { beforeSending, lost } from './testing/browser/intercept.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { signUpAtOnce } from './testing/people/people.ts';
import { PERSON, screenOf, type Screen } from './testing/vault/screen.ts';
import type { RunningServer } from './testing/server/server.ts';

const WEN = { name: 'Wen Bao', email: 'wen.bao@example.org', password: 'first passphrase 8 of Wen' } as const;

let server: RunningServer;
let browser: Browser;
let watched: WatchedPage;
let page: Page;
let screen: Screen;

withOnePage(async (opened) => {
  ({ server, browser, watched, page } = opened);
  page.setDefaultTimeout(15_000);
  screen = screenOf(page);
  await signUpAtOnce(page, server.origin);
  await addAccounts(server.dataDir, 24);
});

const open = async (path: string, heading: string) => {
  await page.goto(`${server.origin}/admin/${path}`);
  await screen.heading(heading).waitFor();
};
const userRow = (name: string) => page.getByRole('table', { name: 'Users' }).getByRole('row').filter({ hasText: name });
const question = () => page.getByRole('alertdialog');
const more = async (name: string, verb: string) => {
  await screen.button(`More for ${name}`).click();
  await page.getByRole('menuitem', { name: verb }).click();
};
/** Creates a group whose only admin is this user. All users here have the same account password. */
async function groupOf(email: string, name: string): Promise<void> {
  const post = (path: string, body: object, token = '') =>
    fetch(`${server.origin}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(token === '' ? {} : { Authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
  const signIn = await post('/identity/api/login', { email, password: WEN.password, token_is_required: true });
  const { token } = (await signIn.json()) as { token: string };
  const made = await post('/passwordBroker/api/entryGroups', { name }, token);
  expect(made.status).toBe(201);
}

describe('Create User', () => {
  test('labels show that passwords differ, fields without a number are flagged, and nothing is sent', async () => {
    const sent: string[] = [];
    const listen = (request: { method(): string; url(): string }) => {
      if (request.method() === 'POST') sent.push(request.url());
    };
    await open('user_control/add', 'Create User');
    page.on('request', listen);
    await page.getByText('Passwords should contain at least one number.').waitFor();
    await screen.box('Email').fill(WEN.email);
    await screen.box('Username').fill(WEN.name);
    await screen.box('Password').fill('abc');
    await screen.box('Passwords do not match').waitFor();
    await screen.box('Master Password').fill('violet 7');
    await screen.box('Master Passwords do not match').waitFor();
    expect(await page.getByText('Contains no number.').count()).toBe(1);
    expect(await findings(page, 'main')).toEqual([]);
    await screen.button('Create User').click();
    await screen.box('Passwords do not match').fill('abc');
    await screen.box('Master Passwords do not match').fill('violet 7');
    await screen.box('Confirm Master Password').waitFor();
    page.off('request', listen);
    expect(sent).toEqual([]);
  });

  test('an account is created with keys of this browser after a warning; a taken name or email is refused', async () => {
    await screen.box('Password').fill(WEN.password);
    await screen.box('Passwords do not match').fill(WEN.password);
    await screen.button('Create User').click();
    // Weak: the policy `warn` allows it after a confirmation.
    await page.getByText('Warning Master Password is easy to guess').waitFor();
    expect(await findings(page, 'main')).toEqual([]);
    // The focus is on the button that goes back.
    await page.keyboard.press('Enter');
    await screen.button('Continue despite warnings').waitFor({ state: 'detached' });
    await screen.button('Create User').click();
    await screen.button('Continue despite warnings').click();
    await page.getByText('The User has been created successfully.').waitFor();
    await expect.poll(() => screen.box('Password').inputValue()).toBe('');
    await screen.box('Email').fill(WEN.email);
    await screen.box('Username').fill(WEN.name);
    for (const label of ['Password', 'Passwords do not match']) await screen.box(label).fill('x1');
    for (const label of ['Master Password', 'Master Passwords do not match']) await screen.box(label).fill('y2');
    await screen.button('Create User').click();
    await screen.button('Continue despite warnings').click();
    const refusal = page.getByRole('alert');
    await refusal.getByText('This user name is already taken').waitFor();
    await refusal.getByText('This email is already taken').waitFor();
    expect(await findings(page, 'main')).toEqual([]);
  });
});

describe('users', () => {
  test('the list shows twenty users per page with their states, and searches by name or email', async () => {
    await open('user_control/', 'Users');
    await page.getByText('1–20 of 26').waitFor();
    await expect.poll(() => page.getByRole('table').getByRole('row').count()).toBe(21);
    await screen.button('Next page').click();
    const wen = userRow(WEN.name);
    await wen.getByText('Must make new keys').waitFor();
    expect(await wen.innerText()).not.toContain('used on the server');
    await screen.box('Search users').fill('person24@');
    await expect.poll(() => page.getByRole('table').getByRole('row').count()).toBe(2);
    await userRow('Person 24').getByText('No keys').waitFor();
    await screen.box('Search users').fill('nobody at all');
    await page.getByText('... empty result').waitFor();
  });

  test('name and email can be edited; a taken email shows the errors of the specification', async () => {
    await open('user_control/', 'Users');
    await screen.box('Search users').fill('person 01');
    await screen.button('Edit Person 01').click();
    await screen.heading('Edit user').waitFor();
    await screen.box('Email').fill(PERSON.email);
    await screen.button('Save').click();
    await page.getByRole('alert').getByText('An error occured, try again').waitFor();
    await page.getByText('This email is already taken').waitFor();
    expect(await findings(page, 'main')).toEqual([]);
    await screen.box('Email').fill('dana@example.org');
    await screen.box('Name').fill('Dana Anselm');
    await screen.button('Save').click();
    await page.getByText('The User was successfully updated').waitFor();
    await page.getByRole('link', { name: 'All users' }).click();
    await userRow('Dana Anselm').getByText('dana@example.org').waitFor();
  });

  test('the last site admin cannot be demoted, another one can', async () => {
    await open('user_control/', 'Users');
    await screen.box('Search users').fill('mira');
    await more(PERSON.name, 'Remove site admin');
    await screen.button('Remove site admin', question()).click();
    await question().getByText('This is the last site admin.').waitFor();
    await page.keyboard.press('Escape');
    await screen.box('Search users').fill('dana');
    await more('Dana Anselm', 'Make site admin');
    await screen.button('Make site admin', question()).click();
    await userRow('Dana Anselm').getByText('Site admin', { exact: true }).waitFor();
    await more('Dana Anselm', 'Remove site admin');
    await screen.button('Remove site admin', question()).click();
    await userRow('Dana Anselm').getByText('Site admin', { exact: true }).waitFor({ state: 'detached' });
  });

  test('with an old sign-in the page asks for the password, then continues the action', async () => {
    await makeSignInsOld(server.dataDir);
    await more('Dana Anselm', 'Make site admin');
    await screen.button('Make site admin', question()).click();
    const confirmation = page.getByRole('dialog', { name: 'Confirm your password first' });
    await screen.box('Password', confirmation).fill('wrong');
    await page.keyboard.press('Enter');
    await confirmation.getByText('Password is incorrect').waitFor();
    expect(await findings(page, 'dialog[open]')).toEqual([]);
    await page.keyboard.press('Escape');
    await confirmation.waitFor({ state: 'detached' });
    // After cancelling, the dialog is still open and nothing has changed.
    await screen.button('Make site admin', question()).click();
    await screen.box('Password', confirmation).fill(PERSON.password);
    await page.keyboard.press('Enter');
    await userRow('Dana Anselm').getByText('Site admin', { exact: true }).waitFor();
  });

  test('a disabled account cannot sign in until it is enabled', async () => {
    const signIn = async () => {
      const { status } = await fetch(`${server.origin}/identity/api/login`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email: WEN.email, password: WEN.password, token_is_required: true }),
      });
      return status;
    };
    await screen.box('Search users').fill('wen');
    await more(WEN.name, 'Disable');
    await screen.button('Disable', question()).click();
    await userRow(WEN.name).getByText('Disabled').waitFor();
    expect(await signIn()).toBe(401);
    await more(WEN.name, 'Enable');
    await screen.button('Enable', question()).click();
    await userRow(WEN.name).getByText('Disabled').waitFor({ state: 'detached' });
    expect(await signIn()).toBe(200);
  });

  test('a reset of keys lists what is lost and requires typing the name', async () => {
    await groupOf(WEN.email, 'Ledger');
    await more(WEN.name, 'Reset keys');
    await question().getByText('Ledger (1 member)').waitFor();
    await question().getByText('Every membership').waitFor();
    expect(await findings(page, 'dialog[open]')).toEqual([]);
    const confirm = screen.button('Reset keys', question());
    expect(await confirm.getAttribute('aria-disabled')).toBe('true');
    await screen.box(`Type ${WEN.name} to confirm`).fill(WEN.name);
    await confirm.click();
    await userRow(WEN.name).getByText('No keys').waitFor();
  });

  test('a deletion is confirmed by the browser and reports its result; groups without another admin are listed first', async () => {
    await open('user_control/', 'Users');
    await screen.box('Search users').fill('mira');
    expect(await screen.button(/^Delete Mira Okafor/).getAttribute('aria-disabled')).toBe('true');
    const said: string[] = [];
    let answer = false;
    page.on('dialog', (dialog) => {
      said.push(`${dialog.type()}: ${dialog.message()}`);
      void (answer || dialog.type() === 'alert' ? dialog.accept() : dialog.dismiss());
    });
    await screen.box('Search users').fill('person 0');
    await screen.button('Delete Person 02').click();
    expect(said).toEqual([expect.stringMatching(/^confirm: Delete the user Person 02\?/)]);
    answer = true;
    await screen.button('Delete Person 02').click();
    await userRow('Person 02').waitFor({ state: 'detached' });
    await expect.poll(() => said.at(-1)).toBe('alert: The user has been deleted successfully');

    await makeKeysAndGroup();
    await screen.box('Search users').fill('ella');
    await screen.button('Delete Ella Haugen').click();
    await question().getByText('Treasury (1 member)').waitFor();
    expect(await findings(page, 'dialog[open]')).toEqual([]);
    await screen.button('Delete anyway', question()).click();
    await userRow('Ella Haugen').waitFor({ state: 'detached' });
    await expect.poll(() => said.at(-1)).toBe('alert: The user has been deleted successfully');

    const stop = await beforeSending(page, '*/identity/api/user/*', lost);
    await screen.box('Search users').fill('person 03');
    await screen.button('Delete Person 03').click();
    await expect.poll(() => said.at(-1)).toBe('alert: There has been an error. Try again later');
    await stop();
    page.removeAllListeners('dialog');
  });
});

describe('settings', () => {
  test('valid settings are saved, and a refused value shows the error of the server', async () => {
    await open('settings/', 'Settings');
    const limits = page.getByRole('form', { name: 'Sessions and limits' });
    await screen.box('Invitations expire after (days)', limits).fill('0');
    await screen.button('Save', limits).click();
    await limits
      .getByRole('alert')
      .getByText(/^The invite days must be between 1 and/)
      .waitFor();
    await screen.box('Invitations expire after (days)', limits).fill('3');
    await screen.button('Save', limits).click();
    // The disabled button proves the save; a notice may still be that of an earlier one.
    const isSaved = (form: Locator) => expect.poll(() => screen.button('Save', form).getAttribute('aria-disabled'));
    await page.getByText('The settings were saved').waitFor();
    await isSaved(limits).toBe('true');
    const site = page.getByRole('form', { name: 'Security and data' });
    await screen.box('Weak passwords', site).selectOption('strict');
    await screen.button('Save', site).click();
    await isSaved(site).toBe('true');
    await expect
      .poll(() => screen.call('GET', '/system/api/setting/site'))
      .toMatchObject({ password_policy: 'strict' });
    await page.reload();
    await expect.poll(() => screen.box('Invitations expire after (days)').inputValue()).toBe('3');
    await expect.poll(() => screen.box('Weak passwords').inputValue()).toBe('strict');
  });

  test('under `strict` an account with a weak password is refused before anything is sent', async () => {
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await open('user_control/add', 'Create User');
    await screen.box('Email').fill('weak@example.org');
    await screen.box('Username').fill('Weak Person');
    for (const label of ['Password', 'Passwords do not match']) await screen.box(label).fill(WEN.password);
    for (const label of ['Master Password', 'Master Passwords do not match']) await screen.box(label).fill('violet 7');
    await screen.button('Create User').click();
    await page.getByRole('alert').getByText('Master Password is easy to guess').waitFor();
    expect(await screen.button('Continue despite warnings').count()).toBe(0);
    expect(sent).not.toContain('POST /identity/api/registration');
    page.removeAllListeners('request');
  });
});

describe('logs', () => {
  const rows = () => page.getByRole('table', { name: 'Logs' }).getByRole('row');

  test('the log has its columns, filters, rows of one target, and live updates', async () => {
    await open('logs/', 'Logs');
    await rows().nth(1).waitFor();
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual([
      'created_at',
      'event_type',
      'login',
      'Details',
    ]);
    const shown = async () => (await rows().allInnerTexts()).join();
    await screen.box('Event').selectOption({ label: 'Account deleted' });
    await expect.poll(() => rows().count()).toBe(3);
    expect(await rows().nth(1).innerText()).toContain(PERSON.email);
    await expect.poll(shown).toContain(`${PERSON.name} deleted the account of a removed person`);
    await rows().nth(1).getByRole('button').click();
    expect(await rows().nth(2).innerText()).toMatch(/event_type\s+user_deleted/);
    await screen.button('Only rows about this').click();
    await page.getByText(/^Rows about/).waitFor();
    await expect.poll(shown).toContain('created the account of');
    await screen.button('Clear the filters').click();
    await screen.box('Person (part of the e-mail)').fill('settings_ch');
    await expect.poll(() => rows().count()).toBe(3);
    await screen.box('From').fill('2020-01-01');
    await screen.box('To').fill('2020-01-02');
    await page.getByText('... empty result').waitFor();
    await screen.button('Clear the filters').click();
    await rows().nth(1).waitFor();
    await screen.call('POST', '/identity/api/invite', { user: { email: 'live@example.org' } });
    // A row of collected refusals may be written meanwhile and appear above it.
    await expect.poll(shown, { timeout: 15_000 }).toContain('invited a person');
    await rows().nth(1).getByRole('button').click();
    await screen.button('Only rows of this person').click();
    await page.getByText(`Rows of ${PERSON.name}`).waitFor();
    await screen.button('Clear the filters').click();
  });

  test('the chain of rows is intact; the export contains exactly the filtered rows', async () => {
    await screen.button('Check the log').click();
    await page.getByText(/^\d+ rows checked: nothing was changed$/).waitFor();
    await screen.box('Event').selectOption('user_deleted');
    await expect.poll(() => rows().count()).toBe(3);
    const downloads = page.waitForEvent('download');
    await screen.button('Export NDJSON').click();
    const download = await downloads;
    expect(download.suggestedFilename()).toBe('audit-log.ndjson');
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { event_type: string }).event_type)).toEqual([
      'user_deleted',
      'user_deleted',
    ]);
  });
});

test('no page has axe findings or horizontal scrolling, wide in the dark theme and narrow in the light one', async () => {
  // Fewer rows make the check with axe much faster.
  const pages = [
    ['user_control/', 'Users', () => screen.box('Search users').fill('ana')],
    ['user_control/add', 'Create User', null],
    ['user_control/invite', 'Invite', null],
    ['settings/', 'Settings', null],
    ['logs/', 'Logs', () => screen.box('Event').selectOption('user_deleted')],
  ] as const;
  const [first] = pages;
  for (const [path, heading, narrowDown] of pages) {
    await open(path, heading);
    await narrowDown?.();
    await expect.poll(() => page.getByRole('main').getByRole('row').count()).toBeLessThan(9);
    await page.getByRole('main').getByRole('status').first().waitFor({ state: 'detached' });
    // The frame is the same on all pages, so it is checked once.
    const within = path === first[0] ? undefined : 'main';
    for (const [width, theme] of [
      [1440, 'dark'],
      [390, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate((name) => (document.documentElement.dataset['theme'] = name), theme);
      expect([path, width, theme, await findings(page, within)]).toEqual([path, width, theme, []]);
      const wider = await page.evaluate(() => {
        const main = document.querySelector('main');
        return main === null ? -1 : main.scrollWidth - main.clientWidth;
      });
      expect([path, width, wider]).toEqual([path, width, 0]);
    }
  }
});

test('over plain HTTP every page and the login show a warning', async () => {
  const plain = await openPage(browser);
  await plain.context.addInitScript(() => Object.defineProperty(globalThis, 'isSecureContext', { value: false }));
  await plain.page.goto(`${server.origin}/identity/login`);
  await plain.page.getByText('This page needs HTTPS').waitFor();
  await plain.context.addCookies(await watched.context.cookies());
  for (const path of ['user_control/', 'settings/', 'logs/']) {
    await plain.page.goto(`${server.origin}/admin/${path}`);
    await plain.page.getByText('This page was loaded without HTTPS').waitFor();
    expect(await findings(plain.page)).toEqual([]);
  }
  await plain.context.close();
});

test('on a phone the menu, a page and its field work by keyboard alone', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open('logs/', 'Logs');
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await screen.button('Open admin menu').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Admin Panel' }).getByRole('link').last().waitFor();
  await page.keyboard.press('Tab');
  await expect.poll(focused).toMatch(/^Site checkup/);
  await page.keyboard.press('Tab');
  await expect.poll(focused).toBe('Users');
  await page.keyboard.press('Tab');
  await expect.poll(focused).toBe('Create User');
  await page.keyboard.press('Enter');
  await screen.heading('Create User').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
  await page.keyboard.press('Tab');
  await page.keyboard.type('keys@example.org');
  expect(await screen.box('Email').inputValue()).toBe('keys@example.org');
});

/** Creates an account with keys through the API, and a group of its own. */
async function makeKeysAndGroup(): Promise<void> {
  const person = { username: 'Ella Haugen', email: 'ella@example.org' };
  await screen.call('POST', '/identity/api/registration', {
    user: {
      ...person,
      password: WEN.password,
      password_confirmation: WEN.password,
      master_password: 'harbour thistle 93',
      master_password_confirmation: 'harbour thistle 93',
    },
  });
  await groupOf(person.email, 'Treasury');
}
