/** What the installed app offers outside its window: shortcuts and a share target. */
import { expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import { openPage } from './testing/browser/browser.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { signUpAtOnce } from './testing/people/people.ts';
import { fieldsOf } from './testing/vault/fields.ts';
import type { RunningServer } from './testing/server/server.ts';

let server: RunningServer;
let browser: Browser;
let page: Page;
let at: ReturnType<typeof fieldsOf>;

withOnePage(async (opened) => {
  ({ server, browser, page } = opened);
  page.setDefaultTimeout(15_000);
  at = fieldsOf(page);
  await signUpAtOnce(page, server.origin);
  await at.addTree('Engineering');
});

interface Manifest {
  readonly shortcuts: readonly { readonly name: string; readonly url: string; readonly icons: { src: string }[] }[];
  readonly share_target: { readonly action: string; readonly method: string };
}
const manifest = async () => (await (await fetch(`${server.origin}/manifest.webmanifest`)).json()) as Manifest;
const shortcut = async (name: string) => {
  const { shortcuts } = await manifest();
  const found = shortcuts.find((one) => one.name === name);
  return `${server.origin}${found?.url}`;
};

test('every icon of a shortcut exists', async () => {
  const { shortcuts } = await manifest();
  const icons = new Set(shortcuts.flatMap(({ icons: own }) => own.map(({ src }) => src)));
  expect(icons.size).toBeGreaterThan(0);
  for (const icon of icons)
    expect((await fetch(`${server.origin}${icon}`)).headers.get('content-type')).toBe('image/png');
});

test('the shortcut for searching puts the cursor into the search box, once', async () => {
  await page.goto(await shortcut('Search entries'));
  const box = page.getByRole('combobox', { name: 'Search entries' });
  await expect.poll(() => box.evaluate((input) => input === document.activeElement)).toBe(true);
  expect(new URL(page.url()).hash).toBe('');
});

test('the shortcut for a new login opens the form of the only group; by keyboard alone', async () => {
  await page.goto('about:blank');
  await page.goto(await shortcut('New login'));
  await page.getByRole('dialog', { name: 'New entry' }).getByText('in Engineering').waitFor();
  expect(new URL(page.url()).hash).toBe('');
  expect(await findings(page)).toEqual([]);
  await page.keyboard.type('Bank');
  await page.keyboard.press('Enter');
  await at.closed();
  await at.heading('Engineering').waitFor();
  await at.entry('Bank').waitFor();
});

test('a link that another app shares is in the form, and the server does not see it', async () => {
  const app = await openPage(browser, { serviceWorkers: 'allow' });
  await app.context.addCookies(await page.context().cookies());
  const own = fieldsOf(app.page);
  await app.page.goto(server.origin);
  await app.page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await expect.poll(() => app.page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  const { action } = (await manifest()).share_target;
  await app.page.goto('about:blank');
  await app.page.setContent(
    `<form method="post" enctype="multipart/form-data" action="${server.origin}${action}">
       <input name="title" value="Shared bank"><input name="text" value="see https://bank.example/in?a=1">
       <button>Share</button></form>`,
  );
  await app.page.getByRole('button').click();
  await app.page.getByRole('dialog', { name: 'New entry' }).waitFor();
  expect(new URL(app.page.url()).hash).toBe('');
  expect(await own.box('Title', own.dialog()).inputValue()).toBe('Shared bank');
  expect(await own.box('Link', own.dialog()).inputValue()).toBe('https://bank.example/in?a=1');
  expect(server.output()).not.toContain('bank.example');
  expect(app.complaints()).toEqual([]);
  await app.context.close();
});
