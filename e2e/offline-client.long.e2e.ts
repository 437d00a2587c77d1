/** The client in the service worker: its caches, the policy of the cached page, and new builds (ADR 9). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findings } from './testing/accessibility/accessibility.ts';
import { goOffline, keepCopy, offlineBrowser } from './testing/offline/offline-copy.ts';

const { browser, start, stop } = offlineBrowser();

beforeAll(async () => {
  await start();
  await keepCopy(browser);
});
afterAll(stop);

test('the caches contain no API response and no address of a page', async () => {
  const { page, proxy } = browser;
  const kept = await page.evaluate(async () => {
    const found: string[] = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        found.push(new URL(request.url).pathname);
        const { url } = (await cache.match(request)) ?? { url: '' };
        if (url !== '') found.push(new URL(url).pathname);
      }
    }
    return found;
  });
  expect(kept).toContain('/index.html');
  const known = /^\/(?:assets\/|icons\/|index\.html|theme\.js|manifest\.webmanifest)/;
  expect(kept.filter((path) => !known.test(path))).toEqual([]);
  await browser.server.kill();
  await goOffline(browser, `${proxy.origin}/account`);
  await page.getByRole('heading', { name: 'This page needs the server' }).waitFor();
  await browser.server.restart();
  await page.goto(browser.groupUrl);
  await browser.at.heading('Production').waitFor();
});

/** Policies of the cached page and of the page from the server. */
const policies = () =>
  browser.page.evaluate(async () => {
    const policy = 'content-security-policy';
    const served = (await fetch('/index.html', { cache: 'no-store' })).headers.get(policy);
    const kept = await caches.match('/index.html', { ignoreSearch: true });
    return { served, kept: kept?.headers.get(policy) ?? null };
  });

test('the cached page has the policy of the server, also after a change of the policy', async () => {
  const before = await policies();
  expect(before.served).toContain("default-src 'none'");
  expect(before.kept).toBe(before.served);
  await browser.page.evaluate(async () => {
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      const [key] = await cache.keys('/index.html', { ignoreSearch: true });
      const page = key === undefined ? undefined : await cache.match(key);
      if (key === undefined || page === undefined) continue;
      const headers = new Headers(page.headers);
      headers.set('content-security-policy', "default-src 'self'");
      await cache.put(key, new Response(await page.text(), { headers }));
    }
  });
  expect((await policies()).kept).toBe("default-src 'self'");
  await browser.page.goto(browser.groupUrl);
  await expect.poll(async () => (await policies()).kept).toBe(before.served);
});

/** Names of the caches, one per build. */
const builds = () =>
  browser.page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith('pb-shell-')));
/** Checks for a newer worker and waits until it is active or discarded. */
const renewed = () =>
  browser.page.evaluate(async () => {
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

test('a new build shows a notice while the open page keeps its own; an incomplete build is never cached', async () => {
  const { page, at, proxy } = browser;
  const [own] = await builds();
  const other = (id: string) => (body: unknown) =>
    Buffer.from(
      (body as Buffer)
        .toString()
        .replace(own?.replace('pb-shell-', '') ?? '', id)
        .replace(/entry:"[^"]+"/, `entry:"/assets/index-${id}.js"`)
        // Its page differs, too.
        .replace(/(url:"\/index\.html",revision:"[^"]+"),integrity:"[^"]+"/, '$1'),
    );
  proxy.tell(({ url }, body) => {
    if (url === '/service-worker.js') return other('broken')(body);
    return url.startsWith('/theme.js') ? Buffer.from('document.title = "of another build"') : undefined;
  });
  // The browser also checks by itself, and an earlier check may finish first.
  await expect.poll(renewed).toBe('redundant');
  expect(await builds()).toEqual([own]);
  expect(await page.getByText('A new version is ready.').count()).toBe(0);

  // The cached build is replaced while the server still serves the build of this page: nothing is newer than
  // the page.
  proxy.tell(({ url }, body) => (url === '/service-worker.js' ? other('same')(body) : undefined));
  await expect
    .poll(async () => {
      await renewed();
      return builds();
    })
    .toContain('pb-shell-same');
  await expect.poll(() => proxy.asked().some(({ url }) => url === '/index.html')).toBe(true);
  expect(await page.getByText('A new version is ready.').count()).toBe(0);

  proxy.tell(({ url }, body) => {
    if (url === '/service-worker.js') return other('newer')(body);
    if (url !== '/index.html') return undefined;
    return Buffer.from((body as Buffer).toString().replace(/"\/assets\/index-[^"]+\.js"/g, '"/assets/index-newer.js"'));
  });
  // The former build stays for open pages.
  await expect
    .poll(async () => {
      await renewed();
      return builds();
    })
    .toEqual(['pb-shell-same', 'pb-shell-newer']);
  const notice = page.getByRole('status').filter({ hasText: 'A new version is ready.' });
  await notice.waitFor();
  expect(await findings(page)).toEqual([]);
  // Code that was not loaded yet still comes from the page's own build.
  await page.getByRole('link', { name: 'Admin Panel' }).click();
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  proxy.tell(null);
  await at.button('Reload').click();
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await expect.poll(renewed).toBe('none');
  await notice.waitFor({ state: 'detached' });
});
