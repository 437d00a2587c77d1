/**
 * Offboarding: one page ends the access of a user, removes them from the groups of the acting admin, lists
 * other groups, and links to the values to change.
 */
import { expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import { makeSignInsOld } from './testing/people/accounts.ts';
import { openPage, type WatchedPage } from './testing/browser/browser.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { addPeople, signIn, signUpFirst, type Person } from './testing/people/people.ts';
import { screenOf, type Screen } from './testing/vault/screen.ts';
import type { RunningServer } from './testing/server/server.ts';

const API = '/passwordBroker/api';
let server: RunningServer;
let browser: Browser;
let page: Page;
let screen: Screen;
let ada: Person;
let bob: Person;
let carol: Person;
let bobs: WatchedPage;

/** Calls the API as another user by a token. */
async function callAs(person: Person, method: string, path: string, body?: object): Promise<Response> {
  const send = (to: string, how: string, sent: object | undefined, token = '') =>
    fetch(`${server.origin}${to}`, {
      method: how,
      headers: { 'Content-Type': 'application/json', ...(token === '' ? {} : { Authorization: `Bearer ${token}` }) },
      ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
    });
  const { email, password } = person;
  const signedIn = await send('/identity/api/login', 'POST', { email, password, token_is_required: true });
  const { token } = (await signedIn.json()) as { token: string };
  return send(path, method, body, token);
}
async function groupOf(maker: Person, name: string, others: readonly (readonly [Person, string])[]): Promise<string> {
  const { masterPassword: master_password } = maker;
  const made = await callAs(maker, 'POST', `${API}/entryGroups`, { name, master_password });
  const { entryGroup } = (await made.json()) as { entryGroup: { entry_group_id: string } };
  const id = entryGroup.entry_group_id;
  for (const [{ userId: target_user_id }, role] of others) {
    const body = { target_user_id, role, master_password };
    expect((await callAs(maker, 'POST', `${API}/entryGroups/${id}/users`, body)).status).toBe(201);
  }
  return id;
}

withOnePage(async (opened) => {
  ({ server, browser, page } = opened);
  page.setDefaultTimeout(30_000);
  screen = screenOf(page);
  ada = await signUpFirst(page, server.origin, 'Ada Adler');
  [bob, carol] = await addPeople(screen, server.dataDir, ['Bob Brandt', 'Carol Cole']);
  const production = await groupOf(ada, 'Production', [[bob, 'moderator']]);
  await groupOf(ada, 'Payments', [[bob, 'admin']]);
  await groupOf(carol, 'Design', [[bob, 'member']]);
  await groupOf(bob, 'Scripts of Bob', []);
  const entries = `${API}/entryGroups/${production}/entries`;
  const entry = (await (await callAs(ada, 'POST', entries, { title: 'PostgreSQL primary' })).json()) as {
    entry_id: string;
  };
  const fields = `${entries}/${entry.entry_id}/fields`;
  const secret = {
    type: 'password',
    title: 'Root account',
    login: 'root',
    value: 'q8-Rf3',
    master_password: ada.masterPassword,
  };
  const field = (await (await callAs(ada, 'POST', fields, secret)).json()) as { field_id: string };
  const opening = { master_password: bob.masterPassword };
  expect((await callAs(bob, 'POST', `${fields}/${field.field_id}/decrypted`, opening)).status).toBe(200);
  bobs = await openPage(browser);
  await signIn(bobs.page, server.origin, bob);
});

const part = (name: string | RegExp) => page.getByRole('region', { name });
const confirmation = () => page.getByRole('dialog', { name: 'Confirm your password first' });
const openOffboarding = async () => {
  await page.goto(`${server.origin}/admin/user_control/`);
  await screen.button('More for Bob Brandt').click();
  await page.getByRole('menuitem', { name: 'Offboard' }).click();
  await screen.heading('Offboard Bob Brandt').waitFor();
};

test('the page lists what ends, groups of the acting admin, and groups of others with their admins', async () => {
  await openOffboarding();
  await part('Account').getByText('Ends at once: 1 session, 1 token, 0 open invitations.').waitFor();
  const yours = part('Groups that you manage (2)');
  expect(await yours.getByRole('row').allInnerTexts()).toEqual([
    expect.stringContaining('Group'),
    expect.stringMatching(/^Payments\s+Admin\s+member$/),
    expect.stringMatching(/^Production\s+Moderator\s+member$/),
  ]);
  await yours.getByText('You are asked for your master password').waitFor();
  const others = part('Groups that others manage (2)');
  expect(await others.getByRole('row').allInnerTexts()).toEqual([
    expect.stringContaining('Admins'),
    expect.stringMatching(/^Design\s+Member\s+Carol Cole$/),
    expect.stringMatching(/^Scripts of Bob\s+Admin\s+nobody else$/),
  ]);
  expect(await page.getByLabel('Disable the account').isChecked()).toBe(true);
  expect(await findings(page, 'main')).toEqual([]);
});

test('cancelling the first dialog changes nothing', async () => {
  await makeSignInsOld(server.dataDir);
  await screen.button('Offboard').click();
  await confirmation().waitFor();
  await page.keyboard.press('Escape');
  await confirmation().waitFor({ state: 'detached' });
  expect((await callAs(bob, 'GET', '/identity/api/sessions')).status).toBe(200);
});

test('one press ends access at once; closing the master password dialog leaves the rest for later', async () => {
  await screen.button('Offboard').click();
  await screen.box('Password', confirmation()).fill(ada.password);
  await page.keyboard.press('Enter');
  await page.getByText('remove Bob Brandt from groups where both of you are admins').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('Stopped: 1 group left as they were.').waitFor();
  await part('Account').getByText('The account is disabled: nobody can sign in to it.').waitFor();
  await part('Account').getByText('No session, token or open invitation is left.').waitFor();
  await part('Groups that you manage (2)').getByText('removed', { exact: true }).waitFor();
  expect(await findings(page, 'main')).toEqual([]);
  await bobs.page.reload();
  await bobs.page.getByRole('heading', { name: 'Log in' }).waitFor();
});

test('a later visit shows the remaining steps and continues', async () => {
  await openOffboarding();
  await part('Groups that you manage (1)').getByText('Payments').waitFor();
  await screen.button('Go on').click();
  await screen.remember(ada.masterPassword);
  await page.getByText('There is no access left that you can end.').waitFor();
  await page.getByText('This person is still a member of 2 groups that others manage.').waitFor();
  await part('Groups that others manage (2)').waitFor();
  expect(await findings(page, 'main')).toEqual([]);
  const all = await screen.call<{ name: string; gk_version: number; rotation_due: boolean }[]>(
    'GET',
    `${API}/entryGroups`,
  );
  expect(all.map(({ name }) => name).sort()).toEqual(['Payments', 'Production']);
  // An unlocked vault rotates due keys by itself, but not at the first unlock of a browser.
  await page.reload();
  await screen.button(/^Master Pasword not entered$/).click();
  await screen.remember(ada.masterPassword);
  await expect
    .poll(
      async () =>
        (await screen.call<{ rotation_due: boolean }[]>('GET', `${API}/entryGroups`)).some(
          ({ rotation_due }) => rotation_due,
        ),
      {
        timeout: 30_000,
      },
    )
    .toBe(false);
});

test('the page links to the values that the user has seen', async () => {
  await page.getByRole('link', { name: 'What to change' }).click();
  await screen.heading('Former members').waitFor();
  await page.getByText('One person is shown.').waitFor();
  await page.getByRole('progressbar', { name: '0 of 1 changed' }).waitFor();
  await screen.button('Change Root account of PostgreSQL primary').waitFor();
  expect(await findings(page, 'main')).toEqual([]);
});

test('an admin cannot offboard themselves or an unknown user', async () => {
  await page.goto(`${server.origin}/admin/user_control/offboard/${ada.userId}`);
  await page.getByText('You cannot offboard yourself.').waitFor();
  expect(await screen.button('Offboard').count()).toBe(0);
  await page.goto(`${server.origin}/admin/user_control/offboard/${crypto.randomUUID()}`);
  await page.getByText('This person’s access could not be loaded.').waitFor();
});
