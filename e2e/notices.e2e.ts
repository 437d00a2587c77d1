/** Notices: the bell counts them, each leads to its place, and the account page chooses the kinds. */
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import { openPage } from './testing/browser/browser.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { addPeople, signIn, signUpAtOnce } from './testing/people/people.ts';
import { fieldsOf } from './testing/vault/fields.ts';
import { type Screen, screenOf } from './testing/vault/screen.ts';
import { usersOf } from './testing/vault/users.ts';

let miras: Page;
let bobs: Page;
let bob: Screen;
let users: ReturnType<typeof usersOf>;

withOnePage(async ({ page, browser, server }) => {
  miras = page;
  const screen = screenOf(miras);
  users = usersOf(miras, screen);
  await signUpAtOnce(miras, server.origin);
  const [person] = await addPeople(screen, server.dataDir, ['Bob Brandt']);
  await fieldsOf(miras).addTree('Production');
  ({ page: bobs } = await openPage(browser));
  bob = await signIn(bobs, server.origin, person);
});

const bell = (unread: number) =>
  bobs.getByRole('link', { name: unread === 0 ? 'Notices' : `Notices, ${unread} unread`, exact: true });
const rows = () => bobs.getByRole('list', { name: 'Notices, newest first' }).getByRole('listitem');

test('whoever is added to a group sees it at the bell, follows the notice there, and the bell is clear', async () => {
  await bell(0).waitFor();
  await miras
    .getByRole('treegrid')
    .getByRole('row', { name: /^Production/ })
    .click();
  await users.open();
  await users.add('Bob Brandt', 'Member');
  await screenOf(miras).button('Compared, verified', screenOf(miras).dialog()).click();
  await users.row('Bob Brandt').waitFor();
  await bobs.reload();
  await bell(1).focus();
  await bobs.keyboard.press('Enter');
  await bob.heading('Notices').waitFor();
  await rows().getByText('Unread').waitFor();
  for (const [width, theme] of [
    [390, 'light'],
    [1440, 'dark'],
  ] as const) {
    await bobs.setViewportSize({ width, height: 900 });
    await bobs.evaluate((name) => (document.documentElement.dataset['theme'] = name), theme);
    expect([width, theme, await findings(bobs)]).toEqual([width, theme, []]);
  }
  await bobs.getByRole('link', { name: 'You were added to “Production” as Member' }).press('Enter');
  await bob.heading('Production').waitFor();
  await bell(0).waitFor();
});

test('“Mark all read” clears the bell; a removal names no group that the person cannot see', async () => {
  await users.changeRole('Bob Brandt', 'Moderator');
  await users.row('Bob Brandt').getByRole('button', { name: 'Moderator, role of Bob Brandt' }).waitFor();
  await users.remove('Bob Brandt');
  await users.row('Bob Brandt').waitFor({ state: 'detached' });
  await bobs.reload();
  await bell(2).click();
  await rows().getByText('You were removed from a group').waitFor();
  expect(await rows().allInnerTexts()).not.toContain('Production');
  await bob.button('Mark all read').click();
  await bell(0).waitFor();
  await expect.poll(() => rows().getByText('Unread').count()).toBe(0);
});

test('a kind that is switched off on the account page gives no notice any more', async () => {
  await bobs.getByRole('link', { name: 'Choose kinds' }).click();
  const choice = bobs.getByLabel('You are added to a group', { exact: true });
  await choice.selectOption('Off');
  await bobs.reload();
  await expect.poll(() => choice.inputValue()).toBe('off');
  await users.add('Bob Brandt', 'Member');
  await users.row('Bob Brandt').waitFor();
  await bobs.reload();
  await bobs
    .getByRole('treegrid')
    .getByRole('row', { name: /^Production/ })
    .waitFor();
  await bell(0).waitFor();
});
