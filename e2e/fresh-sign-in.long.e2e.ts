/**
 * All screens that need the account password of the last ten minutes ask in the same dialog and
 * then continue (T145, T146).
 */
import { beforeEach, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import { addAccounts, makeSignInsOld } from './testing/people/accounts.ts';
import { entriesOf } from './testing/vault/entries.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { signUpAtOnce } from './testing/people/people.ts';
import { PERSON, screenOf, type Screen } from './testing/vault/screen.ts';
import type { RunningServer } from './testing/server/server.ts';

let server: RunningServer;
let page: Page;
let screen: Screen;

withOnePage(async (opened) => {
  ({ server, page } = opened);
  page.setDefaultTimeout(15_000);
  screen = screenOf(page);
  await signUpAtOnce(page, server.origin);
  await addAccounts(server.dataDir, 6);
});
beforeEach(() => makeSignInsOld(server.dataDir));

const open = async (path: string, heading: string) => {
  await page.goto(`${server.origin}${path}`);
  await screen.heading(heading).waitFor();
};
const question = () => page.getByRole('alertdialog');
const confirmation = () => page.getByRole('dialog', { name: 'Confirm your password first' });
const confirm = async () => {
  await screen.box('Password', confirmation()).fill(PERSON.password);
  await page.keyboard.press('Enter');
  await confirmation().waitFor({ state: 'detached' });
};
/** Cancels the dialog once: the input is still there and the action can be repeated. */
const giveUpThenConfirm = async (begin: () => Promise<void>) => {
  await begin();
  await confirmation().waitFor();
  expect(await findings(page, 'dialog[open]')).toEqual([]);
  await page.keyboard.press('Escape');
  await confirmation().waitFor({ state: 'detached' });
  await begin();
  await confirm();
};

test('inviting a user asks for the account password', async () => {
  await open('/admin/user_control/invite', 'Invite');
  await screen.box('Email').fill('ella@example.org');
  await giveUpThenConfirm(() => screen.button('Send an invitation').click());
  await page.getByText('Invitation ready').waitFor();
});

test('creating an account asks for the account password', async () => {
  await open('/admin/user_control/add', 'Create User');
  await screen.box('Email').fill('wen@example.org');
  await screen.box('Username').fill('Wen Bao');
  for (const label of ['Password', 'Passwords do not match']) await screen.box(label).fill('first passphrase 8 of Wen');
  for (const label of ['Master Password', 'Master Passwords do not match'])
    await screen.box(label).fill('harbour ☂ thistle 93-loom');
  await giveUpThenConfirm(() => screen.button('Create User').click());
  await page.getByText('The User has been created successfully.').waitFor();
});

test('changing the e-mail or password of another account asks for the account password', async () => {
  await open('/admin/user_control/', 'Users');
  await screen.box('Search users').fill('person 01');
  await screen.button('Edit Person 01').click();
  await screen.heading('Edit user').waitFor();
  // Changing only the name needs no confirmation.
  await screen.box('Name').fill('Dana Anselm');
  await screen.button('Save').click();
  await page.getByText('The User was successfully updated').waitFor();
  await screen.box('Email').fill('dana@example.org');
  await giveUpThenConfirm(() => screen.button('Save').click());
  await page.getByText('The User was successfully updated').waitFor();
  await makeSignInsOld(server.dataDir);
  for (const label of ['New password', 'Confirm new password']) await screen.box(label).fill('second passphrase 9');
  await giveUpThenConfirm(() => screen.button('Set password').click());
  await page.getByText('The account password was changed').first().waitFor();
});

test('disabling and deleting a user ask for the account password', async () => {
  const row = (name: string) => page.getByRole('table', { name: 'Users' }).getByRole('row').filter({ hasText: name });
  await open('/admin/user_control/', 'Users');
  await screen.box('Search users').fill('person 02');
  await screen.button('More for Person 02').click();
  await page.getByRole('menuitem', { name: 'Disable' }).click();
  await giveUpThenConfirm(() => screen.button('Disable', question()).click());
  await row('Person 02').getByText('Disabled').waitFor();
  await makeSignInsOld(server.dataDir);
  page.on('dialog', (dialog) => void dialog.accept());
  await giveUpThenConfirm(() => screen.button('Delete Person 02').click());
  await row('Person 02').waitFor({ state: 'detached' });
  page.removeAllListeners('dialog');
});

test('creating a token asks for the account password', async () => {
  await open('/account', 'Account');
  await screen.button('New token').click();
  await screen.box('Name', screen.dialog()).fill('robot');
  await giveUpThenConfirm(() => screen.button('Create token', screen.dialog()).click());
  expect(await screen.dialog().locator('code').innerText()).toMatch(/^pbt_/);
});

test('saving the settings asks for the account password', async () => {
  await open('/admin/settings/', 'Settings');
  const limits = page.getByRole('form', { name: 'Sessions and limits' });
  await screen.box('Invitations expire after (days)', limits).fill('3');
  await giveUpThenConfirm(() => screen.button('Save', limits).click());
  await page.getByText('The settings were saved').waitFor();
});

test('restoring and purging ask for the account password while the vault is locked, not while it is open', async () => {
  const entries = entriesOf(page, screen);
  await open('/trash', 'Trash');
  const id = await entries.addTree('Production', true);
  const remove = async (title: string) => {
    const ids = await entries.addEntries(id, [title]);
    await screen.call('POST', `/passwordBroker/api/entryGroups/${id}/entries/bulkEdit/delete`, { entries: ids });
    await page.goto(`${server.origin}/trash`);
  };
  await remove('Ledger');
  await giveUpThenConfirm(() => screen.button('Restore Ledger').click());
  await entries.notice('"Ledger" restored').waitFor();
  await remove('Pooler');
  await makeSignInsOld(server.dataDir);
  await screen.button('Delete Pooler for good').click();
  await giveUpThenConfirm(() => screen.button('Delete for good', question()).click());
  await entries.notice('"Pooler" deleted for good').waitFor();
  await remove('Replica');
  await makeSignInsOld(server.dataDir);
  await screen.button('Master Pasword not entered').click();
  await screen.remember();
  await screen.button('Delete Replica for good').click();
  await screen.button('Delete for good', question()).click();
  await entries.notice('"Replica" deleted for good').waitFor();
  expect(await confirmation().count()).toBe(0);
});
