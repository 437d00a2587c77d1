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
  proxy = await startRecordingProxy(await freePort(), () => story.server.port);
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
