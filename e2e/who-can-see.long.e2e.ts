/** The people who can see a group or an entry, and what an operation will change, by keyboard. */
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import { openPage } from './testing/browser/browser.ts';
import { beforeSending } from './testing/browser/intercept.ts';
import { withOnePage, type OnePage } from './testing/browser/one-page.ts';
import { addPeople, signUpAtOnce } from './testing/people/people.ts';
import { fieldsOf } from './testing/vault/fields.ts';
import { screenOf } from './testing/vault/screen.ts';

let opened: OnePage;
let page: Page;
let at: ReturnType<typeof fieldsOf>;

withOnePage(async (one) => {
  opened = one;
  ({ page } = one);
  page.setDefaultTimeout(15_000);
  at = fieldsOf(page);
  await signUpAtOnce(page, one.server.origin);
  await addPeople(screenOf(page), one.server.dataDir, ['Bob Brandt', 'Eve Evans']);
  await at.addTree('Ops');
  await at.addEntry('Mail');
  await at.openEntry('Mail');
  await at.addField('Password', 'Root', async () => {
    await at.box('Value', at.dialog()).fill('correct horse battery');
  });
});

const people = () =>
  at.dialog().getByRole('list', { name: 'People' }).getByRole('listitem').locator('p').allInnerTexts();

test('the head of the group says the own role, and the eye lists who can see it and why others cannot', async () => {
  await page.getByText('You are admin here.').waitFor();
  await at.button('Who can see this').focus();
  await page.keyboard.press('Enter');
  await expect.poll(people).toEqual(['You can read this: admin of Ops. You have opened 1 of 1 value.']);
  await at.dialog().getByText('Compared with the signed list: the same people and roles.').waitFor();
  expect(await findings(page, 'dialog')).toEqual([]);
  await page.keyboard.insertText('eve');
  await expect.poll(people).toEqual(['Eve Evans cannot read this: not a member of Ops.']);
  await page.keyboard.press('Escape');
  await at.closed();
});

test('the menu of an entry says who can see the entry', async () => {
  await at.button('More for Mail').focus();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('menuitem', { name: 'Who can see this' }).focus();
  await page.keyboard.press('Enter');
  await at.dialog().getByRole('heading', { name: 'Who can see “Mail”' }).waitFor();
  await expect.poll(people).toEqual(['You can read this: admin of Ops. You have opened 1 of 1 value.']);
  await page.keyboard.press('Escape');
  await at.closed();
});

test('sharing, moving and deleting say first what will change; without the line they stay possible', async () => {
  const line = (text: string) => page.getByRole('dialog').or(page.getByRole('alertdialog')).getByText(text).waitFor();
  await at.button('Share “Ops”').focus();
  await page.keyboard.press('Enter');
  await at.box('Find people', at.dialog()).waitFor();
  await page.keyboard.insertText('bob');
  await at.button('Choose Bob Brandt', at.dialog()).waitFor();
  await page.keyboard.press('Enter');
  await line('Gains: Bob Brandt can read 1 entry.');
  expect(await findings(page, 'dialog')).toEqual([]);
  await at.button('Share now, compare later', at.dialog()).focus();
  await page.keyboard.press('Enter');
  await at.closed();

  await page.getByRole('tab', { name: 'Settings' }).focus();
  await page.keyboard.press('Enter');
  await at.button('Move to').focus();
  await page.keyboard.press('Enter');
  await line('Moving a group changes nobody’s access.');
  await page.keyboard.press('Escape');
  await at.closed();
  await at.button('Delete group').focus();
  await page.keyboard.press('Enter');
  await line('Loses: Bob Brandt and you.');
  await page.keyboard.press('Escape');

  await page.getByRole('tab', { name: /^Users/ }).focus();
  await page.keyboard.press('Enter');
  await at.button('Remove Bob Brandt').focus();
  await page.keyboard.press('Enter');
  await line('Loses: Bob Brandt.');
  await page.keyboard.press('Escape');
  const stop = await beforeSending(page, '*/access/preview', (caught) => caught.lose());
  await at.button('Remove Bob Brandt').focus();
  await page.keyboard.press('Enter');
  await line('What this changes could not be computed.');
  await at.button('Remove', page.getByRole('alertdialog')).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Bob Brandt removed').first().waitFor();
  await stop();
});

test('on a phone in the light theme nothing is wider than the screen', async () => {
  const phone = await openPage(opened.browser, { width: 390, height: 844, theme: 'light' });
  await phone.context.addCookies(await page.context().cookies());
  await phone.page.goto(page.url());
  await phone.page.getByRole('button', { name: 'Who can see this' }).click();
  await phone.page.getByText('Not compared with the signed list yet.').waitFor();
  expect(await findings(phone.page)).toEqual([]);
  expect(await phone.page.evaluate(() => document.querySelector('dialog')?.scrollWidth ?? 0)).toBeLessThanOrEqual(390);
  expect(phone.complaints()).toEqual([]);
  await phone.context.close();
});
