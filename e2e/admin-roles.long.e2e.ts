/** Tokens of the site and auditors in the admin panel, in a real browser. */
import { expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import { openPage } from './testing/browser/browser.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { addPeople, signIn, signUpFirst, type Person } from './testing/people/people.ts';
import { screenOf, type Screen } from './testing/vault/screen.ts';
import type { RunningServer } from './testing/server/server.ts';

let server: RunningServer;
let browser: Browser;
let page: Page;
let screen: Screen;
let bob: Person;

withOnePage(async (opened) => {
  ({ server, browser, page } = opened);
  page.setDefaultTimeout(20_000);
  screen = screenOf(page);
  await signUpFirst(page, server.origin, 'Ada Adler');
  [bob] = await addPeople(screen, server.dataDir, ['Bob Brandt']);
});

const question = () => page.getByRole('alertdialog');
const tokens = () => page.getByRole('table', { name: 'Tokens' });

test('a site admin finds the token of another user and revokes it', async () => {
  const json = { email: bob.email, password: bob.password, token_is_required: true, token_name: 'Backup script' };
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(`${server.origin}/identity/api/login`, {
    method: 'POST',
    headers,
    body: JSON.stringify(json),
  });
  const { token } = (await answer.json()) as { token: string };
  const works = async () =>
    (await fetch(`${server.origin}/identity/api/tokens`, { headers: { Authorization: `Bearer ${token}` } })).status;
  await page.goto(`${server.origin}/admin/`);
  await page.getByRole('navigation', { name: 'Admin Panel' }).getByRole('link', { name: 'Tokens' }).click();
  await screen.heading('Tokens').waitFor();
  await screen.box('Search tokens').fill('backup');
  await tokens().getByText('bob@example.org').waitFor();
  await tokens().getByText('read, write, offline copy').waitFor();
  expect(await findings(page, 'main')).toEqual([]);
  expect(await works()).toBe(200);
  await screen.button('Revoke the token Backup script of Bob Brandt').click();
  await question().getByText('The program that uses it loses access.').waitFor();
  expect(await findings(page, 'dialog[open]')).toEqual([]);
  await screen.button('Revoke', question()).click();
  await page.getByText('no tokens', { exact: true }).waitFor();
  expect(await works()).toBe(401);
});

test('the form of a new token applies the maximum lifetime from the settings', async () => {
  await page.goto(`${server.origin}/admin/settings/`);
  const limits = page.getByRole('form', { name: 'Sessions and limits' });
  await screen.box('Tokens expire after (days)', limits).fill('30');
  await screen.button('Save', limits).click();
  await page.getByText('The settings were saved').waitFor();
  await page.goto(`${server.origin}/account`);
  await screen.button('New token').click();
  await screen.dialog().getByText('1 to 30').waitFor();
  expect(await screen.box('Days until it ends', screen.dialog()).inputValue()).toBe('30');
  await screen.box('Name', screen.dialog()).fill('robot');
  await screen.box('Days until it ends', screen.dialog()).fill('31');
  await screen.button('Create token', screen.dialog()).click();
  await screen.dialog().getByText('On this site, a token is valid for 30 days at most.').waitFor();
});

test('an auditor sees every admin page without controls that change data, and loses access with the role', async () => {
  await page.goto(`${server.origin}/admin/user_control/`);
  const verb = async (name: string) => {
    await screen.button('More for Bob Brandt').click();
    await page.getByRole('menuitem', { name }).click();
    await screen.button(name, question()).click();
    await question().waitFor({ state: 'detached' });
  };
  const row = page.getByRole('table', { name: 'Users' }).getByRole('row').filter({ hasText: 'Bob Brandt' });
  await verb('Make auditor');
  await row.getByText('Auditor', { exact: true }).waitFor();

  const watched = await openPage(browser);
  const his = screenOf(watched.page);
  watched.page.setDefaultTimeout(20_000);
  await signIn(watched.page, server.origin, bob);
  const menu = watched.page.getByRole('navigation', { name: 'Admin Panel' });
  await watched.page.getByRole('link', { name: 'Admin Panel' }).click();
  await watched.page.getByText('You are an auditor. You can see everything here but change nothing.').waitFor();
  await watched.page.getByRole('table', { name: 'Users' }).getByText('ada@example.org').waitFor();
  await menu.getByText('9 open points').waitFor({ state: 'attached' });
  const links = await menu.getByRole('link').allInnerTexts();
  expect(links.map((text) => text.split('\n')[0])).toEqual([
    'Site checkup',
    'Users',
    'Invitations',
    'Tokens',
    'Settings',
    'Single sign-on',
    'Logs',
    'Backup',
  ]);
  const pages = [
    ['Site checkup', 'Site checkup'],
    ['Users', 'Users'],
    ['Invitations', 'Invitations'],
    ['Tokens', 'Tokens'],
    ['Settings', 'Settings'],
    ['Single sign-on', 'Single sign-on'],
    ['Logs', 'Logs'],
    ['Backup', 'Backup'],
  ] as const;
  /** Buttons that change no data. */
  const looking =
    /^(Export|Check|Details|Hide list|Show list|Get backups|Next|Previous|Page|Clear|Live|Only rows about|target)/;
  for (const [link, heading] of pages) {
    await menu.getByRole('link', { name: link }).click();
    await his.heading(heading).waitFor();
    await expect
      .poll(() =>
        watched.page
          .getByRole('main')
          .getByText(/^(Loading|Looking|Checking)/)
          .count(),
      )
      .toBe(0);
    const names = await watched.page
      .getByRole('main')
      .getByRole('button')
      .evaluateAll((all) =>
        all
          .filter((one) => !(one as HTMLButtonElement).matches(':disabled, :disabled *'))
          .map((one) => one.getAttribute('aria-label') ?? one.textContent ?? ''),
      );
    const changing = names.filter((name) => !looking.test(name.trim()) && !/^[0-9a-f-]{8,}/.test(name.trim()));
    expect([link, changing]).toEqual([link, []]);
    expect([link, await findings(watched.page, 'main')]).toEqual([link, []]);
  }
  for (const path of ['user_control/add', `user_control/update/${bob.userId}`, `user_control/offboard/${bob.userId}`]) {
    await watched.page.goto(`${server.origin}/admin/${path}`);
    await his.heading('Users').waitFor();
  }
  await verb('Remove auditor');
  await row.getByText('Auditor', { exact: true }).waitFor({ state: 'detached' });
  await watched.page.goto(`${server.origin}/admin/logs/`);
  await watched.page.getByText('The admin panel is for site administrators').waitFor();
});
