/**
 * A site admin sets up single sign-on by keyboard: tests and switches on a sign-in service, names a break-glass
 * account, and switches account passwords off. An auditor only reads the page.
 */
import { afterAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { startTestProvider, type TestProvider } from '../server/src/identity/sso/testing/test-provider.ts';
import { findings } from './testing/accessibility/accessibility.ts';
import { openPage } from './testing/browser/browser.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { authenticatorOf } from './testing/people/authenticator.ts';
import { acmeAt } from './testing/people/at-provider.ts';
import { addPeople, type Person, signUpAtOnce } from './testing/people/people.ts';
import { PERSON, screenOf, type Screen } from './testing/vault/screen.ts';

const provider: TestProvider = await startTestProvider({ now: Date.now });
const env = acmeAt(provider, { session_hours: 8 });

let browser: Browser;
let origin: string;
let page: Page;
let mira: Screen;
let bob: Person;
let app: ReturnType<typeof authenticatorOf>;

withOnePage(
  async (opened) => {
    ({ browser, page } = opened);
    origin = opened.server.origin;
    page.setDefaultTimeout(15_000);
    mira = screenOf(page);
    await signUpAtOnce(page, origin);
    [bob] = await addPeople(mira, opened.server.dataDir, ['Bob Brandt']);
  },
  { env },
);
afterAll(() => provider.stop());

const region = (name: string, on: Page = page) => on.getByRole('region', { name, exact: true });
const form = (name: string, on: Page = page) => on.getByRole('form', { name, exact: true });
const row = (name: string) => page.getByRole('table', { name: 'Users' }).getByRole('row').filter({ hasText: name });

/** In both themes, on a phone and on a desktop. */
async function isAccessible(on: Page = page) {
  for (const [width, theme] of [
    [390, 'light'],
    [1440, 'dark'],
  ] as const) {
    await on.setViewportSize({ width, height: 900 });
    await on.evaluate((name) => (document.documentElement.dataset['theme'] = name), theme);
    expect([width, theme, await findings(on)]).toEqual([width, theme, []]);
  }
}

const open = async (path: string, heading: string) => {
  await page.goto(`${origin}/admin/${path}`);
  await mira.heading(heading).waitFor();
};

/** Mira signs in at the service, which has just asked her for a password; then this browser comes back. */
async function comeBack(purpose: 'login' | 'link') {
  provider.claims = { sub: 'mira', auth_time: Math.floor(Date.now() / 1000) };
  const { url } = await mira.call<{ url: string }>('POST', '/identity/api/sso/acme/begin', { purpose });
  const query = provider.signIn(url);
  return mira.call<{ ticket: string }>('POST', '/identity/api/sso/callback', { query });
}

test('a sign-in service is tested and switched on by keyboard; what the environment sets is fixed', async () => {
  await page.goto(`${origin}/admin`);
  await page.getByRole('navigation', { name: 'Admin Panel' }).getByRole('link', { name: 'Single sign-on' }).focus();
  await page.keyboard.press('Enter');
  const acme = form('Acme');
  await acme.getByText('0 accounts are linked · 0 sessions began there').waitFor();
  expect(await acme.getByLabel('Longest session (hours)').getAttribute('readonly')).not.toBeNull();
  await acme.getByText('Set in the environment of the server.').waitFor();
  provider.discovery = { id_token_signing_alg_values_supported: ['ES256'] };
  await mira.button('Test Acme').press('Enter');
  await acme.getByText('The provider does not sign with RS256.').waitFor();
  await isAccessible();
  provider.discovery = {};
  await mira.button('Test Acme').press('Enter');
  await acme.getByText('Acme answers, and nothing is missing.').waitFor();

  await acme.getByRole('switch', { name: 'People may sign in with it' }).press(' ');
  await acme.getByRole('checkbox', { name: 'New people get an account at their first sign-in' }).press(' ');
  await acme.getByRole('button', { name: 'Save' }).press('Enter');
  await acme.getByText('Say which domains or groups may have accounts.').waitFor();
  await acme.getByLabel('Domains of new accounts').fill('example.org\nexample.com');
  await acme.getByRole('button', { name: 'Save' }).press('Enter');
  await acme.getByText('On', { exact: true }).waitFor();
  expect(await mira.call('GET', '/system/api/setting/providers')).toMatchObject([
    { enabled: true, create_accounts: true, allowed_domains: ['example.org', 'example.com'], session_hours: 8 },
  ]);
});

test('“Off” says what it needs; the site admin becomes a break-glass account', async () => {
  const local = form('Account passwords and passkeys');
  await local.getByLabel('Sign-in beside the sign-in services').selectOption('Off');
  await local.getByText('2 of 2 accounts are not linked and cannot sign in.').waitFor();
  await local.getByText('You are not signed in with a sign-in service.').waitFor();
  await local.getByText('There is no break-glass account.').waitFor();
  expect(await local.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  await isAccessible();

  const made = await mira.call<{ totp_id: string; secret: string }>('POST', '/identity/api/factors/totp', {});
  app = authenticatorOf(made.secret);
  await mira.call('POST', `/identity/api/factors/totp/${made.totp_id}/confirm`, { code: app.code() });
  const { ticket } = await comeBack('link');
  await mira.call('POST', '/identity/api/sso/links', { ticket });
  await open('user_control/', 'Users');
  await mira.button(`More for ${PERSON.name}`).press('Enter');
  await page.getByRole('menuitem', { name: 'Make break-glass account' }).press('Enter');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Make break-glass account' }).press('Enter');
  await row(PERSON.name).getByText('Break-glass', { exact: true }).waitFor();
  await row(PERSON.name).getByText('Signs in with Acme').waitFor();
  await page.getByLabel('Show').selectOption('Without a second factor');
  await row(PERSON.name).waitFor({ state: 'detached' });
  await row(bob.name).waitFor();
  await isAccessible();
});

test('an admin who signed in at the service switches account passwords off, and types how many are locked out', async () => {
  await page.goto(`${origin}/identity/logout`);
  await mira.heading('Log in').waitFor();
  const refused: unknown = await comeBack('login').catch((failure: unknown) => failure);
  const ticket = /"ticket":"([^"]+)"/.exec(String(refused))?.[1];
  await mira.call('POST', '/identity/api/login/factor', { ticket, method: 'totp', code: app.code() });
  await open('providers/', 'Single sign-on');
  await region('Break-glass accounts').getByText('Ready').waitFor();
  const local = form('Account passwords and passkeys');
  await local.getByLabel('Sign-in beside the sign-in services').selectOption('Off');
  await local.getByText('1 of 2 accounts is not linked and cannot sign in.').waitFor();
  expect(await local.getByRole('link', { name: 'Show these accounts' }).getAttribute('href')).toContain(
    'only=unlinked',
  );
  await local.getByRole('button', { name: 'Save' }).press('Enter');
  const question = page.getByRole('alertdialog', { name: 'Switch account passwords and passkeys off?' });
  const confirm = question.getByRole('button', { name: 'Switch off' });
  expect(await confirm.isDisabled()).toBe(true);
  await isAccessible();
  await question.getByLabel('Type 1 to confirm').fill('1');
  await confirm.press('Enter');
  await question.waitFor({ state: 'detached' });
  expect(await mira.call('GET', '/system/api/setting/signIn')).toMatchObject({ local_sign_in: 'off' });
  await mira.button(`End the break-glass account ${PERSON.name}`).press('Enter');
  const ending = page.getByRole('alertdialog');
  await ending.getByRole('button', { name: 'End break-glass account' }).press('Enter');
  await ending.getByText('The last break-glass account stays while local sign-in is off').waitFor();
  await page.keyboard.press('Escape');
  await local.getByLabel('Sign-in beside the sign-in services').selectOption('Allowed');
  await local.getByRole('button', { name: 'Save' }).press('Enter');
  await local.getByText('Everyone can choose how to sign in.').waitFor();
});

test('a site admin ends a link, and an auditor reads the page and changes nothing', async () => {
  const { data } = await mira.call<{ data: { user_id: string }[] }>(
    'GET',
    '/identity/api/users/search?only=break_glass',
  );
  const miraId = data[0]?.user_id ?? '';
  await open(`user_control/update/${miraId}`, 'Edit user');
  await mira.button('End the link to Acme').press('Enter');
  await page.getByRole('alertdialog').getByText(`Sessions of ${PERSON.name} that began there end.`).waitFor();
  await isAccessible();
  await page.keyboard.press('Escape');

  await mira.call('PUT', `/identity/api/user/${bob.userId}/auditor`, { is_auditor: true });
  const { page: bobs } = await openPage(browser);
  await bobs.goto(`${origin}/identity/login`);
  const screen = screenOf(bobs);
  await screen.button('Sign in with a password').press('Enter');
  await screen.box('Email').fill(bob.email);
  await screen.box('Password').fill(bob.password);
  await bobs.keyboard.press('Enter');
  await bobs.getByRole('heading', { name: 'Groups', exact: true }).waitFor();
  await bobs.goto(`${origin}/admin/providers/`);
  await form('Acme', bobs).getByText('1 account is linked').waitFor();
  await region('Break-glass accounts', bobs).getByText('Ready').waitFor();
  expect(await bobs.getByRole('button', { name: /Save|Test|End/ }).count()).toBe(0);
  expect(await bobs.getByRole('switch').isDisabled()).toBe(true);
  await isAccessible(bobs);
});
