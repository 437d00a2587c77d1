/** Offers to save in the real extension: allowed for a site, made after a sign-in there, taken, declined, forgotten and ended. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { closePages, openPage, sharedBrowser } from './testing/browser/browser.ts';
import { type ExtensionBrowser, startExtensionBrowser } from './testing/extension/extension.ts';
import { popupOf } from './testing/extension/in-popup.ts';
import { signUpAtOnce } from './testing/people/people.ts';
import { type RunningServer, startServer } from './testing/server/server.ts';
import { fieldsOf } from './testing/vault/fields.ts';

const PASSWORD = 'canary-4c1d staple';
const FORM =
  '<title>Shop</title><form method=get action="/in"><h1>Log in</h1><label>User<input id=u name=user autocomplete=username></label><label>Password<input id=p type=password autocomplete=current-password></label><button>Log in</button></form>';
const OFFER = /^Save the sign-in you just used on 127\.0\.0\.1:\d+\?$/;

let server: RunningServer;
let extension: ExtensionBrowser;
let at: ReturnType<typeof fieldsOf>;
let shop: Page;
let address: string;
let popup: Page;
let inPopup: ReturnType<typeof popupOf>;

beforeAll(async () => {
  server = await startServer();
  const { page } = await openPage(await sharedBrowser());
  at = fieldsOf(page);
  await signUpAtOnce(page, server.origin);
  await at.addTree('Production');
  extension = await startExtensionBrowser({ hosts: ['https://*/*'] });
  address = extension.serve('127.0.0.1', FORM);
  extension.serve('127.0.0.1', '<title>Welcome</title><p>Welcome', '/in');
  shop = await extension.open(address);
  await openPopup();
  await inPopup.pair(server.origin);
  await inPopup.signIn();
  await inPopup.unlock();
  await inPopup.compareWords();
});
afterAll(async () => {
  await extension?.close();
  await closePages(await sharedBrowser());
  await server?.stop();
});

async function openPopup(): Promise<void> {
  await popup?.close();
  popup = await extension.popup(shop);
  popup.setDefaultTimeout(30_000);
  inPopup = popupOf(popup);
}

/** Signs in on the page as a person does. */
async function signIn(userName: string, at = address): Promise<void> {
  await shop.goto(at);
  await shop.locator('#u').click();
  await shop.keyboard.type(userName);
  await shop.locator('#p').click();
  await shop.keyboard.type(PASSWORD);
  await shop.keyboard.press('Enter');
  await shop.getByText('Welcome').waitFor();
}

/** The mark on the extension's button. */
const mark = async () =>
  (await extension.worker()).evaluate(() => {
    const { chrome } = globalThis as unknown as { chrome: { action: { getBadgeText(of: object): Promise<string> } } };
    return chrome.action.getBadgeText({});
  });

test('nothing is noticed on a site where it was not allowed', async () => {
  await signIn('nina');
  await openPopup();
  await inPopup.field('Search').waitFor();
  expect(await popup.getByText(OFFER).count()).toBe(0);
  expect(await mark()).toBe('');
});

test('after it was allowed, a sign-in is offered, and saved as an entry', async () => {
  await inPopup.press('Offer to save on this site');
  await popup.getByText(/are offered to be saved/).waitFor();
  await signIn('nina');
  await expect.poll(mark).toBe('1');
  await openPopup();
  await popup.getByText(OFFER).waitFor();
  await inPopup.press('Save');
  await expect.poll(() => inPopup.field('User name').inputValue()).toBe('nina');
  expect(await inPopup.field('Password').inputValue()).toBe(PASSWORD);
  await inPopup.field('Title').fill('Corner shop');
  await inPopup.press('Save');
  await popup.getByText('Corner shop is saved.').waitFor();
  await expect.poll(mark).toBe('');
  interface Found {
    readonly data: readonly { readonly title: string; readonly passwords: readonly { readonly login: string }[] }[];
  }
  const { data } = await at.call<Found>('GET', '/passwordBroker/api/entrySearch?q=corner');
  expect(data).toMatchObject([{ title: 'Corner shop', passwords: [{ login: 'nina' }] }]);
});

test('not now ends one offer, and a lock forgets it', async () => {
  await signIn('mira');
  await openPopup();
  await inPopup.press('Not now');
  await inPopup.field('Search').waitFor();
  await expect.poll(mark).toBe('');
  await openPopup();
  await inPopup.field('Search').waitFor();

  await signIn('vera');
  await expect.poll(mark).toBe('1');
  await lockFromNewPopup();
  await inPopup.unlock();
  await inPopup.field('Search').waitFor();
  expect(await popup.getByText(OFFER).count()).toBe(0);
});

/** While an offer is shown, the lock is a command away: the popup behind it has no button for it. */
async function lockFromNewPopup(): Promise<void> {
  await openPopup();
  await popup.getByText(OFFER).waitFor();
  await popup.evaluate(async () => {
    const { chrome } = globalThis as unknown as { chrome: { runtime: { connect(of: object): Port } } };
    interface Port {
      readonly onMessage: { addListener(heard: (message: unknown) => void): void };
      postMessage(message: unknown): void;
    }
    const port = chrome.runtime.connect({ name: 'keeper' });
    await new Promise<void>((resolve) => {
      port.onMessage.addListener((message) => {
        if (message === 'listening') port.postMessage({ id: 1, name: 'lock' });
        else resolve();
      });
    });
  });
  await openPopup();
}

test('never ends it for the site', async () => {
  await signIn('zoe');
  await openPopup();
  await popup.getByText(OFFER).waitFor();
  await popup.getByRole('button', { name: /^Never on 127/ }).click();
  await inPopup.field('Search').waitFor();
  await signIn('zoe');
  await openPopup();
  await inPopup.field('Search').waitFor();
  expect(await popup.getByText(OFFER).count()).toBe(0);
  await popup.getByRole('button', { name: 'Offer to save on this site', exact: true }).waitFor();
});

test('on all sites: each is watched but the server’s and those that were left out', async () => {
  for (const site of ['https://market.test', 'https://bazaar.test'])
    await extension.context.route(`${site}/**`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: new URL(route.request().url()).pathname === '/in' ? '<title>Welcome</title><p>Welcome' : FORM,
      }),
    );
  await signIn('kim', 'https://market.test/');
  expect(await mark()).toBe('');
  const options = await extension.open(`chrome-extension://${extension.id}/options.html`);
  await options.getByLabel('Offer to save on all sites').click();
  await expect.poll(() => options.getByLabel('Offer to save on all sites').isChecked()).toBe(true);
  await options.close();

  await signIn('kim', 'https://market.test/');
  await expect.poll(mark).toBe('1');
  await openPopup();
  await inPopup.press('Never on market.test');
  await inPopup.field('Search').waitFor();
  await signIn('kim', 'https://market.test/');
  await signIn('lea', 'https://bazaar.test/');
  await expect.poll(mark).toBe('1');
  await openPopup();
  await popup.getByText('Save the sign-in you just used on bazaar.test?').waitFor();
  await inPopup.press('Not now');
  await inPopup.press('Stop offering to save here');
  await popup.getByRole('button', { name: 'Offer to save on this site', exact: true }).waitFor();
  const watched = await (
    await extension.worker()
  ).evaluate(() => {
    interface Script {
      readonly id: string;
      readonly excludeMatches?: readonly string[];
    }
    const { chrome } = globalThis as unknown as {
      chrome: { scripting: { getRegisteredContentScripts(): Promise<readonly Script[]> } };
    };
    return chrome.scripting
      .getRegisteredContentScripts()
      .then((all) => all.map(({ id, excludeMatches = [] }) => [id, ...excludeMatches.toSorted()]));
  });
  expect(watched).toEqual([['https://*/*', `http://localhost/*`, 'https://bazaar.test/*', 'https://market.test/*']]);
});
