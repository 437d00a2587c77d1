/** The whole vault without the server: from a sealed copy, in a client that the service worker keeps (specification §1, §4; M32–M34). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { findings } from './testing/accessibility.ts';
import { browserOptions, remember } from './testing/browser.ts';
import { pastedText } from './testing/clipboard.ts';
import { fieldsOf } from './testing/fields.ts';
import { startLyingProxy, type LyingProxy } from './testing/lying-proxy.ts';
import { PERSON } from './testing/screen.ts';
import { freePort, startServer, type RunningServer } from './testing/server.ts';

const NOT_OFFLINE = 'Not available offline';
const CERTIFICATE = { name: 'ledger.p12', mimeType: 'application/x-pkcs12', buffer: Buffer.alloc(70_000, 7) };

let server: RunningServer;
/** Passes everything on; a new build of the client is told by it. */
let proxy: LyingProxy;
let profile: string;
let context: BrowserContext;
let page: Page;
let at: ReturnType<typeof fieldsOf>;
let groupPath = '';
const complaints: string[] = [];

async function openBrowser() {
  context = await chromium.launchPersistentContext(profile, {
    ...browserOptions(),
    viewport: { width: 1440, height: 900 },
    colorScheme: 'dark',
    permissions: ['clipboard-read', 'clipboard-write'],
    acceptDownloads: true,
  });
  page = context.pages()[0] ?? (await context.newPage());
  onto(page);
}

function onto(next: Page) {
  page = next;
  remember(page);
  page.setDefaultTimeout(20_000);
  page.on('console', (message) => {
    if (/Content.Security.Policy|Trusted ?Type|violates/i.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(`${error.name}: ${error.message}`));
  at = fieldsOf(page);
}

const banner = () => page.getByRole('status').filter({ hasText: 'Database is offline.' });
const panel = () => page.getByRole('dialog', { name: 'Offline database' });
const part = (name: string) => panel().locator(`[data-part=${name}]`);
const offlineLogin = () => page.getByRole('heading', { name: 'Work offline', level: 1 });

async function openPanel() {
  await at.button('Offline database').click();
  await panel().waitFor();
}

/** On the page that is shown while the server is away. */
async function logInOffline(masterPassword: string = PERSON.masterPassword) {
  await offlineLogin().waitFor();
  await at.box('Master password').fill(masterPassword);
  await page.keyboard.press('Enter');
}

/** Until the service worker has the client, and every part of the copy is the server's. */
async function waitUntilKept() {
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    if (active === null || active.state === 'activated') return;
    await new Promise<void>((resolve) => {
      active.addEventListener('statechange', () => {
        if (active.state === 'activated') resolve();
      });
    });
  });
  for (const name of ['key', 'database', 'salt']) await part(name).getByText('synchronized').waitFor();
}

/** By the same person, somewhere else. */
async function makeElsewhere(title: string) {
  const jar = new Map<string, string>();
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(server.origin + path, {
      method,
      headers: {
        'Content-Type': 'application/json',
        Cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        'X-XSRF-TOKEN': decodeURIComponent(jar.get('XSRF-TOKEN') ?? ''),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=');
      jar.set(name, value);
    }
    expect(answer.status).toBeLessThan(300);
  };
  await call('GET', '/sanctum/csrf-cookie');
  await call('POST', '/identity/api/login', { email: PERSON.email, password: PERSON.password });
  const group = groupPath.replace('/entryGroup/', '');
  await call('POST', `/passwordBroker/api/entryGroups/${group}/entries`, { title });
}

beforeAll(async () => {
  const port = await freePort();
  server = await startServer({ publicUrl: `http://localhost:${port}` });
  proxy = await startLyingProxy(port, () => server.port);
  profile = mkdtempSync(join(tmpdir(), 'passwordbroker-profile-'));
  await openBrowser();
  await at.signUp(proxy.origin);
  await at.addTree('Production');
  groupPath = new URL(page.url()).pathname;
  await at.addEntry('Billing ledger');
  await at.addEntry('Mail relay');
  await at.openEntry('Billing ledger');
  const { box, dialog, addField } = at;
  await addField('Password', 'Root account', async () => {
    await box('Login', dialog()).fill('ledger_root');
    await box('Value', dialog()).fill('q8-Rf3 lantern');
  });
  await addField('Link', 'Console', () => box('Value', dialog()).fill('https://console.ledger.internal/primary'));
  await addField('Note', 'Runbook', () => box('Value', dialog()).fill('Pause billing.\nThen promote.'));
  await addField('TOTP', 'Sign-in', () => box('Secret', dialog()).fill('JBSWY3DPEHPK3PXP'));
  await addField('File', 'Certificate', () => dialog().locator('input[type=file]').setInputFiles(CERTIFICATE));
});
afterAll(async () => {
  await context.close();
  await proxy.close();
  await server.stop();
  rmSync(profile, { recursive: true, force: true });
});
afterEach(() => expect(complaints.splice(0)).toEqual([]));

test('the copy is made behind the database icon, which says what it is; without all three parts there is no switch', async () => {
  await openPanel();
  await panel().getByText('The copy is a release of everything in it').waitFor();
  await panel().getByText('is not witnessed by the server').waitFor();
  expect(await findings(page)).toEqual([]);
  // By keyboard: the panel has the focus, its switch is the next stop.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await part('key').waitFor();
  await waitUntilKept();
  await at.notice('Offline DB updated').first().waitFor();
  await panel().getByLabel('Files in the copy').selectOption('Up to 10 MB each');
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await panel().waitFor({ state: 'detached' });
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Offline database');
});

test('switched: the banner tells the age, every request is rejected here, what cannot work says why', async () => {
  await openPanel();
  await at.button('Switch to offline').click();
  await banner().waitFor();
  expect(await banner().innerText()).toMatch(/local copy from \d{4}\.\d\d\.\d\d \d\d:\d\d \(.*old\)/);
  await page.keyboard.press('Escape');
  const asked: string[] = [];
  const listen = (request: { url(): string }) => asked.push(new URL(request.url()).pathname);
  page.on('request', listen);
  await at.openEntry('Billing ledger');
  const disabled = [
    at.button('add new Entry'),
    at.button('add new child Entry Group'),
    at.button('Move entries'),
    at.button('Delete entries'),
    at.button('Add field', page.getByRole('main')),
    page.getByRole('tab', { name: /^History/ }),
    page.getByRole('tab', { name: /^Settings/ }),
    page.getByRole('link', { name: 'Admin Panel' }),
    page.getByRole('link', { name: /Mira Okafor/ }),
    page.getByRole('link', { name: 'Trash' }),
    at.button(`add new tree. ${NOT_OFFLINE}`),
    at.button(`import data. ${NOT_OFFLINE}`),
    at.button(`Edit Root account. ${NOT_OFFLINE}`),
    at.button(`Delete Root account. ${NOT_OFFLINE}`),
    at.button(`History of Root account. ${NOT_OFFLINE}`),
  ];
  for (const control of disabled) {
    await control.waitFor();
    const told = await control.evaluate((element) => {
      const described = document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent ?? '';
      (element as HTMLElement).focus();
      return {
        isOff: element.getAttribute('aria-disabled'),
        why: `${element.getAttribute('aria-label') ?? ''} ${described}`,
        isReached: document.activeElement === element,
      };
    });
    expect([told.isOff, told.isReached]).toEqual(['true', true]);
    expect(told.why).toContain(NOT_OFFLINE);
  }
  // What is disabled is not hidden from a click; it only does nothing.
  await at.button('add new Entry').click({ force: true });
  await at.entry('Mail relay').focus();
  await page.keyboard.press('n');
  expect(await page.getByRole('dialog').count()).toBe(0);
  await at.button('More for Mail relay').click();
  const rename = page.getByRole('menuitem', { name: 'Rename' });
  expect(await rename.getAttribute('aria-disabled')).toBe('true');
  await page.keyboard.press('Escape');
  expect(await findings(page)).toEqual([]);
  page.off('request', listen);
  expect(asked.filter((path) => !path.startsWith('/assets/'))).toEqual([]);
});

test('the server is gone: reload, unlock, each of the five types, a copy, a search; nothing of the API was ever in a cache', async () => {
  await server.kill();
  await page.goto(proxy.origin + groupPath);
  await offlineLogin().waitFor();
  expect(await findings(page)).toEqual([]);
  await logInOffline('a wrong one');
  await page.getByText('MasterPassword is invalid').waitFor();
  await logInOffline();
  await at.heading('Production').waitFor();
  await banner().waitFor();
  await at.openEntry('Billing ledger');
  expect(await at.shownIn('Root account')).toContain('q8-Rf3 lantern');
  await at.button('Show', at.row('Console')).click();
  expect(await at.row('Console').getByRole('link').getAttribute('href')).toBe(
    'https://console.ledger.internal/primary',
  );
  expect(await at.shownIn('Runbook')).toContain('Pause billing.\nThen promote.');
  expect(await at.shownIn('Sign-in', 'Show code', 'Hide code')).toMatch(/\d{3}\s*\d{3}\s+\d+ s/);
  const downloading = page.waitForEvent('download');
  await at.button('Download file', at.row('Certificate')).click();
  expect((await downloading).suggestedFilename()).toBe('ledger.p12');
  await at.button('Copy password', at.row('Root account')).click();
  await at.notice('Value for field "Root account" copied').first().waitFor();
  await expect.poll(() => pastedText(page)).toBe('q8-Rf3 lantern');

  await page.goto(`${proxy.origin}/entrySearch/relay`);
  await logInOffline();
  await page.getByText('Search results for: "relay"').waitFor();
  await page.getByText('Mail relay').first().waitFor();
  expect(await page.getByText('Billing ledger').count()).toBe(0);

  await page.goto(`${proxy.origin}/account`);
  await logInOffline();
  await page.getByRole('heading', { name: 'This page needs the server' }).waitFor();
  const kept = await page.evaluate(async () => {
    const found: string[] = [];
    for (const name of await caches.keys())
      for (const request of await (await caches.open(name)).keys()) found.push(new URL(request.url).pathname);
    return found;
  });
  expect(kept).toContain('/index.html');
  expect(
    kept.filter((path) => !/^\/(?:assets\/|icons\/|index\.html|theme\.js|manifest\.webmanifest)/.test(path)),
  ).toEqual([]);
});

test('two tabs: one lock locks both, what was shown is gone, the next act asks for the master password (M32)', async () => {
  await page.goto(proxy.origin + groupPath);
  await logInOffline();
  await at.openEntry('Billing ledger');
  await at.button('Show', at.row('Root account')).click();
  await at.row('Root account').getByText('q8-Rf3 lantern').waitFor();
  const first = page;
  onto(await context.newPage());
  await page.goto(proxy.origin + groupPath);
  await logInOffline();
  await at.heading('Production').waitFor();
  await at.button('Master password menu').click();
  await page.getByRole('menuitem', { name: 'Lock now' }).click();
  const isLocked = (of: Page) => of.getByRole('heading', { name: 'The local copy is locked' }).waitFor();
  await isLocked(page);
  await isLocked(first);
  expect(await first.content()).not.toContain('q8-Rf3');
  expect(await first.getByRole('table', { name: 'Entries' }).count()).toBe(0);
  expect(first.workers().filter((worker) => /\/worker-/.test(worker.url()))).toEqual([]);
  await page.close();
  onto(first);
  await at.button('Unlock').click();
  await at.remember();
  await at.entry('Billing ledger').first().waitFor();
});

test('the browser is started anew, the clock is an hour ahead, then the server is back with a change made elsewhere (M34)', async () => {
  await context.close();
  await openBrowser();
  await context.addInitScript(() => {
    const Real = Date;
    const ahead = 3_600_000;
    class Ahead extends Real {
      constructor(...given: [] | [number]) {
        if (given.length === 0) super(Real.now() + ahead);
        else super(...given);
      }
      static override now = () => Real.now() + ahead;
    }
    globalThis.Date = Ahead as DateConstructor;
  });
  await page.goto(proxy.origin + groupPath);
  await logInOffline();
  await banner().waitFor();
  expect(await banner().innerText()).toContain('1 hour old');
  await at.openEntry('Billing ledger');
  expect(await at.shownIn('Root account')).toContain('q8-Rf3 lantern');
  await at.button('Switch to online').click();
  await page
    .getByText(/^Cannot establish connection with localhost/)
    .first()
    .waitFor();
  await banner().waitFor();

  await server.restart();
  await makeElsewhere('Made elsewhere');
  await at.button('Switch to online').click();
  await banner().waitFor({ state: 'detached' });
  // The session ended with the browser, so the server asks who it is. The copy stays.
  await at.heading('Log in').waitFor();
  await at.box('Email').fill(PERSON.email);
  await at.box('Password').fill(PERSON.password);
  await page.keyboard.press('Enter');
  await at.entry('Made elsewhere').first().waitFor();
  // What needs the keys is proven by a clock that the server has corrected.
  await at.addTree('Made here');
  await at.treeRow('Production, Admin').click();
  await at.button('Activity log').click();
  await expect
    .poll(() => page.getByText('Offline Database is updated').count(), { timeout: 30_000 })
    .toBeGreaterThanOrEqual(1);
  await at.button('Activity log').click();
  await openPanel();
  await waitUntilKept();
  await at.button('Switch to offline').click();
  await banner().waitFor();
  await page.keyboard.press('Escape');
  await at.entry('Made elsewhere').first().waitFor();
  await at.treeRow('Made here, Admin').waitFor();
  await at.button('Switch to online').click();
  await banner().waitFor({ state: 'detached' });
});

/** What the service worker keeps: one cache a build. */
const builds = () => page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith('pb-shell-')));
/** Asks for a newer worker, and waits until it is at work, or given up. */
const renewed = () =>
  page.evaluate(async () => {
    const registration = await (await navigator.serviceWorker.ready).update();
    const worker = registration.installing ?? registration.waiting;
    if (worker === null) return 'none';
    await new Promise<void>((resolve) => {
      const look = () => {
        if (worker.state === 'activated' || worker.state === 'redundant') resolve();
      };
      worker.addEventListener('statechange', look);
      look();
    });
    return worker.state;
  });

test('a new build: the open page goes on with its own and says so; half a build is never kept', async () => {
  const [own] = await builds();
  const other = (id: string) => (body: unknown) =>
    Buffer.from(
      (body as Buffer)
        .toString()
        .replace(own?.replace('pb-shell-', '') ?? '', id)
        .replace(/entry:"[^"]+"/, `entry:"/assets/index-${id}.js"`)
        // Its page is another one, too.
        .replace(/(url:"\/index\.html",revision:"[^"]+"),integrity:"[^"]+"/, '$1'),
    );
  proxy.tell(({ url }, body) => {
    if (url === '/service-worker.js') return other('broken')(body);
    return url.startsWith('/theme.js') ? Buffer.from('document.title = "of another build"') : undefined;
  });
  expect(await renewed()).toBe('redundant');
  expect(await builds()).toEqual([own]);
  expect(await page.getByText('A new version is ready.').count()).toBe(0);

  // The kept build is replaced while the server still gives this page's: then nothing is newer than the page.
  proxy.tell(({ url }, body) => (url === '/service-worker.js' ? other('same')(body) : undefined));
  expect(await renewed()).toBe('activated');
  await expect.poll(() => proxy.asked().some(({ url }) => url === '/index.html')).toBe(true);
  expect(await page.getByText('A new version is ready.').count()).toBe(0);

  proxy.tell(({ url }, body) => {
    if (url === '/service-worker.js') return other('newer')(body);
    if (url !== '/index.html') return undefined;
    return Buffer.from((body as Buffer).toString().replace(/"\/assets\/index-[^"]+\.js"/, '"/assets/index-newer.js"'));
  });
  expect(await renewed()).toBe('activated');
  const notice = page.getByRole('status').filter({ hasText: 'A new version is ready.' });
  await notice.waitFor();
  // The build before it stays for pages that are still open.
  expect(await builds()).toEqual(['pb-shell-same', 'pb-shell-newer']);
  expect(await findings(page)).toEqual([]);
  // A part of the page that was not loaded yet still comes from its own build.
  await page.getByRole('link', { name: 'Admin Panel' }).click();
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  proxy.tell(null);
  await at.button('Reload').click();
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await expect.poll(renewed).toBe('none');
  await notice.waitFor({ state: 'detached' });
});

/** One byte of every piece of the database part is another one. */
const damageCopy = () =>
  page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(new Error('IndexedDB')));
      });
    const store = (await done(indexedDB.open('passwordbroker-offline')))
      .transaction('pieces', 'readwrite')
      .objectStore('pieces');
    let damaged = 0;
    for (const key of await done(store.getAllKeys())) {
      const piece = (await done(store.get(key))) as { blob: Uint8Array };
      const at = piece.blob.length >> 1;
      piece.blob[at] = (piece.blob[at] ?? 0) ^ 1;
      await done(store.put(piece, key));
      damaged += 1;
    }
    return damaged;
  });

test('a damaged copy opens for nobody, and is downloaded again when the server is there (M33)', async () => {
  expect(await damageCopy()).toBeGreaterThan(0);
  await server.kill();
  await page.goto(proxy.origin + groupPath);
  await logInOffline();
  await page.getByText('The local copy cannot be used').waitFor();
  await offlineLogin().waitFor();
  await server.restart();
  await at.button('Try the server again').click();
  await at.heading('Production').waitFor();
  await openPanel();
  await at.button('Unlock', panel()).click();
  await at.remember();
  await waitUntilKept();
  await at.button('Switch to offline').click();
  await banner().waitFor();
});

test('light, and on a phone: banner, settings behind the menu, and the way in without the server', async () => {
  await page.evaluate(() => localStorage.setItem('theme', 'light'));
  await page.setViewportSize({ width: 390, height: 844 });
  await server.kill();
  await page.goto(proxy.origin + groupPath);
  await offlineLogin().waitFor();
  expect(await findings(page)).toEqual([]);
  await logInOffline();
  await banner().waitFor();
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  expect(await findings(page)).toEqual([]);
  await at.button('Account and more').click();
  expect(await at.button(/^Admin Panel/, at.dialog()).getAttribute('aria-disabled')).toBe('true');
  await at.button('Offline database', at.dialog()).click();
  await at.dialog().getByText('Local copy from').waitFor();
  expect(await findings(page)).toEqual([]);
  await server.restart();
  await at.button('Switch to online', at.dialog()).click();
  await banner().waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('logging out asks whether the copy stays; a site that forbids copies says so', async () => {
  const logOut = async (keep: boolean) => {
    await page.getByRole('link', { name: 'Logout' }).click();
    await page.getByRole('heading', { name: 'Logout', level: 1 }).waitFor();
    await page.getByLabel('Keep the local copy on this device').setChecked(keep);
    await at.button('Logout').click();
    await at.heading('Log in').waitFor();
  };
  const logIn = async () => {
    await at.box('Email').fill(PERSON.email);
    await at.box('Password').fill(PERSON.password);
    await page.keyboard.press('Enter');
    await at.heading('Production').waitFor();
  };
  const copies = () =>
    page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          indexedDB.open('passwordbroker-offline').addEventListener('success', ({ target }) => {
            const count = (target as IDBOpenDBRequest).result.transaction('copies').objectStore('copies').count();
            count.addEventListener('success', () => resolve(count.result));
          });
        }),
    );
  await logOut(true);
  expect(await copies()).toBe(1);
  await page.goto(proxy.origin + groupPath);
  await logIn();
  await logOut(false);
  await expect.poll(copies).toBe(0);

  await page.goto(proxy.origin + groupPath);
  await logIn();
  const site = { offline_allowed: false };
  await at.call('PUT', '/system/api/setting/site', site);
  await openPanel();
  await page.getByRole('switch', { name: 'Enable offline mode' }).click();
  await at.remember();
  await panel().getByText('The administrators of this site do not allow offline copies.').first().waitFor();
  expect(await page.getByRole('switch', { name: 'Enable offline mode' }).getAttribute('aria-disabled')).toBe('true');
  expect(await copies()).toBe(0);
});
