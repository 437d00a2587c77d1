/**
 * Ways through single sign-on that few people take, at the real `oidc-provider`: an invitation, the logout there, a second
 * factor, an expired ticket, the only way to sign in, and a site without local sign-in.
 */
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { openWriter } from '../server/src/db/sqlite/connections.ts';
import { startRealProvider } from '../server/src/identity/sso/testing/real-provider.ts';
import { openPage } from './testing/browser/browser.ts';
import { acmeAt, continueWith, isAccessible, signInThere } from './testing/people/at-provider.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { authenticatorOf } from './testing/people/authenticator.ts';
import { addPeople, type Person, signUpAtOnce } from './testing/people/people.ts';
import { virtualPasskeys } from './testing/browser/virtual-passkeys.ts';
import { freePort } from './testing/server/server.ts';
import { fieldsOf } from './testing/vault/fields.ts';
import { PERSON, screenOf, type Screen } from './testing/vault/screen.ts';
import { usersOf } from './testing/vault/users.ts';

const MASTER_PASSWORD = 'eve violet quay 77 lantern';

const provider = await startRealProvider();
const port = await freePort();

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
    [bob] = await addPeople(screenOf(miras), dataDir, ['Bob Brandt']);
    await mira.addTree('Production');
    ({ page: eves } = await openPage(browser));
    eve = fieldsOf(eves);
  },
  {
    port,
    env: acmeAt(provider, { enabled: true, logout_at_provider: true }),
  },
);
afterAll(() => provider.stop());

/** Here, and there too. */
async function logOutThere(page: Page) {
  await page.goto(`${origin}/identity/logout`);
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
  await page.waitForURL(`${origin}/identity/login`);
  await continueWith(page).waitFor();
}

async function typePassword(page: Page, screen: Screen, { email, password }: Pick<Person, 'email' | 'password'>) {
  await screen.button('Sign in with a password').press('Enter');
  await screen.box('Email').fill(email);
  await screen.box('Password').fill(password);
  await page.keyboard.press('Enter');
}

async function change(work: (queries: ReturnType<typeof openWriter>['queries']) => Promise<unknown>) {
  const { queries } = openWriter(join(dataDir, 'passwordbroker.sqlite'));
  try {
    await work(queries);
  } finally {
    await queries.destroy();
  }
}

test('an invitation is accepted at the provider with its address alone, and the inviter is known', async () => {
  // Only an open vault puts the key of the inviter into the link.
  await miras.getByRole('link', { name: 'Admin Panel' }).click();
  await miras.getByRole('navigation', { name: 'Admin Panel' }).getByRole('link', { name: 'Invite' }).click();
  await mira.box('Email').fill('eve@example.org');
  await mira.button('Send an invitation').click();
  const shown = mira.box('Invitation link');
  await expect.poll(() => shown.inputValue()).toContain('#inviter=');
  const link = await shown.inputValue();

  const { page: others } = await openPage(browser);
  await others.goto(link);
  await continueWith(others).press('Enter');
  await signInThere(others, 'mallory');
  await others.getByText('Open the link of the invitation again').waitFor();
  await isAccessible(others);
  expect(await others.getByRole('button', { name: 'Try again' }).count()).toBe(0);

  await eves.goto(link);
  await eves.getByText('The invitation is for eve@example.org. Sign in with this address.').waitFor();
  await isAccessible(eves);
  await continueWith(eves).press('Enter');
  await signInThere(eves, 'eve');
  await eve.box('New master password').fill(MASTER_PASSWORD);
  await eve.box('New master password confirmation').fill(MASTER_PASSWORD);
  await eves.keyboard.press('Enter');
  await eve.closed();
  await miras.goto(origin);
  await mira.treeRow('Production, Admin').click();
  const users = usersOf(miras, screenOf(miras));
  await users.open();
  await users.add('Eve', 'Member');
  await mira.remember();
  await mira.button('Trust for now', mira.dialog()).click();
  await users.row('Eve').waitFor();
  // The key of the inviter came with the link: Eve need not compare it.
  await eves.goto(origin);
  await eve.button('Unlock to see your favourites and recent entries').click();
  await eve.remember(MASTER_PASSWORD);
  await eve.treeRow('Production, Member').click();
  await usersOf(eves, screenOf(eves)).open();
  await eve.button(new RegExp(`^Key of ${PERSON.name}: verified`)).waitFor();
});

test('the only way to sign in cannot be unlinked', async () => {
  await eves.goto(`${origin}/account`);
  await eve.button('Unlink: Acme').press('Enter');
  await eve.button('Unlink', eves.getByRole('alertdialog')).press('Enter');
  await eves.getByRole('alertdialog').getByText('It is your only way to sign in').waitFor();
  await isAccessible(eves);
  await eves.keyboard.press('Escape');
  await eve.button('Unlink: Acme').waitFor();
});

test('after the sign-in at the provider, the second factor of the account is asked for', async () => {
  const made = await eve.call<{ totp_id: string; secret: string }>('POST', '/identity/api/factors/totp', {});
  const app = authenticatorOf(made.secret);
  await eve.call('POST', `/identity/api/factors/totp/${made.totp_id}/confirm`, { code: app.code() });
  await logOutThere(eves);
  await eves.goto(`${origin}/trash`);
  await continueWith(eves).press('Enter');
  await signInThere(eves, 'eve');
  await eve.heading('Confirm it is you').waitFor();
  await isAccessible(eves);
  await eve.box('Code').fill('000000');
  await eves.keyboard.press('Enter');
  await eves.getByText('The code is not right').waitFor();
  await eve.box('Code').fill(app.code());
  await eves.keyboard.press('Enter');
  await eves.waitForURL(`${origin}/trash`);
  await eve.heading('Trash').waitFor();
  // A reload of the callback page has nothing to send again.
  await eves.goto(`${origin}/identity/sso/callback`);
  await eves.getByRole('heading', { name: 'Groups', exact: true }).waitFor();
});

test('a ticket that expired is told, and the sign-in begins again', async () => {
  const { page: bobs } = await openPage(browser);
  const screen = screenOf(bobs);
  await bobs.goto(origin);
  await continueWith(bobs).press('Enter');
  // An account has this address, and is not linked.
  await signInThere(bobs, bob.email.split('@')[0] ?? '');
  await bobs.getByText('An account with this address exists.').waitFor();
  await change((queries) => queries.updateTable('sign_in_tickets').set({ expires_at: 1 }).execute());
  await screen.box('Email').fill(bob.email);
  await screen.box('Password').fill(bob.password);
  await bobs.keyboard.press('Enter');
  await bobs.getByText('Your sign-in has expired. Begin again.').waitFor();
  await isAccessible(bobs);
  await screen.button('Try again').press('Enter');
  await bobs.getByText('An account with this address exists.').waitFor();
});

test('a passkey, too, proves the account that is to be linked', async () => {
  const { page: bobs } = await openPage(browser);
  const screen = screenOf(bobs);
  const device = await (await virtualPasskeys(bobs)).add({ hasPrf: false });
  await bobs.goto(origin);
  await typePassword(bobs, screen, bob);
  await bobs.getByRole('heading', { name: 'Groups', exact: true }).waitFor();
  await bobs.goto(`${origin}/account`);
  await screen.button('Add a passkey that signs in').click();
  await screen.box('Name', screen.dialog()).fill('Laptop');
  await bobs.keyboard.press('Enter');
  await bobs.getByRole('dialog').waitFor({ state: 'detached' });
  await bobs.goto(`${origin}/identity/logout`);

  await continueWith(bobs).press('Enter');
  await signInThere(bobs, bob.email.split('@')[0] ?? '');
  await bobs.getByText('An account with this address exists.').waitFor();
  await isAccessible(bobs);
  const lost = await device.lose();
  await screen.button('Sign in with a passkey').press('Enter');
  await bobs.getByText('No passkey was used.').waitFor();
  await lost();
  await screen.button('Sign in with a passkey').and(bobs.locator(':focus')).press('Enter');
  await screen.heading('Link your account?').waitFor();
  await screen.button('Link').press('Enter');
  await bobs.getByRole('heading', { name: 'Groups', exact: true }).waitFor();
  const links = await screen.call<{ provider_id: string }[]>('GET', '/identity/api/sso/links');
  expect(links.map(({ provider_id }) => provider_id)).toEqual(['acme']);
});

test('while local sign-in is off, a password is refused with the way that remains, and an invitation offers none', async () => {
  const path = '/identity/api/invite';
  const invited = { user: { email: 'cleo@example.org' } };
  const { inviteLinkUrl } = await mira.call<{ inviteLinkUrl: string }>('POST', path, invited);
  const { page: cleos } = await openPage(browser);
  const instead = cleos.getByRole('button', { name: 'Choose a password instead' });
  await cleos.goto(inviteLinkUrl);
  await instead.waitFor();
  await change(async (queries) => {
    await queries
      .insertInto('site_settings')
      .values({ name: 'local_sign_in', value: 'off', updated_at: Date.now() })
      .execute();
    await queries
      .updateTable('users')
      .set({ break_glass: 1, factor_state: 'set' })
      .where('email', '=', PERSON.email)
      .execute();
  });
  await cleos.reload();
  await continueWith(cleos).waitFor();
  await cleos.waitForLoadState('networkidle');
  expect(await instead.count()).toBe(0);
  await isAccessible(cleos);
  const { page: bobs } = await openPage(browser);
  const screen = screenOf(bobs);
  await bobs.goto(origin);
  await typePassword(bobs, screen, bob);
  await bobs.getByText('Sign in with Acme.').waitFor();
  await isAccessible(bobs);
  await screen.button('Other ways to sign in').press('Enter');
  await continueWith(bobs).waitFor();
});
