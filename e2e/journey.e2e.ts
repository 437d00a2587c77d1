/**
 * The basic journey: sign up, import an export of KeePassXC, find an entry, reveal, copy, one-time code; then
 * the server is killed and restarted. A proxy records every byte that the browser sends: no master password,
 * key or plain value in any encoding. `fixtures/keepassxc-export.xml` was written by `keepassxc-cli export -f
 * xml`.
 */
import { readFileSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { keysOf } from '../server/src/testing/account-keys.ts';
import { closePages, openPage, sharedBrowser, type WatchedPage } from './testing/browser/browser.ts';
import { pastedText } from './testing/browser/clipboard.ts';
import { KNOWN } from './testing/vault/keepass-file.ts';
import { findLeaks } from '../server/src/testing/leaks.ts';
import { startRecordingProxy, type RecordingProxy } from './testing/server/recording-proxy.ts';
import { PERSON, screenOf, type Screen } from './testing/vault/screen.ts';
import { freePort, startServer, type RunningServer } from './testing/server/server.ts';

const EXPORT = readFileSync(new URL('./fixtures/keepassxc-export.xml', import.meta.url));
const ATTACHMENT = readFileSync(new URL('./fixtures/keepassxc-attachment.bin', import.meta.url));
const TOTP_SECRET = 'JBSWY3DPEHPK3PXP';

let server: RunningServer;
let proxy: RecordingProxy;
let browser: Browser;
let watched: WatchedPage;
let page: Page;
let screen: Screen;

beforeAll(async () => {
  const port = await freePort();
  server = await startServer({ publicUrl: `http://localhost:${port}` });
  proxy = await startRecordingProxy(port, () => server.port);
  browser = await sharedBrowser();
  watched = await openPage(browser, { motion: 'no-preference' });
  page = watched.page;
  page.setDefaultTimeout(15_000);
  screen = screenOf(page);
});
afterAll(async () => {
  await closePages(browser);
  await proxy.close();
  await server.stop();
});
afterEach(() => {
  expect(watched.complaints()).toEqual([]);
});

const row = (title: string) =>
  page
    .getByRole('row')
    .filter({ has: page.getByText(title, { exact: true }) })
    .last();

async function openLedger() {
  const search = page.getByRole('combobox', { name: 'Search entries' });
  await search.fill('grossere datenbanken ledger');
  await search.press('Enter');
  await page.getByRole('heading', { name: /^Search results for:/ }).waitFor();
  const group = page
    .getByRole('button', { name: KNOWN.group })
    .or(page.getByRole('link', { name: KNOWN.group }))
    .first();
  await group.click();
  await screen.heading(KNOWN.group).waitFor();
  await screen.entry(KNOWN.entry).first().click();
  // The list shows logins, too.
  const fields = page.getByRole('table', { name: `Fields of ${KNOWN.entry}` });
  await fields.getByText(KNOWN.login).or(fields.getByText('second_of_the_name')).first().waitFor();
  // Two entries have the same title; the known one has the link.
  if ((await fields.getByText(KNOWN.login, { exact: true }).count()) === 0) {
    await screen.entry(KNOWN.entry).first().click();
    await screen.entry(KNOWN.entry).nth(1).click();
  }
  await fields.getByText(KNOWN.login, { exact: true }).waitFor();
}

async function revealLedger() {
  await screen.button('Show', row('Password')).first().click();
  const asked = screen.box('Master password', page.getByRole('dialog'));
  await row('Password').getByText(KNOWN.password).or(asked).first().waitFor();
  if ((await asked.count()) > 0) await screen.remember();
  await expect.poll(() => row('Password').innerText()).toContain(KNOWN.password);
}

test('a user signs up', async () => {
  await screen.signUp(proxy.origin);
  await screen.heading('Select an Entry Group').waitFor();
});

test('an export of KeePassXC is imported', async () => {
  await screen.button('import data').click();
  await page.locator('input[type=file]').setInputFiles({ name: 'vault.xml', mimeType: 'text/xml', buffer: EXPORT });
  await screen.box('Master password', screen.dialog()).fill(PERSON.masterPassword);
  await screen.button('Continue', screen.dialog()).click();
  await screen
    .dialog()
    .getByRole('button', { name: /^Import \d+ entr/ })
    .click();
  await screen.dialog().getByRole('heading', { name: 'Import finished' }).waitFor();
  const summary = await screen.dialog().innerText();
  expect(summary).toMatch(/22 entries/);
  expect(summary).toMatch(/recycle bin/i);
  await screen.button('Open the tree', screen.dialog()).click();
  await screen.heading('keepass').waitFor();
});

test('an entry is found, its value shown and copied', async () => {
  await openLedger();
  await revealLedger();
  await screen.button('Copy password', row('Password')).click();
  await expect.poll(() => pastedText(page)).toBe(KNOWN.password);
  await screen.button('Show', row('URL')).click();
  expect(await row('URL').getByRole('link').getAttribute('href')).toBe(KNOWN.url);
});

test('the one-time code counts down', async () => {
  const code = row('One-time password');
  await screen.button('Show code', code).click();
  await expect.poll(() => code.innerText()).toMatch(/\d{3}\s*\d{3}/);
  const seconds = async () => Number(/(\d+) s/.exec(await code.innerText())?.[1] ?? Number.NaN);
  const first = await seconds();
  await expect.poll(seconds, { timeout: 5000 }).not.toBe(first);
});

test('an attachment is downloaded with its original bytes', async () => {
  const search = page.getByRole('combobox', { name: 'Search entries' });
  await search.fill('license.bin');
  await search.press('Enter');
  await screen.heading('Search results for: "license.bin"').waitFor();
  const found = page.getByRole('main').getByText('license.bin').first();
  await found.waitFor();
  const downloading = page.waitForEvent('download');
  await screen.button('Download file').first().click();
  expect(readFileSync(await (await downloading).path())).toEqual(ATTACHMENT);
});

test('a killed and restarted server has all data', async () => {
  await server.kill();
  await server.restart();
  await page.goto(proxy.origin);
  // The session is in the database, so it survives; the keys in memory are gone.
  await screen.treeRow('keepass, Admin').waitFor();
  await page.getByRole('button', { name: 'Master Pasword not entered' }).waitFor();
  await openLedger();
  await revealLedger();
});

test('no request contains the master password, a key or a plain value (M24)', async () => {
  const recorded = proxy.requests();
  expect(recorded.length).toBeGreaterThan(20);
  expect(recorded.some(({ url }) => url.endsWith('/import'))).toBe(true);
  const text = (value: string) => new TextEncoder().encode(value);
  const secrets = {
    'master password': text(PERSON.masterPassword),
    'a password': text(KNOWN.password),
    'a link': text(KNOWN.url),
    'a note': text(KNOWN.notes),
    'a TOTP secret': text(TOTP_SECRET),
    'an attachment': new Uint8Array(ATTACHMENT),
    ...(await keysOf({ get: (path) => screen.call('GET', path), masterPassword: PERSON.masterPassword })),
  };
  const sent = { requests: Buffer.concat(recorded.map(({ bytes }) => bytes)) };
  expect(findLeaks(secrets, sent)).toEqual([]);
  // The search works: the account password is sent at sign-up.
  expect(findLeaks({ 'account password': text(PERSON.password) }, sent)).toHaveLength(1);
});

test('the disk and the log of the server contain no secret', async () => {
  const files = await readdir(server.dataDir, { recursive: true, withFileTypes: true });
  const places: Record<string, Buffer> = { log: Buffer.from(server.output()) };
  for (const file of files.filter((one) => one.isFile())) {
    places[file.name] = await readFile(join(file.parentPath, file.name));
  }
  const text = (value: string) => new TextEncoder().encode(value);
  const secrets = {
    'master password': text(PERSON.masterPassword),
    'account password': text(PERSON.password),
    'a password': text(KNOWN.password),
    'a note': text(KNOWN.notes),
    'a TOTP secret': text(TOTP_SECRET),
    'an attachment': new Uint8Array(ATTACHMENT),
  };
  expect(findLeaks(secrets, places)).toEqual([]);
});

test('the browser storage contains no secret, and its member lists are sealed', async () => {
  const kept = await page.evaluate(async () => {
    const answerOf = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error('IndexedDB'));
      });
    const databases: Record<string, unknown[]> = {};
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await answerOf(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const rows = database.transaction(store).objectStore(store);
        databases[`${name}/${store}`] = await answerOf(rows.getAll());
      }
      database.close();
    }
    return {
      local: JSON.stringify(localStorage),
      session: JSON.stringify(sessionStorage),
      databases,
      caches: await caches.keys(),
      url: location.href,
    };
  });
  const stores = ['pins', 'records', 'rosters'].map((store) => `passwordbroker-trust/${store}`);
  expect(Object.keys(kept.databases)).toEqual(stores);
  expect(kept.databases['passwordbroker-trust/records']).not.toEqual([]);
  expect(kept.caches).toEqual([]);
  const everything = Buffer.from(JSON.stringify(kept));
  const text = (value: string) => new TextEncoder().encode(value);
  const secrets = {
    password: text(KNOWN.password),
    'master password': text(PERSON.masterPassword),
    login: text(KNOWN.login),
    group: text(KNOWN.group),
  };
  expect(findLeaks(secrets, { everything })).toEqual([]);
});

test('a user logs out, and logs in again after a wrong password', async () => {
  await page.getByRole('link', { name: 'Logout' }).click();
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
  await screen.box('Email').fill(PERSON.email);
  await screen.box('Password').fill('not it');
  await screen.button('Log in').click();
  await page.getByText('Invalid email or password').waitFor();
  await screen.box('Password').fill(PERSON.password);
  await screen.button('Log in').click();
  await screen.treeRow('keepass, Admin').waitFor();
});
