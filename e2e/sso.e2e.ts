/**
 * Single sign-on at the real `oidc-provider`: a new person gets keys and reads a shared secret; another links an account
 * on the account page and after a sign-in; a site that demands the link. A person without a password confirms there.
 */
import { afterAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { startRealProvider } from '../server/src/identity/sso/testing/real-provider.ts';
import { openPage } from './testing/browser/browser.ts';
import { beforeAnswer } from './testing/browser/intercept.ts';
import { acmeAt, continueWith, isAccessible, signInThere } from './testing/people/at-provider.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { makeSignInsOld } from './testing/people/accounts.ts';
import { addPeople, type Person, signUpAtOnce } from './testing/people/people.ts';
import { freePort } from './testing/server/server.ts';
import { fieldsOf } from './testing/vault/fields.ts';
import { PERSON, screenOf } from './testing/vault/screen.ts';
import { usersOf } from './testing/vault/users.ts';

const EVE_MASTER_PASSWORD = 'eve violet quay 77 lantern';

const provider = await startRealProvider();
const port = await freePort();
const settings = { enabled: true, create_accounts: true, allowed_domains: ['example.org'] };

let browser: Browser;
let origin: string;
let dataDir: string;
let miras: Page;
let mira: ReturnType<typeof fieldsOf>;
let bob: Person;
let eves: Page;
let eve: ReturnType<typeof fieldsOf>;

withOnePage(
  async (opened) => {
    ({ browser, page: miras } = opened);
    ({ origin, dataDir } = opened.server);
    provider.admit(origin);
    mira = fieldsOf(miras);
    await signUpAtOnce(miras, origin);
    [bob] = await addPeople(screenOf(miras), opened.server.dataDir, ['Bob Brandt']);
    await mira.addTree('Production');
    await mira
      .button(/add new Entry/)
      .first()
      .click();
    await mira.box('Title', mira.dialog()).fill('Billing ledger');
    await mira.box('Password', mira.dialog()).fill('first-Value_1');
    await miras.keyboard.press('Enter');
    await mira.closed();
    ({ page: eves } = await openPage(browser));
    eve = fieldsOf(eves);
  },
  {
    port,
    env: acmeAt(provider, settings),
  },
);
afterAll(() => provider.stop());

const logOut = async (page: Page) => {
  await page.goto(`${origin}/identity/logout`);
  await screenOf(page).heading('Log in').waitFor();
};

test('by keyboard: who gives up at the provider is told so, and can try again', async () => {
  await eves.goto(`${origin}/notices`);
  await continueWith(eves).waitFor();
  await isAccessible(eves);
  await eves.keyboard.press('Enter');
  await eves.getByRole('link', { name: 'Cancel' }).click();
  await eves.getByRole('alert').getByText('You did not sign in at Acme.').waitFor();
  expect(eves.url()).toBe(`${origin}/identity/sso/callback`);
  await isAccessible(eves);
  await eves.keyboard.press('Enter');
  await signInThere(eves, 'eve');
});

test('a new person makes keys, lands on the page wanted first, and reads the first shared secret', async () => {
  await eve.box('New master password').fill(EVE_MASTER_PASSWORD);
  await eve.box('New master password confirmation').fill(EVE_MASTER_PASSWORD);
  await eves.keyboard.press('Enter');
  await eve.closed();
  expect(eves.url()).toBe(`${origin}/notices`);

  const users = usersOf(miras, screenOf(miras));
  await users.open();
  await users.add('Eve', 'Member');
  await mira.button('Trust for now', mira.dialog()).click();
  await users.row('Eve').waitFor();

  await eves.goto(origin);
  await eve.treeRow('Production, Member').click();
  await eve.openEntry('Billing ledger');
  await eve.button('Show', eve.row('Password')).click();
  await eve.remember(EVE_MASTER_PASSWORD);
  await eve.row('Password').getByText('first-Value_1').waitFor();
});

test('a person without a password signs in again at the provider, and sets one', async () => {
  const password = 'eve amber dock 31 thimble';
  const setPassword = async () => {
    await eves.goto(`${origin}/account`);
    expect(await eve.box('Current password').count()).toBe(0);
    await eve.box('New password').fill(password);
    await eve.box('New password confirmation').fill(password);
    await eve.button('Set password').press('Enter');
  };
  await eves.goto(`${origin}/account`);
  await makeSignInsOld(dataDir);
  await setPassword();
  await eves.getByRole('dialog', { name: 'Sign in again first' }).getByText('You come back here').waitFor();
  await isAccessible(eves);
  expect(await eve.box('Password', eve.dialog()).count()).toBe(0);
  await eves.keyboard.press('Enter');
  await eves.getByRole('link', { name: 'Cancel' }).click();
  await eve.heading('You did not sign in again').waitFor();
  await eves.getByText('You did not sign in at Acme.').waitFor();
  await isAccessible(eves);
  await eves.keyboard.press('Enter');
  await eves.getByPlaceholder('Enter any login').fill('eve');
  await eves.getByPlaceholder('and password').fill('x');
  await eves.keyboard.press('Enter');
  await eves.getByText('You signed in again. Begin once more what you wanted to do.').waitFor();
  expect(eves.url()).toBe(`${origin}/account`);
  // The page asks who is signed in, and then once more; that answer comes after the one to the change.
  let asked = 0;
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const endHolding = await beforeAnswer(eves, `${origin}/identity/api/me`, async (caught) => {
    asked += 1;
    if (asked > 1) await released;
    await caught.goOn();
  });
  await setPassword();
  await eves.getByText('Account password set.').waitFor();
  expect(asked).toBeGreaterThan(1);
  const late = eves.waitForResponse(`${origin}/identity/api/me`);
  release();
  await (await late).finished();
  await eves.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  expect(await eve.box('Current password').count()).toBe(1);
  await endHolding();
  await mira.call('POST', '/identity/api/confirmPassword', { password: PERSON.password });
  await eve.box('Current password').waitFor();
});

test('an account is linked on the account page, signs in with that, and is unlinked', async () => {
  await miras.goto(`${origin}/account`);
  await mira.button('Link: Acme').press('Enter');
  await signInThere(miras, 'mira');
  await miras.getByText(`Link ${PERSON.email} at Acme to the account of ${PERSON.name}?`).waitFor();
  await isAccessible(miras);
  await miras.keyboard.press('Enter');
  await miras.getByText(`linked as ${PERSON.email}`).waitFor();
  expect(miras.url()).toBe(`${origin}/account#single-sign-on`);
  await isAccessible(miras);

  await logOut(miras);
  await continueWith(miras).click();
  await miras.getByRole('heading', { name: 'Groups', exact: true }).waitFor();
  await miras.goto(`${origin}/account`);
  await mira.button('Unlink: Acme').press('Enter');
  await mira.button('Unlink', miras.getByRole('alertdialog')).press('Enter');
  // The sign-in at the provider is older than this page.
  await mira.box('Password', mira.dialog()).fill(PERSON.password);
  await miras.keyboard.press('Enter');
  // The session began at Acme.
  await mira.heading('Log in').waitFor();
});

test('an unlinked account with the address is linked only after a sign-in as before', async () => {
  await continueWith(miras).press('Enter');
  await miras.getByText('An account with this address exists.').waitFor();
  await isAccessible(miras);
  await mira.box('Email').fill(PERSON.email);
  await mira.box('Password').fill(PERSON.password);
  await miras.keyboard.press('Enter');
  await mira.heading('Link your account?').waitFor();
  await mira.button('Link').press('Enter');
  await miras.getByRole('heading', { name: 'Groups', exact: true }).waitFor();
});

test('a site that demands the link shows an unlinked person nothing else', async () => {
  await mira.call('PUT', '/system/api/setting/signIn', { local_sign_in: 'to_link' });
  const { page: bobs } = await openPage(browser);
  const screen = screenOf(bobs);
  await bobs.goto(`${origin}/trash`);
  await screen.button('Sign in with a password').press('Enter');
  await screen.box('Email').fill(bob.email);
  await screen.box('Password').fill(bob.password);
  await bobs.keyboard.press('Enter');
  await screen.heading('Link your account first').waitFor();
  await isAccessible(bobs);
  await bobs.keyboard.press('Enter');
  await signInThere(bobs, 'bob');
  await screen.button('Link').press('Enter');
  await bobs.waitForURL(`${origin}/trash`);
  await screen.heading('Trash').waitFor();
});
