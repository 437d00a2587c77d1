/** BX1, BX2, BX6, BX11 in the real extension: the command, addresses that look right, a page that attacks, a server that lies. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { popupOf } from './testing/extension/in-popup.ts';
import { beginStory, ENTRY, FORM, LOGIN, PASSWORD, type Story, valuesOf } from './testing/extension/story.ts';
import { type Envelope, flipped } from './testing/lies/lying-ledger.ts';
import { type LyingProxy, startLyingProxy } from './testing/lies/lying-proxy.ts';
import { freePort } from './testing/server/server.ts';

const FILL = `Fill in ${ENTRY}`;

let story: Story;
/** The extension reaches the server through it. */
let proxy: LyingProxy;
let page: Page;
let popup: Page;
let inPopup: ReturnType<typeof popupOf>;
/** Where the entry is kept for. */
let shop: string;

async function visit(address: string) {
  await page?.close();
  page = await story.extension.open(address);
  await openPopup();
}

async function openPopup() {
  await popup?.close();
  await story.extension.grant(page);
  popup = await story.extension.popup(page);
  popup.setDefaultTimeout(30_000);
  inPopup = popupOf(popup);
}

beforeAll(async () => {
  story = await beginStory();
  proxy = await startLyingProxy(await freePort(), () => story.server.port);
  shop = story.extension.serve('shop.localhost', FORM);
  await visit(shop);
  await inPopup.pair(proxy.origin);
  await inPopup.signIn();
  await inPopup.unlock();
  await inPopup.compareWords();
  await inPopup.field('Search').fill('billing');
  await inPopup.press(`Use ${ENTRY} here`);
  const closed = popup.waitForEvent('close');
  await inPopup.press(`Always on ${new URL(shop).host}`);
  await closed;
});
afterAll(async () => {
  await story?.end();
  await proxy?.close();
});

describe('BX1 the command', () => {
  /** As the browser calls the listener: no test can press its keys. */
  async function command() {
    await page.bringToFront();
    const worker = await story.extension.worker();
    await worker.evaluate(async (url) => {
      interface Event {
        dispatch(command: string, tab: unknown): void;
      }
      const { chrome } = globalThis as unknown as {
        chrome: { commands: { onCommand: Event }; tabs: { query(by: object): Promise<{ url?: string }[]> } };
      };
      const tab = (await chrome.tabs.query({})).find((one) => one.url === url);
      chrome.commands.onCommand.dispatch('fill', tab);
    }, page.url());
  }

  test('fills what alone fits the page, on record', async () => {
    await visit(shop);
    await popup.getByRole('button', { name: FILL }).waitFor();
    const before = await story.reveals();
    await command();
    await expect.poll(() => valuesOf(page)).toEqual([LOGIN, PASSWORD]);
    expect([await story.reveals(), await story.opened()]).toEqual([before + 1, 'fill extension']);
  });

  test('reveals and fills nothing where no entry fits', async () => {
    await visit(story.extension.serve('other.localhost', FORM));
    await popup.getByText(/^Nothing is kept for other\.localhost/).waitFor();
    const before = await story.reveals();
    await command();
    await page.waitForTimeout(1_000);
    expect([await valuesOf(page), await story.reveals()]).toEqual([['', ''], before]);
  });
});

describe('BX2 addresses as the browser has them', () => {
  const portOf = () => new URL(shop).port;
  const serve = (host: string) => story.extension.serve(host, FORM);
  const pages: readonly (readonly [string, () => string, RegExp])[] = [
    ['an upper-case host', () => shop.replace('shop', 'SHOP'), new RegExp(FILL)],
    ['user information before the right host', () => shop.replace('//', '//ada:pw@'), new RegExp(FILL)],
    ['a query and a fragment', () => `${shop}?https://x#y`, new RegExp(FILL)],
    [
      'the host as user information',
      () => serve('evil.localhost').replace('//', '//shop.localhost@'),
      /Nothing is kept/,
    ],
    ['a trailing dot', () => serve('shop.localhost.'), /Nothing can be filled on this page/],
    ['another port', () => `http://shop.localhost:${story.server.port}/`, /Same domain, other host/],
    ['a host below', () => serve('login.shop.localhost'), /Same domain, other host|Nothing is kept/],
    ['a host that ends alike', () => serve('myshop.localhost'), /Nothing is kept/],
    ['letters that look alike', () => serve(new URL('http://ѕhop.localhost').hostname), /Nothing is kept/],
    ['data:', () => `data:text/html,${encodeURIComponent(FORM)}`, /Nothing can be filled on this page/],
    ['about:blank', () => 'about:blank', /Nothing can be filled on this page/],
  ];
  test.each(pages)('%s', async (_what, address, expected) => {
    expect(portOf()).not.toBe('');
    await visit(address());
    const main = popup.getByRole('main');
    await expect.poll(() => main.innerHTML()).toMatch(expected);
    if (expected.source !== FILL) expect(await popup.getByRole('button', { name: FILL }).count()).toBe(0);
  });

  test('blob: and about:srcdoc', async () => {
    await visit(shop);
    await page.evaluate((html) => {
      location.href = URL.createObjectURL(new Blob([html], { type: 'text/html' }));
    }, FORM);
    await page.waitForURL(/^blob:/);
    await openPopup();
    await popup.getByText('Nothing can be filled on this page.').waitFor();
    const framed = `<!doctype html><iframe width=400 height=300 srcdoc='${FORM}'></iframe>`;
    await visit(story.extension.serve('shop.localhost', framed, '/framed'));
    await inPopup.press(FILL);
    await popup.getByText('The sign-in form is in a frame').waitFor();
    expect(await page.frames()[1]?.evaluate(() => document.querySelector('input')?.value)).toBe('');
  });
});

test('BX6 a page that defines our names, floods, throws and patches learns nothing before it is filled', async () => {
  const attack = `<script>
    const seen = (window.seen = []);
    window.passwordBrokerPage = { read: () => { seen.push('read'); return {}; }, fill: (order) => seen.push(JSON.stringify(order)) };
    const forged = [{ name: 'fill', input: { tabId: 1 } }, { name: 'saves.captured', input: { userName: 'x', password: 'y' } }, { name: 'secrets' }];
    setInterval(() => { for (let n = 0; n < 200; n += 1) for (const one of forged) window.postMessage(one, '*'); }, 20);
    for (const one of forged) try { chrome.runtime.sendMessage('${'{id}'}', one); seen.push('sent'); } catch { /* No page can. */ }
    const { set, get } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
    Object.defineProperty(HTMLInputElement.prototype, 'value', { get, set(value) { seen.push(value); throw new Error('no'); } });
    for (const name of ['map', 'filter', 'find', 'push', 'join']) { const own = Array.prototype[name]; Array.prototype[name] = function (...given) { if (name !== 'push' && given.some((one) => typeof one === 'string')) own.call(seen, given); return own.apply(this, given); }; }
    const parse = JSON.stringify; JSON.stringify = (...given) => { seen[seen.length] = 'json'; return parse(...given); };
    EventTarget.prototype.dispatchEvent = function () { seen[seen.length] = 'event'; throw new Error('no'); };
    Document.prototype.querySelectorAll = new Proxy(Document.prototype.querySelectorAll, { apply: (...call) => { seen[seen.length] = 'query'; return Reflect.apply(...call); } });
  </script>`;
  const html = `${FORM}${attack.replace('{id}', story.extension.id)}`;
  await visit(story.extension.serve('shop.localhost', html, '/hostile'));
  const before = await story.reveals();
  await popup.getByRole('button', { name: FILL }).waitFor();
  expect(await page.evaluate(() => (globalThis as unknown as { seen: unknown[] }).seen.length)).toBe(0);
  expect(await story.reveals()).toBe(before);
  // Nothing was taken for a sign-in to be saved.
  expect(await popup.getByRole('button', { name: 'Not now' }).count()).toBe(0);
  await inPopup.press(FILL);
  const values = () => page.evaluate(() => Array.from(document.getElementsByTagName('input'), (input) => input.value));
  await expect.poll(values).toEqual([LOGIN, PASSWORD]);
  expect(await story.reveals()).toBe(before + 1);
});

describe('BX11 a server that lies', () => {
  const forge =
    (change: (envelope: Envelope) => object) =>
    ({ url }: { readonly url: string }, body: unknown) => {
      if (!/\/envelope|\/releases$/.test(url)) return undefined;
      const answer = body as Envelope | { readonly releases: readonly Envelope[] };
      return 'releases' in answer
        ? { releases: answer.releases.map((one) => ({ ...one, ...change(one) })) }
        : { ...answer, ...change(answer) };
    };
  const lies: readonly (readonly [string, (envelope: Envelope) => object])[] = [
    ['another number (M4)', ({ rev }) => ({ rev: rev + 1 })],
    ['another key (M6)', (one) => ({ cek_wrapped_base64: flipped(one.cek_wrapped_base64, -1) })],
    ['a bit of the value (M6)', (one) => ({ encrypted_value_base64: flipped(one.encrypted_value_base64, -1) })],
    ['no bytes (M6)', () => ({ encrypted_value_base64: '' })],
    ['the format before (M7)', () => ({ crypto_profile: 'L0' })],
  ];
  test.each(lies)('%s: nothing is filled or copied, and the popup says so', async (_what, change) => {
    await visit(shop);
    await popup.getByRole('button', { name: FILL }).waitFor();
    proxy.tell(forge(change));
    await inPopup.press(FILL);
    await popup.getByRole('alert').waitFor();
    expect(proxy.told()).toBeGreaterThan(0);
    expect(await valuesOf(page)).toEqual(['', '']);
    await popup.reload();
    await inPopup.press(`Copy the password of ${ENTRY}`);
    await popup.getByRole('alert').waitFor();
    expect(proxy.told()).toBeGreaterThan(1);
    expect(await inPopup.text()).not.toContain('Copied');
    proxy.tell(null);
  });

  test('rules that were exchanged or damaged offer nothing', async () => {
    await visit(shop);
    await inPopup.press('Lock');
    await inPopup.field('Master password').waitFor();
    proxy.tell(({ url }, body) => {
      if (!url.endsWith('/sites')) return undefined;
      const text = JSON.stringify(body).replaceAll(
        /("site_sealed_base64":")([^"]+)"/g,
        (_all, name: string, sealed: string) => `${name}${flipped(sealed, -1)}"`,
      );
      return JSON.parse(text) as unknown;
    });
    await inPopup.unlock();
    await popup.getByText(/^Nothing is kept for shop\.localhost/).waitFor();
    expect(proxy.told()).toBeGreaterThan(0);
    await inPopup.press('Lock');
    await inPopup.field('Master password').waitFor();
    proxy.tell(null);
    await inPopup.unlock();
    await popup.getByRole('button', { name: FILL }).waitFor();
  });

  test.each([
    ['the keyset', 'keyset'],
    ['the slot', 'slots'],
  ])('unlocking with %s changed (M9–M12) stays locked', async (_what, part) => {
    await inPopup.press('Lock');
    await inPopup.field('Master password').waitFor();
    proxy.tell(({ url }, body) => {
      if (!url.endsWith('/keyBundle')) return undefined;
      const bundle = body as Record<string, unknown>;
      const change = (one: { readonly blob_base64: string }) => ({ ...one, blob_base64: flipped(one.blob_base64, -1) });
      const own = bundle[part] as { readonly blob_base64: string } | { readonly blob_base64: string }[];
      return { ...bundle, [part]: Array.isArray(own) ? own.map(change) : change(own) };
    });
    await inPopup.unlock();
    await popup.getByRole('alert').waitFor();
    expect(proxy.told()).toBeGreaterThan(0);
    proxy.tell(null);
    await popup.reload();
    await inPopup.field('Master password').waitFor();
    await inPopup.unlock();
    await inPopup.field('Search').waitFor();
  });
});
