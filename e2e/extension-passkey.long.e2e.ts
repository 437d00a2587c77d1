/** Unlocking the extension with a passkey of the server's host; the secret of the passkey goes nowhere. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { findLeaks } from '../server/src/testing/leaks.ts';
import { findings } from './testing/accessibility/accessibility.ts';
import { storageOf } from './testing/browser/browser-storage.ts';
import {
  type VirtualAuthenticator,
  type VirtualPasskeys,
  virtualPasskeys,
} from './testing/browser/virtual-passkeys.ts';
import { type ExtensionBrowser, startExtensionBrowser } from './testing/extension/extension.ts';
import { popupOf } from './testing/extension/in-popup.ts';
import { signUpAtOnce } from './testing/people/people.ts';
import { type RecordingProxy, startRecordingProxy } from './testing/server/recording-proxy.ts';
import { freePort, type RunningServer, startServer } from './testing/server/server.ts';
import { PERSON, screenOf } from './testing/vault/screen.ts';

let server: RunningServer;
let proxy: RecordingProxy;
let extension: ExtensionBrowser;
/** The tab that the authenticator belongs to. */
let tab: Page;
let passkeys: VirtualPasskeys;
let device: VirtualAuthenticator;
/** Of all authenticators. */
const outputs: Buffer[] = [];
let popup: Page;
let inPopup: ReturnType<typeof popupOf>;

const unlockAddress = () => `chrome-extension://${extension.id}/unlock.html`;

async function newTab() {
  tab = await extension.context.newPage();
  tab.setDefaultTimeout(30_000);
  passkeys = await virtualPasskeys(tab);
  device = await passkeys.add({ hasPrf: true });
}

async function openPopup() {
  popup = await extension.popup(tab);
  popup.setDefaultTimeout(60_000);
  inPopup = popupOf(popup);
}

beforeAll(async () => {
  const port = await freePort();
  server = await startServer({ publicUrl: `http://localhost:${port}` });
  proxy = await startRecordingProxy(port, () => server.port);
  extension = await startExtensionBrowser();
  await newTab();
  await signUpAtOnce(tab, proxy.origin);
  await openPopup();
  await inPopup.pair(proxy.origin);
  await inPopup.signIn();
  await inPopup.field('Master password').waitFor();
});
afterAll(async () => {
  await extension?.close();
  await proxy?.close();
  await server?.stop();
});

test('without a passkey the popup offers none, and the page for it says so', async () => {
  await expect.poll(() => proxy.requests().filter(({ url }) => url.endsWith('/keyBundle')).length).toBeGreaterThan(0);
  expect(await popup.getByRole('button', { name: 'Use a passkey' }).count()).toBe(0);
  await tab.goto(unlockAddress());
  await tab.getByText('No passkey opens your vault on localhost.').waitFor();
  expect(await findings(tab)).toEqual([]);
});

test('the popup opens a tab of the extension for the passkey, and closes', async () => {
  const screen = screenOf(tab);
  await tab.goto(`${proxy.origin}/account`);
  await screen.button('Add a passkey that opens the vault').click();
  await screen.box('Name', screen.dialog()).fill('Laptop');
  await screen.box('Master password', screen.dialog()).fill(PERSON.masterPassword);
  await tab.keyboard.press('Enter');
  await tab.getByText('Opens the vault', { exact: true }).waitFor();

  await popup.reload();
  await popup.getByRole('button', { name: 'Use a passkey' }).waitFor();
  expect(await findings(popup)).toEqual([]);
  const [opened] = await Promise.all([
    extension.context.waitForEvent('page'),
    popup.waitForEvent('close'),
    inPopup.press('Use a passkey'),
  ]);
  expect(opened.url()).toBe(unlockAddress());
  await opened.getByRole('button', { name: 'Waiting for your passkey' }).waitFor();
  expect(await findings(opened)).toEqual([]);
  await opened.close();
});

test('it opens the vault, the words are compared once, and the page closes', async () => {
  await tab.goto(unlockAddress());
  await tab.getByRole('heading', { name: /^Compare these eight words/ }).waitFor();
  expect(await findings(tab)).toEqual([]);
  const [old, seen] = [{ tab, device }, passkeys.outputs()];
  await newTab();
  await old.device.copyTo(device);
  outputs.push(...seen);
  const closed = old.tab.waitForEvent('close');
  await old.tab.getByRole('button', { name: 'They are the same' }).click();
  await closed;
  await openPopup();
  await inPopup.field('Search').waitFor();
  await inPopup.press('Lock');
});

test('a passkey without its secret, with another one, or that is not here opens nothing', async () => {
  const again = () => tab.getByRole('button', { name: 'Use a passkey' }).click();
  await tab.goto(unlockAddress());
  await tab.getByText('This browser cannot open the vault with that passkey.').waitFor();
  await tab.evaluate(() => {
    const { credentials } = navigator;
    const original = credentials.get.bind(credentials);
    credentials.get = async (options) => {
      const credential = await original(options);
      const results = { prf: { results: { first: new Uint8Array(32).fill(7).buffer } } };
      return Object.defineProperty(credential as PublicKeyCredential, 'getClientExtensionResults', {
        value: () => results,
      });
    };
  });
  await again();
  await tab.getByText('The passkey gave another answer than when it was added.').waitFor();
  await device.clear();
  await again();
  await tab.getByText('No passkey was used.').waitFor();
  expect(await findings(tab)).toEqual([]);
  await popup.reload();
  await inPopup.field('Master password').waitFor();
  await inPopup.press('Log out');
  await inPopup.field('E-mail').waitFor();
  await again();
  await tab.getByText('You are not signed in.').waitFor();
});

test('its secret is in no request, storage, database or log', async () => {
  outputs.push(...passkeys.outputs());
  expect(outputs.length).toBeGreaterThan(2);
  const page = await extension.open(`chrome-extension://${extension.id}/options.html`);
  const { kept, client } = await storageOf(page);
  const requests = Buffer.concat(proxy.requests().map(({ bytes }) => bytes));
  const database = readFileSync(join(server.dataDir, 'passwordbroker.sqlite'));
  const places = { requests, kept, client, database, log: Buffer.from(server.output()) };
  expect(findLeaks(Object.fromEntries(outputs.map((output, at) => [`output ${at}`, output])), places)).toEqual([]);
});
