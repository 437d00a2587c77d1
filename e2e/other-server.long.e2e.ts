/**
 * Bearer mode: the page of one server signs in at another one by a token stored in the browser
 * (docs/spec/decisions.md I2, docs/spec/product.md §4).
 */
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import { browserOptions, watchPolicy } from './testing/browser/browser.ts';
import { PERSON, screenOf, type Screen } from './testing/vault/screen.ts';
import { freePort, startServer, type RunningServer } from './testing/server/server.ts';

let own: RunningServer;
let other: RunningServer;
/** Port of a server that does not allow this page. */
let strangerPort: number;
let profile: string;
let context: BrowserContext;
let page: Page;
let screen: Screen;

beforeAll(async () => {
  const otherPort = await freePort();
  strangerPort = await freePort();
  const known = [otherPort, strangerPort].map((port) => `http://localhost:${port}`);
  own = await startServer({ env: { CONNECT_ORIGINS: known.join(' ') } });
  other = await startServer({ port: otherPort, env: { CORS_ORIGINS: own.origin } });
  profile = mkdtempSync(join(tmpdir(), 'passwordbroker-profile-'));
  context = await chromium.launchPersistentContext(profile, {
    ...browserOptions(),
    viewport: { width: 1440, height: 900 },
  });
  watchPolicy(context);
  page = await context.newPage();
  page.setDefaultTimeout(15_000);
  screen = screenOf(page);
  for (const server of [other, own]) {
    await screen.signUp(server.origin);
    await page.goto(`${server.origin}/identity/logout`);
    await screen.heading('Log in').waitFor();
  }
});
afterAll(async () => {
  await context.close();
  await Promise.all([own.stop(), other.stop()]);
  rmSync(profile, { recursive: true, force: true });
});

async function logInAt(origin: string) {
  await screen.box('Server URL').fill(origin);
  await screen.box('Email').fill(PERSON.email);
  await screen.box('Password').fill(PERSON.password);
  await page.keyboard.press('Enter');
}
const vaultIsOpen = () => screen.heading('Select an Entry Group').waitFor();

test('signing in at another server opens its vault and allows writing', async () => {
  await logInAt(other.origin);
  await vaultIsOpen();
  await screen.button('add new tree').click();
  await screen.box('Title', screen.dialog()).fill('Far away');
  await page.keyboard.press('Enter');
  await screen.remember();
  await screen.heading('Far away').waitFor();
  expect(new URL(page.url()).origin).toBe(own.origin);
  await expect.poll(async () => (await fetch(`${own.origin}/health`)).status).toBe(200);
  await expect.poll(() => other.output()).toContain('/passwordBroker/api/entryGroups');
  expect(own.output()).not.toContain('/passwordBroker/api/entryGroups ');
});

test('a reload finds the token again, and the storage does not contain it in plain text', async () => {
  await page.reload();
  await screen.heading('Far away').waitFor();
  const inPage = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  expect(inPage).not.toContain('pbt_');
  // The browser writes to disk with a delay; the scan below checks what is there by then.
  const written = filesBelow(profile).filter((file) => /IndexedDB|Local Storage/.test(file));
  expect(written.length).toBeGreaterThan(0);
  for (const file of written) expect(readFileSync(file).includes('pbt_'), file).toBe(false);
});

test('an unreachable server shows an error, and Try again continues once it is back', async () => {
  await other.kill();
  await page.reload();
  await screen.heading('The server does not answer').waitFor();
  expect(await page.getByRole('alert').innerText()).toContain(
    `Cannot establish connection with ${new URL(other.origin).host}`,
  );
  expect(await findings(page)).toEqual([]);
  const unanswered = page.waitForEvent('requestfailed');
  await screen.button('Try again').click();
  await unanswered;
  await screen.heading('The server does not answer').waitFor();
  await screen.button('Try again').waitFor();
  await other.restart();
  await screen.button('Try again').click();
  await screen.heading('Far away').waitFor();
});

test('switching to the page’s own server and back needs no password for the other server', async () => {
  await other.kill();
  await page.reload();
  await screen.button('Log in to another server').click();
  await screen.heading('Log in').waitFor();
  await other.restart();
  await logInAt(own.origin);
  await page.getByRole('heading', { name: 'Groups' }).waitFor();
  expect(await page.getByText('Far away').count()).toBe(0);
  await page.goto(`${own.origin}/identity/logout`);
  await screen.heading('Log in').waitFor();
  expect(await findings(page)).toEqual([]);
  await screen.button(`${PERSON.name} at ${new URL(other.origin).host}`).click();
  await page.getByText('Far away').waitFor();
});

test('logging out removes the token from the browser', async () => {
  await page.goto(`${own.origin}/identity/logout`);
  await screen.heading('Log in').waitFor();
  await expect.poll(() => screen.box('Server URL').inputValue()).toBe(other.origin);
  await expect.poll(() => page.getByRole('heading', { name: 'Signed in before' }).count()).toBe(0);
  await page.goto(own.origin);
  await screen.heading('Log in').waitFor();
});

test('after the storage was cleared, signing in at another server works without a reload and persists', async () => {
  const session = await context.newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin: own.origin, storageTypes: 'indexeddb' });
  await session.detach();
  await logInAt(other.origin);
  await page.getByText('Far away').waitFor();
  await page.reload();
  await page.getByText('Far away').waitFor();
  await page.goto(`${own.origin}/identity/logout`);
  await screen.heading('Log in').waitFor();
});

test('the error names a server that is unreachable or does not allow this page', async () => {
  const told = page.getByRole('alert').getByText(`Cannot establish connection with localhost:${strangerPort}`);
  await logInAt(`http://localhost:${strangerPort}`);
  await told.waitFor();
  const stranger = await startServer({ port: strangerPort });
  try {
    await screen.box('Server URL').fill(own.origin);
    await screen.box('Email').fill('');
    await page.keyboard.press('Enter');
    await told.waitFor({ state: 'detached' });
    await logInAt(stranger.origin);
    await told.waitFor();
    await page.getByRole('alert').getByText('does not accept sign-in from here').waitFor();
  } finally {
    await stranger.stop();
  }
});

test('a browser without storage shows an error and does not sign in', async () => {
  const strict = await chromium.launchPersistentContext('', browserOptions());
  try {
    const there = await strict.newPage();
    await there.addInitScript(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      };
    });
    const other = screenOf(there);
    await there.goto(`${own.origin}/identity/login`);
    await other.box('Server URL').fill(`http://localhost:${strangerPort}`);
    await other.box('Email').fill(PERSON.email);
    await other.box('Password').fill(PERSON.password);
    await there.keyboard.press('Enter');
    await there.getByText('unable to get ClientId from storage: The quota has been exceeded.').waitFor();
  } finally {
    await strict.close();
  }
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true);
}
