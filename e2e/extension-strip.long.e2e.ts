/**
 * One sign-in as pictures: page and popup side by side, above in the dark theme, below in the light one.
 * `STRIP=docs/images/extension` writes the pictures of docs/browser-extension.md there.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { popupOf } from './testing/extension/in-popup.ts';
import { beginStory, ENTRY, LOGIN, PASSWORD, type Story, valuesOf } from './testing/extension/story.ts';
import { PERSON } from './testing/vault/screen.ts';

const SHOP = `<!doctype html><html lang="en"><title>Ledger of the shop</title><meta name="color-scheme" content="light dark">
<style>
  body { display: grid; place-content: center; min-height: 100vh; margin: 0; font: 16px/1.4 system-ui, sans-serif;
    background: light-dark(#eef2f7, #10151c); color: light-dark(#1b2430, #dce4ee) }
  form { display: grid; gap: 12px; width: 300px; padding: 28px; border-radius: 12px;
    background: light-dark(#fff, #1a222d); box-shadow: 0 1px 8px #0003 }
  h1 { margin: 0; font-size: 20px } label { display: grid; gap: 4px; font-size: 14px }
  input, button { padding: 9px; border: 1px solid light-dark(#b9c4d0, #46525f); border-radius: 6px; font: inherit;
    background: light-dark(#fff, #10151c); color: inherit }
  button { border: 0; background: #2f6fde; color: #fff }
</style>
<form><h1>Ledger of the shop</h1><label>User<input name=user autocomplete=username></label>
<label>Password<input type=password autocomplete=current-password></label><button>Sign in</button></form>`;

const SIZES = { page: { width: 620, height: 440 }, popup: { width: 380, height: 440 } } as const;
const LARGEST_BYTES = 600_000;
const THEMES = ['dark', 'light'] as const;

let story: Story;
let shop: Page;
/** Where the pictures are put together. */
let table: Page;
let popup: Page;
let inPopup: ReturnType<typeof popupOf>;
const pictures: Record<string, Buffer> = {};

async function openPopup() {
  popup = await story.extension.popup(shop);
  popup.setDefaultTimeout(60_000);
  await popup.setViewportSize(SIZES.popup);
  inPopup = popupOf(popup);
}

beforeAll(async () => {
  story = await beginStory();
  table = await story.extension.context.newPage();
  shop = await story.extension.open(story.extension.serve('ledger.localhost', SHOP));
  await shop.setViewportSize(SIZES.page);
  await story.extension.grant(shop);
  await openPopup();
});
afterAll(async () => story?.end());

/** @param isClosed the popup is no longer there */
async function picture(name: string, isClosed = false): Promise<void> {
  const rows: string[][] = [];
  for (const theme of THEMES) {
    await shop.emulateMedia({ colorScheme: theme });
    const shots = [await shop.screenshot()];
    if (!isClosed) {
      await popup.evaluate((chosen) => (document.documentElement.dataset['theme'] = chosen), theme);
      // Colours change slowly, and in a tab behind another one not at all.
      shots.push(await popup.screenshot({ animations: 'disabled' }));
    }
    rows.push(shots.map((bytes) => bytes.toString('base64')));
  }
  const webp = await table.evaluate(
    async ([shown, { page, popup: small }]) => {
      const gap = 12;
      const canvas = document.createElement('canvas');
      canvas.width = page.width + gap + small.width;
      canvas.height = shown.length * page.height + (shown.length - 1) * gap;
      const pen = canvas.getContext('2d');
      for (const [row, pieces] of shown.entries())
        for (const [column, piece] of pieces.entries()) {
          const image = new Image();
          image.src = `data:image/png;base64,${piece}`;
          await image.decode();
          pen?.drawImage(image, column * (page.width + gap), row * (page.height + gap));
        }
      return canvas.toDataURL('image/webp', 0.85).replace(/^[^,]*,/, '');
    },
    [rows, SIZES] as const,
  );
  pictures[name] = Buffer.from(webp, 'base64');
}

test('a sign-in, step by step', async () => {
  await inPopup.field('Address of your server').fill(story.server.origin);
  await picture('1-pair');
  await inPopup.press('Connect');
  await inPopup.field('E-mail').fill(PERSON.email);
  await inPopup.field('Account password').fill(PERSON.password);
  await picture('2-sign-in');
  await inPopup.press('Sign in');
  await inPopup.field('Master password').fill(PERSON.masterPassword);
  await picture('3-unlock');
  await inPopup.press('Unlock');
  await popup.getByRole('listitem').first().waitFor();
  await picture('4-eight-words');
  await inPopup.compareWords();
  await inPopup.field('Search').fill('billing');
  await popup.getByRole('button', { name: `Use ${ENTRY} here` }).waitFor();
  await picture('5-find');
  await inPopup.press(`Use ${ENTRY} here`);
  await popup.getByText('This entry is not kept for this host.').waitFor();
  await picture('6-ask');
  let closed = popup.waitForEvent('close');
  await inPopup.press(`Always on ${new URL(shop.url()).host}`);
  await closed;
  await shop.reload();
  await openPopup();
  await popup.getByRole('button', { name: `Fill in ${ENTRY}` }).waitFor();
  await picture('7-match');
  closed = popup.waitForEvent('close');
  await inPopup.press(`Fill in ${ENTRY}`);
  await closed;
  await expect.poll(() => valuesOf(shop)).toEqual([LOGIN, PASSWORD]);
  await picture('8-filled', true);
});

test('the pictures are small', () => {
  const all = Object.entries(pictures);
  expect(all).toHaveLength(8);
  expect(all.reduce((sum, [, { length }]) => sum + length, 0)).toBeLessThan(LARGEST_BYTES);
  const folder = process.env['STRIP'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of all) writeFileSync(join(folder, `${name}.webp`), bytes);
});
