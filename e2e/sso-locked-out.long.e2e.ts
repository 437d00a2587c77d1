/**
 * Ways back to an opened vault on a site whose local sign-in is off: the provider is away (I104), its client secret is
 * wrong (I105), the provider is removed from the environment (I106).
 */
import { afterAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { startRealProvider } from '../server/src/identity/sso/testing/real-provider.ts';
import { openPage } from './testing/browser/browser.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { acmeAt, continueWith, isAccessible, signInThere } from './testing/people/at-provider.ts';
import { authenticatorOf } from './testing/people/authenticator.ts';
import { addPeople, type Person, signUpAtOnce } from './testing/people/people.ts';
import { freePort, type RunningServer } from './testing/server/server.ts';
import { PERSON, screenOf } from './testing/vault/screen.ts';

const EVE = { email: 'eve@example.org', password: 'eve amber dock 31', masterPassword: 'eve violet quay 77 lantern' };

const provider = await startRealProvider();
const port = await freePort();
const settings = { enabled: true, create_accounts: true, allowed_domains: ['example.org'] };
/** Read at each start of the server. */
let env: Record<string, string> = acmeAt(provider, settings);

let server: RunningServer;
let browser: Browser;
let bob: Person;
let phone: ReturnType<typeof authenticatorOf>;

withOnePage(
  async (opened) => {
    ({ browser, server } = opened);
    provider.admit(server.origin);
    await signUpAtOnce(opened.page, server.origin);
    const mira = screenOf(opened.page);
    [bob] = await addPeople(mira, server.dataDir, ['Bob Brandt']);
    await opened.page.goto(`${server.origin}/account`);
    await mira.button('Link: Acme').click();
    await signInThere(opened.page, 'mira');
    await mira.button('Link').click();
    await opened.page.getByText('linked as').waitFor();
    await opened.page.goto(`${server.origin}/identity/logout`);
    await continueWith(opened.page).click();
    await opened.page.getByRole('heading', { name: 'Groups', exact: true }).waitFor();
    await mira.call('POST', '/identity/api/confirmPassword', { password: PERSON.password });
    const made = await mira.call<{ totp_id: string; secret: string }>('POST', '/identity/api/factors/totp', {});
    phone = authenticatorOf(made.secret);
    await mira.call('POST', `/identity/api/factors/totp/${made.totp_id}/confirm`, { code: phone.code() });
    const { user } = await mira.call<{ user: { user_id: string } }>('GET', '/identity/api/me');
    await mira.call('PUT', `/identity/api/user/${user.user_id}/breakGlass`, { status: true });

    const { page: eves } = await openPage(browser);
    const eve = screenOf(eves);
    await eves.goto(server.origin);
    await continueWith(eves).click();
    await signInThere(eves, 'eve');
    await eve.box('New master password').fill(EVE.masterPassword);
    await eve.box('New master password confirmation').fill(EVE.masterPassword);
    await eves.keyboard.press('Enter');
    await eves.getByRole('dialog').waitFor({ state: 'detached' });
    await mira.call('PUT', '/system/api/setting/signIn', { local_sign_in: 'off', unlinked: 1 });
  },
  {
    port,
    get env() {
      return env;
    },
  },
);
afterAll(() => provider.stop());

async function startAgain(next: Record<string, string>) {
  env = next;
  await server.end();
  await server.restart();
}

async function typePassword(page: Page, { email, password }: { readonly email: string; readonly password: string }) {
  const screen = screenOf(page);
  await page.goto(server.origin);
  const other = screen.button('Sign in with a password');
  await other.or(screen.box('Email')).first().waitFor();
  if ((await other.count()) > 0) await other.press('Enter');
  await screen.box('Email').fill(email);
  await screen.box('Password').fill(password);
  await page.keyboard.press('Enter');
}

async function opensVault(page: Page, masterPassword: string) {
  const screen = screenOf(page);
  await screen.button('Master Pasword not entered').click();
  await screen.remember(masterPassword);
  await screen.button('Master Pasword validated').waitFor();
}

test('I104: the provider is away: the page says so, and a break-glass account signs in and opens the vault', async () => {
  provider.stop();
  // The server knows the addresses of the provider for an hour.
  await startAgain(env);
  const { page } = await openPage(browser);
  const mira = screenOf(page);
  await page.goto(server.origin);
  await continueWith(page).press('Enter');
  await page.getByText('Acme does not answer.').waitFor();
  await isAccessible(page);
  await typePassword(page, PERSON);
  await mira.box('Code').fill(phone.code());
  await page.keyboard.press('Enter');
  await opensVault(page, PERSON.masterPassword);
});

test('I105: a wrong client secret: LOCAL_SIGN_IN lets others in by password again', async () => {
  const again = await startRealProvider();
  afterAll(() => again.stop());
  again.admit(server.origin);
  const wrong = { ...acmeAt(again, settings), OIDC_ACME_CLIENT_SECRET: 'of another client' };
  await startAgain(wrong);
  const { page } = await openPage(browser);
  await page.goto(server.origin);
  await continueWith(page).press('Enter');
  await signInThere(page, 'eve');
  await page.getByText('The sign-in at Acme did not succeed.').waitFor();
  expect(server.output()).toContain('invalid_client');
  await typePassword(page, bob);
  await page.getByText('Sign in with Acme.').waitFor();
  await startAgain({ ...wrong, LOCAL_SIGN_IN: 'allowed' });
  await typePassword(page, bob);
  await opensVault(page, bob.masterPassword);
});

test('I106: the provider is removed: passwords sign in, and an admin gives one to a person who had none', async () => {
  await startAgain({});
  const [{ page: miras }, { page: eves }] = [await openPage(browser), await openPage(browser)];
  const mira = screenOf(miras);
  await typePassword(miras, PERSON);
  await mira.box('Code').fill(phone.code());
  await miras.keyboard.press('Enter');
  await miras.getByRole('heading', { name: 'Groups', exact: true }).waitFor();
  expect(await continueWith(miras).count()).toBe(0);
  const { data } = await mira.call<{ data: { user_id: string }[] }>('GET', '/identity/api/users/search?q=eve');
  const password = { password: EVE.password, password_confirmation: EVE.password };
  await mira.call('PUT', `/identity/api/user/${data[0]?.user_id}`, password);
  await typePassword(eves, EVE);
  await opensVault(eves, EVE.masterPassword);
});
