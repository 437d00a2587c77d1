/** Sharing a group with several people in one dialog: presses counted, a failure, compared keys required. */
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import { openPage, type WatchedPage } from './testing/browser/browser.ts';
import { beforeSending } from './testing/browser/intercept.ts';
import { withOnePage, type OnePage } from './testing/browser/one-page.ts';
import { countPresses } from './testing/browser/presses.ts';
import { addPeople, signUpAtOnce } from './testing/people/people.ts';
import { fieldsOf } from './testing/vault/fields.ts';
import { screenOf } from './testing/vault/screen.ts';
import { usersOf } from './testing/vault/users.ts';

const NAMES = ['Bob Brandt', 'Eve Evans', 'Dan Dorn', 'Kim Kato', 'Lou Lind', 'Ona Orr', 'Pia Pohl', 'Ray Ros'];

let opened: OnePage;
let watched: WatchedPage;
let page: Page;
let at: ReturnType<typeof fieldsOf>;
let users: ReturnType<typeof usersOf>;

withOnePage(async (one) => {
  opened = one;
  ({ watched, page } = one);
  page.setDefaultTimeout(15_000);
  at = fieldsOf(page);
  const screen = screenOf(page);
  users = usersOf(page, screen);
  await signUpAtOnce(page, one.server.origin);
  await addPeople(screen, one.server.dataDir, NAMES);
  await at.addTree('Production');
});

const found = (name: string) => at.button(`Choose ${name}`, at.dialog());
const row = (name: string) =>
  at.dialog().getByRole('list', { name: 'People to share with' }).getByRole('listitem').filter({ hasText: name });
const share = () => at.button('Share “Production”').click();

async function choose(...names: readonly string[]) {
  for (const name of names) {
    await at.box('Find people', at.dialog()).fill(name);
    await found(name).click();
    await row(name).waitFor();
  }
}

test('two people never met get a group in four presses and one dialog, and are compared later', async () => {
  const presses = await countPresses(page);
  await share();
  await choose('Bob Brandt', 'Eve Evans');
  await at.button('Compared, verified: Eve Evans', at.dialog()).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(1);
  expect(await findings(page, 'dialog')).toEqual([]);
  await at.button('Share now, compare later', at.dialog()).click();
  await at.closed();
  expect(await presses()).toBeLessThanOrEqual(4);
  await page.getByText('Shared with 2 of 2 people').first().waitFor();
  await users.open();
  await expect
    .poll(() => users.listed())
    .toEqual(['Mira Okafor you: Admin', 'Bob Brandt: Member', 'Eve Evans: Member']);
  await at.button(/^Key of Bob Brandt: trusted for now/).waitFor();
});

test('the keyboard alone chooses, compares and shares; found people leave out members and chosen ones', async () => {
  await share();
  await page.keyboard.insertText('dan');
  await found('Dan Dorn').waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await row('Dan Dorn').waitFor();
  await page.keyboard.insertText('kim');
  await found('Kim Kato').waitFor();
  await page.keyboard.press('Enter');
  await row('Kim Kato').waitFor();
  for (const gone of ['bob', 'dan']) {
    await at.box('Find people', at.dialog()).fill(gone);
    await at.dialog().getByText('No one found.').waitFor();
  }
  await at.box('Find people', at.dialog()).fill('');
  for (const name of ['Dan Dorn', 'Kim Kato']) {
    await at.button(`Compared, verified: ${name}`, at.dialog()).focus();
    await page.keyboard.press('Enter');
    await at.button(`Compared, verified: ${name}`, at.dialog()).waitFor({ state: 'detached' });
  }
  await at.dialog().getByText('Moderator', { exact: true }).click();
  await at.button('Share now', at.dialog()).focus();
  await page.keyboard.press('Enter');
  await at.closed();
  await expect.poll(() => users.listed()).toContain('Kim Kato: Moderator');
  await at.button(/^Key of Dan Dorn: verified/).waitFor();
});

test('after a failure the dialog says who is done and who is not and why, and only these are tried again', async () => {
  await share();
  await choose('Lou Lind', 'Ona Orr');
  let posts = 0;
  const stop = await beforeSending(page, '*/users', async (caught) => {
    if (caught.method === 'POST') posts += 1;
    if (caught.method === 'POST' && posts > 1) await caught.lose();
    else await caught.goOn();
  });
  await at.button('Share now, compare later', at.dialog()).click();
  await row('Lou Lind').getByText('shared', { exact: true }).waitFor();
  await row('Ona Orr').getByText('not shared', { exact: true }).waitFor();
  await row('Ona Orr').getByRole('alert').first().waitFor();
  await at.dialog().getByText('Shared with 1 of 2 people').waitFor();
  expect(await findings(page, 'dialog')).toEqual([]);
  await stop();
  await at.button('Try these again', at.dialog()).click();
  await at.closed();
  await expect.poll(() => users.listed()).toContain('Ona Orr: Member');
  expect(posts).toBeGreaterThan(1);
});

test('where the site requires compared keys, nothing is shared before the words are compared', async () => {
  await at.call('PUT', '/system/api/setting/site', { require_verified_members: true });
  const before = page.url();
  await page.reload();
  await at.heading('Production').waitFor();
  await at.addTree('Audited');
  await at.button('Share “Audited”').click();
  await choose('Pia Pohl');
  await at.dialog().getByText('only with people whose words you have compared').waitFor();
  expect(await at.button('Share now, compare later', at.dialog()).count()).toBe(0);
  expect(await at.button('Share now', at.dialog()).getAttribute('aria-disabled')).toBe('true');
  await at.button('Share now', at.dialog()).click({ force: true });
  expect(await row('Pia Pohl').getByText('shared').count()).toBe(0);
  await at.button('Compared, verified: Pia Pohl', at.dialog()).click();
  await at.button('Compared, verified: Pia Pohl', at.dialog()).waitFor({ state: 'detached' });
  await at.button('Share now', at.dialog()).click();
  await at.closed();
  await users.open();
  await expect.poll(() => users.listed()).toContain('Pia Pohl: Member');
  await page.goto(before);
  await at.heading('Production').waitFor();
});

test('on a phone nothing is wider than the screen, without axe findings in the light theme', async () => {
  const phone = await openPage(opened.browser, { width: 390, height: 844, theme: 'light' });
  await phone.context.addCookies(await watched.context.cookies());
  await phone.page.goto(page.url());
  const there = fieldsOf(phone.page);
  await there.button('Share “Production”').click();
  await there.box('Find people', there.dialog()).fill('Ray Ros');
  await there.button('Choose Ray Ros', there.dialog()).waitFor();
  expect(await findings(phone.page)).toEqual([]);
  expect(await phone.page.evaluate(() => document.querySelector('dialog')?.scrollWidth ?? 0)).toBeLessThanOrEqual(390);
  expect(phone.complaints()).toEqual([]);
  await phone.context.close();
});
