/**
 * The site checkup: first visit, points completed with one press, the count in the menu, and points that need
 * input.
 */
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import { makeSignInsOld } from './testing/people/accounts.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { reflowFaults } from './testing/accessibility/reflow.ts';
import { PERSON, screenOf, type Screen } from './testing/vault/screen.ts';
import type { RunningServer } from './testing/server/server.ts';

let server: RunningServer;
let page: Page;
let screen: Screen;

withOnePage((opened) => {
  ({ server, page } = opened);
  page.setDefaultTimeout(15_000);
  screen = screenOf(page);
});

const point = (title: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
const menu = (count: number) =>
  page
    .getByRole('navigation', { name: 'Admin Panel' })
    .getByRole('link', { name: `Site checkup ${count} open points` });

test('the first user starts at the checkup, which lists the open points and their reasons', async () => {
  await page.goto(server.origin);
  await screen.box('User name').fill(PERSON.name);
  await screen.box('Email').fill(PERSON.email);
  for (const label of ['Password', 'Password confirmation']) await screen.box(label).fill(PERSON.password);
  for (const label of ['Master password', 'Master password confirmation'])
    await screen.box(label).fill(PERSON.masterPassword);
  await screen.button('Sign up').click();
  await screen.heading('Site checkup').waitFor();
  await page.getByText('9 points are open').waitFor();
  await menu(9).waitFor();
  expect(await point('HTTPS').innerText()).toContain('PUBLIC_URL and TRUST_PROXY');
  expect(await findings(page)).toEqual([]);
});

test('one press or key completes a point and lowers the number of open ones', async () => {
  await screen.button('Refuse weak passwords').click();
  await point('Weak passwords').getByText('Done').waitFor();
  await page.getByText('8 points are open').waitFor();
  await menu(8).waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Weak passwords');
  // Skips the link to the settings.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Switch it off');
  await page.keyboard.press('Enter');
  await point('Server-side decryption').getByText('Done').waitFor();
  await menu(7).waitFor();
  await screen.button('Back up every night').click();
  await point('Backups').getByText('Done').waitFor();
  await menu(6).waitFor();
  const settings = await screen.call<{ schedule: number[]; enable: boolean }>(
    'GET',
    '/system/api/setting/backupSetting/backup',
  );
  expect(settings).toMatchObject({ schedule: [3], enable: true });
});

test('with an old sign-in a press asks for the account password and then continues', async () => {
  await makeSignInsOld(server.dataDir);
  await screen.button('Keep as it is: HTTPS').click();
  const question = page.getByRole('dialog', { name: 'Confirm your password first' });
  await question.waitFor();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  await point('HTTPS').getByText('Open', { exact: true }).waitFor();
  await screen.button('Keep as it is: HTTPS').click();
  await screen.box('Password', question).fill(PERSON.password);
  await page.keyboard.press('Enter');
  await point('HTTPS').getByText('Kept as it is').waitFor();
  await menu(5).waitFor();
  await screen.button('Open again: HTTPS').click();
  await point('HTTPS').getByText('Open', { exact: true }).waitFor();
  await menu(6).waitFor();
});

test('a point links to the page of its setting, and counts as done once it is set', async () => {
  await point('Archive password').getByRole('link', { name: 'Open backups: Archive password' }).click();
  await screen.heading('Backup').waitFor();
  await screen.box(/^Archive password/).fill('the archive password 7');
  await screen.button('Save').click();
  await page.getByText('The time has been saved').waitFor();
  await menu(5).waitFor();
});

test('the point of the second factor also links to the people without one', async () => {
  await page.goto(`${server.origin}/admin/checkup/`);
  const links = point('Second factor').getByRole('link');
  await links.nth(1).waitFor();
  expect(await links.allInnerTexts()).toEqual(['Open settings', 'Show people without one']);
  await links.nth(1).click();
  await screen.heading('Users').waitFor();
  expect(new URL(page.url()).search).toBe('?only=without_factor');
  await page.getByText(PERSON.email).first().waitFor();
});

test('the page has no axe findings in the light theme and on a phone', async () => {
  await page.goto(`${server.origin}/admin/checkup/`);
  await page.getByText('5 points are open').waitFor();
  await page.getByRole('button', { name: 'Toggle light and dark theme' }).click();
  expect(await findings(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await reflowFaults(page)).toEqual([]);
  expect(await findings(page)).toEqual([]);
});

test('a failed request shows an error, and Try again repeats it', async () => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.route('**/system/api/checkup', (route) => route.abort());
  await page.goto(`${server.origin}/admin/checkup/`);
  await page.getByText('The checkup could not be loaded.').waitFor();
  await page.unroute('**/system/api/checkup');
  await screen.button('Try again').click();
  await page.getByText('5 points are open').waitFor();
});
