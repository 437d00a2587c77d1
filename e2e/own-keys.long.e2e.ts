/**
 * A new master password at the first unlock of an account made by an admin (docs/spec/decisions.md K7), and
 * new keys after a reset (K6).
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import { closePages, openPage, sharedBrowser, type WatchedPage } from './testing/browser/browser.ts';
import { fieldsOf } from './testing/vault/fields.ts';
import { signIn, signUpAtOnce } from './testing/people/people.ts';
import { PERSON, screenOf, type Screen } from './testing/vault/screen.ts';
import { startServer, type RunningServer } from './testing/server/server.ts';
import { usersOf } from './testing/vault/users.ts';

const API = '/passwordBroker/api/entryGroups';
const BOB = { name: 'Bob Brandt', email: 'bob@example.org', password: 'account passphrase 52 of Bob' } as const;
const GIVEN = 'chosen by the admin 11';
const OWN = 'chosen by Bob himself ☂ 73';
const AGAIN = 'and after the reset ♜ 19';

let server: RunningServer;
let browser: Browser;
let mira: WatchedPage;
let bobs: WatchedPage;
let page: Page;
let admin: Screen;
let screen: ReturnType<typeof fieldsOf>;
let bobId: string;
let group: string;
let entry: string;

beforeAll(async () => {
  server = await startServer();
  browser = await sharedBrowser();
  mira = await openPage(browser);
  admin = screenOf(mira.page);
  await signUpAtOnce(mira.page, server.origin);
  const given = { master_password: GIVEN, master_password_confirmation: GIVEN };
  const user = { username: BOB.name, email: BOB.email, password: BOB.password, password_confirmation: BOB.password };
  const made = await admin.call<{ user_id: string }>('POST', '/identity/api/registration', {
    user: { ...user, ...given },
  });
  bobId = made.user_id;
  const keys = { master_password: PERSON.masterPassword };
  const place = await admin.call<{ entryGroup: { entry_group_id: string } }>('POST', API, {
    name: 'Production',
    ...keys,
  });
  group = place.entryGroup.entry_group_id;
  entry = (await admin.call<{ entry_id: string }>('POST', `${API}/${group}/entries`, { title: 'Ledger' })).entry_id;
  const field = { type: 'password', title: 'Root', login: 'root', value: 'wG7-kestrel-41', ...keys };
  await admin.call('POST', `${API}/${group}/entries/${entry}/fields`, field);
  await admin.call('POST', `${API}/${group}/users`, { target_user_id: bobId, role: 'moderator', ...keys });
  bobs = await openPage(browser);
  page = bobs.page;
  page.setDefaultTimeout(15_000);
  screen = fieldsOf(page);
});
afterAll(async () => {
  await closePages(browser);
  await server.stop();
});
afterEach(() => {
  expect([...mira.complaints(), ...bobs.complaints()]).toEqual([]);
});

const chooser = () => page.getByRole('dialog').filter({ hasText: 'Choose your own master password' });
async function choose(next: string, confirmation = next) {
  await screen.box('New master password', chooser()).fill(next);
  await screen.box('New master password confirmation', chooser()).fill(confirmation);
  await screen.button('Make my keys', chooser()).click();
}
async function unlock(masterPassword: string) {
  await screen.button(/^Master Pasword (not entered|is incorrect)$/).click();
  await screen.remember(masterPassword);
}
async function showsRoot() {
  await page.goto(`${server.origin}/entryGroup/${group}?entry=${entry}`);
  await screen.button('Show', screen.row('Root')).click();
}

test('a user with an assigned master password chooses a new one at the first unlock; closing the dialog locks the vault', async () => {
  await signIn(page, server.origin, BOB);
  expect(await chooser().count()).toBe(0);
  await unlock(GIVEN);
  await chooser().waitFor();
  expect(await findings(page)).toEqual([]);
  await screen.button('Lock the vault', chooser()).click();
  await screen.button('Master Pasword not entered').waitFor();
  await unlock(GIVEN);
  await choose('short one', 'another');
  await chooser().getByRole('alert').getByText('Master Password Confirmation mismatch to Master Password').waitFor();
  await choose(OWN);
  await chooser().waitFor({ state: 'detached' });
  await screen.notice('Your new keys are ready').waitFor();
  await screen.button('Master Pasword validated').waitFor();
});

test('shared values open with the new master password, and the assigned one is refused', async () => {
  await showsRoot();
  await screen.remember(GIVEN);
  await screen.dialog().getByText('MasterPassword is invalid').waitFor();
  await expect.poll(() => screen.box('Master password', screen.dialog()).inputValue()).toBe('');
  await screen.remember(OWN);
  await expect.poll(() => screen.row('Root').innerText()).toContain('wG7-kestrel-41');
  expect(await chooser().count()).toBe(0);
  const me = await screen.call<{ user: { must_rekey: boolean } }>('GET', '/identity/api/me');
  expect(me.user.must_rekey).toBe(false);
  const groups = await screen.call<{ rotation_due: boolean }[]>('GET', API);
  expect(groups.map(({ rotation_due }) => rotation_due)).toEqual([true]);
});

test('after a reset of keys by an admin the user makes new keys at sign-in', async () => {
  const users = mira.page.getByRole('table', { name: 'Users' });
  const question = mira.page.getByRole('alertdialog');
  await mira.page.goto(`${server.origin}/admin/user_control/`);
  await users
    .getByRole('row')
    .filter({ hasText: BOB.email })
    .getByRole('button', { name: `More for ${BOB.name}` })
    .click();
  await mira.page.getByRole('menuitem', { name: 'Reset keys' }).click();
  await question.getByText('Every membership').waitFor();
  await admin.box(`Type ${BOB.name} to confirm`).fill(BOB.name);
  await admin.button('Reset keys', question).click();
  await users.getByRole('row').filter({ hasText: BOB.email }).getByText('No keys').waitFor();

  await page.reload();
  await screen.heading('Log in').waitFor();
  await signIn(page, server.origin, BOB);
  await chooser().getByText('If your old ones were reset').waitFor();
  expect(await findings(page)).toEqual([]);
  await choose(AGAIN);
  await chooser().waitFor({ state: 'detached' });
  await screen.button('Master Pasword validated').waitFor();
  expect(await screen.call<unknown[]>('GET', API)).toEqual([]);
  await screen.button('add new tree').click();
  await screen.box('Title', screen.dialog()).fill('Bob’s own');
  await page.keyboard.press('Enter');
  await screen.heading('Bob’s own').waitFor();
});

test('I87 a user added again after the reset, after the words were compared, reads the former values with the new master password', async () => {
  const theirs = usersOf(mira.page, admin);
  const sent: string[] = [];
  mira.page.on('request', (request) => {
    if (request.method() !== 'GET' && /\/(?:users|groupUsers)$/.test(request.url())) sent.push(request.url());
  });
  await mira.page.goto(`${server.origin}/entryGroup/${group}`);
  await theirs.open();
  await mira.page.getByText(`${BOB.name} was moderator until the keys were reset`).waitFor();
  await admin.button(`Add again: ${BOB.name}`).press('Enter');
  await admin.remember();
  const words = admin.dialog();
  await words.getByRole('heading', { name: `Add ${BOB.name} again` }).waitFor();
  await admin.button('Share now', words).press('Enter');
  expect(sent).toEqual([]);
  expect(await findings(mira.page)).toEqual([]);
  await words.getByRole('button', { name: /^Compared, verified/ }).press('Enter');
  await expect.poll(() => admin.button('Share now', words).getAttribute('aria-disabled')).toBeNull();
  await admin.button('Share now', words).press('Enter');
  await theirs.row(BOB.name).waitFor();
  await showsRoot();
  await screen.remember(AGAIN);
  await expect.poll(() => screen.row('Root').innerText()).toContain('wG7-kestrel-41');
});
