/**
 * `pb login` by a browser: with a security key after the account password, and at the real `oidc-provider`. The page
 * shows what the terminal shows, and its code signs the terminal in.
 */
import { hostname } from 'node:os';
import { afterAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { newPb } from '../cli/src/testing/pb.ts';
import { startRealProvider } from '../server/src/identity/sso/testing/real-provider.ts';
import { virtualPasskeys } from './testing/browser/virtual-passkeys.ts';
import { openPage } from './testing/browser/browser.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { makeSignInsOld } from './testing/people/accounts.ts';
import { acmeAt, continueWith, isAccessible, signInThere } from './testing/people/at-provider.ts';
import { signUpAtOnce } from './testing/people/people.ts';
import { freePort } from './testing/server/server.ts';
import { PERSON, type Screen, screenOf } from './testing/vault/screen.ts';

const provider = await startRealProvider();
const settings = { enabled: true, create_accounts: true, allowed_domains: ['example.org'] };
const pb = newPb();

let origin: string;
let dataDir: string;
let page: Page;
let screen: Screen;
let eves: Page;

withOnePage(
  async (opened) => {
    ({ page } = opened);
    ({ origin, dataDir } = opened.server);
    provider.admit(origin);
    screen = screenOf(page);
    await (await virtualPasskeys(page)).add({ hasPrf: false });
    await signUpAtOnce(page, origin);
    ({ page: eves } = await openPage(opened.browser));
  },
  { port: await freePort(), env: acmeAt(provider, settings) },
);
afterAll(() => {
  pb.remove();
  provider.stop();
});

const dialog = (on: Page) => on.getByRole('dialog', { name: 'A program asks to sign in' });
const codeDialog = (on: Page) => on.getByRole('dialog', { name: 'Type this code into the program' });
const codeOn = (on: Page) => codeDialog(on).locator('[data-secret]').innerText();
const linkIn = (shown: string) => /https?:\S+#program=\S+/.exec(shown)?.[0] ?? '';
const sameIn = (shown: string) => /has to show (\S+)\./.exec(shown)?.[1] ?? '';

test('a security key: the terminal sends the person to a browser, by keyboard there', async () => {
  await page.goto(`${origin}/account#signing-in`);
  await screen.button('Set up: Security key or passkey').press('Enter');
  await screen.box('Name').fill('Blue key');
  await page.keyboard.press('Enter');
  await screen.button('I have put them somewhere safe').press('Enter');

  const typed = await pb.onTerminal(
    ['login', origin, '--email', PERSON.email],
    [
      ['Account password', PERSON.password],
      [
        'Code of the page',
        async (shown) => {
          expect(shown).toContain('This account signs in with a security key');
          await page.goto(linkIn(shown));
          await dialog(page).getByText(sameIn(shown)).waitFor();
          await dialog(page).getByText(`“${hostname()}”`).waitFor();
          await isAccessible(page);
          await makeSignInsOld(dataDir);
          await screen.button('Let it sign in', dialog(page)).press('Enter');
          // The sign-in has to be fresh: password and key.
          const question = page.getByRole('dialog', { name: 'Confirm your password first' });
          await screen.box('Password', question).fill(PERSON.password);
          await page.keyboard.press('Enter');
          await codeDialog(page).waitFor();
          await isAccessible(page);
          return codeOn(page);
        },
      ],
    ],
  );
  expect(typed.out).toContain('To sign in with Acme: pb login --browser');
  expect(typed.out).toContain(`Signed in as ${PERSON.name} at ${origin}`);
  await screen.button('Done', codeDialog(page)).press('Enter');
  expect(page.url()).toBe(`${origin}/account`);
  expect((await pb.run(['status'])).out).toContain(`${PERSON.name} <${PERSON.email}> at ${origin}: locked`);
  expect((await pb.run(['logout'])).code).toBe(0);
});

test('a wrong code is asked for again; an address that is not whole asks nothing', async () => {
  const typed = await pb.onTerminal(
    ['login', origin, '--browser'],
    [
      [
        'Code of the page',
        async (shown) => {
          await page.goto(linkIn(shown));
          await screen.button('Let it sign in', dialog(page)).click();
          await codeDialog(page).waitFor();
          return '0000-0000';
        },
      ],
      ['The code is not right', () => codeOn(page)],
    ],
  );
  expect(typed.out).toContain(`Signed in as ${PERSON.name}`);
  await page.goto(`${origin}/account#program=abc`);
  await dialog(page).getByText('This address is not whole.').waitFor();
  await screen.button('Cancel', dialog(page)).click();
  await pb.run(['logout']);
});

test('at a provider: the address outlives the sign-in', async () => {
  const eve = screenOf(eves);
  await eves.goto(`${origin}/notices`);
  await continueWith(eves).click();
  await signInThere(eves, 'eve');
  for (const name of ['New master password', 'New master password confirmation'])
    await eve.box(name).fill('eve violet quay 77 lantern');
  await eves.keyboard.press('Enter');
  await eve.heading('Notices').waitFor();
  await eves.goto(`${origin}/identity/logout`);

  const typed = await pb.onTerminal(
    ['login', origin, '--browser'],
    [
      [
        'Code of the page',
        async (shown) => {
          await eves.goto(linkIn(shown));
          await continueWith(eves).click();
          await dialog(eves).getByText(sameIn(shown)).waitFor();
          await eve.button('Let it sign in', dialog(eves)).press('Enter');
          await codeDialog(eves).waitFor();
          return codeOn(eves);
        },
      ],
    ],
  );
  expect(typed.out).toContain(`at ${origin}. Unlock the vault`);
  expect((await pb.run(['status'])).out).toContain('eve@example.org');
});
