/**
 * The recovery kit: made by keyboard, typed back wrong and right, used after the master password was forgotten, and
 * demanded by the site. Nothing of a key is left anywhere (I71, I80–I85).
 */
import { afterEach, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { readRecoveryKey } from '@passwordbroker/core/domain/keyring/recovery-kit/recovery-key';
import { findLeaks } from '../server/src/testing/leaks.ts';
import { findings } from './testing/accessibility/accessibility.ts';
import { storageOf } from './testing/browser/browser-storage.ts';
import { filesBelow } from './testing/browser/files-below.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { signUpAtOnce } from './testing/people/people.ts';
import type { RunningServer } from './testing/server/server.ts';
import { PERSON, screenOf, type Screen } from './testing/vault/screen.ts';

const NEW = 'remembered this time 61 ⚓ of Mira';
const OTHER_KEY = '000G-40R4-0M30-E209-185G-R38E-1W81-24GK-R';

let server: RunningServer;
let page: Page;
let screen: Screen;
/** What the browser sent and wrote to the console. */
const told: string[] = [];
/** Every recovery key that was shown. */
const keys: string[] = [];

withOnePage(async (opened) => {
  ({ server, page } = opened);
  screen = screenOf(page);
  page.on('request', (request) => {
    told.push(
      `${request.method()} ${request.url()}\n${JSON.stringify(request.headers())}\n${request.postData() ?? ''}`,
    );
  });
  page.on('console', (message) => told.push(message.text()));
  await signUpAtOnce(page, server.origin);
});

/** Called with no dialog open. */
async function expectNothingLeft() {
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const secrets = Object.fromEntries(
    keys.flatMap((key, at) => [
      [`key ${at}`, readRecoveryKey(key) ?? new Uint8Array()],
      [`text ${at}`, Buffer.from(key)],
      [`QR text ${at}`, Buffer.from(key.replaceAll('-', ''))],
    ]),
  );
  const { kept, client } = await storageOf(page);
  const typed = await page.evaluate(() => [...document.querySelectorAll('input')].map(({ value }) => value).join('\n'));
  const places = {
    storage: kept,
    cache: client,
    document: Buffer.from(`${await page.content()}\n${typed}`),
    address: Buffer.from(page.url()),
    'requests and console': Buffer.from(told.join('\n')),
    log: Buffer.from(server.output()),
    server: Buffer.concat(Object.values(filesBelow(server.dataDir))),
  };
  expect(findLeaks(secrets, places)).toEqual([]);
}
afterEach(async () => {
  if (keys.length > 0) await expectNothingLeft();
});

const dialog = () => screen.dialog();
const bothWays = async () => {
  for (const [width, theme] of [
    [390, 'light'],
    [1440, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate((name) => (document.documentElement.dataset['theme'] = name), theme);
    expect([width, theme, await findings(page)]).toEqual([width, theme, []]);
  }
};
const slots = async () =>
  (await screen.call<{ slots: { slot_type: string; version: number }[] }>('GET', '/identity/api/keyBundle')).slots.map(
    ({ slot_type, version }) => `${slot_type} ${version}`,
  );

async function openFromMenu() {
  await screen.button('Master password menu').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Recovery kit' }).focus();
  await page.keyboard.press('Enter');
}
/** Ends with the key on the screen. */
async function make(masterPassword: string): Promise<readonly string[]> {
  await dialog().getByText('A key on paper that opens your vault').waitFor();
  await page.keyboard.type(masterPassword);
  await page.keyboard.press('Enter');
  const list = dialog().getByRole('list', { name: 'Recovery key' });
  await list.waitFor();
  const texts = await list.locator('li > span[aria-hidden]').allInnerTexts();
  const parts = texts.map((text) => text.trim().split(/\s+/).at(-1) ?? '');
  keys.push(parts.join('-'));
  return parts;
}
/** The fields ask for two groups by number and the check symbol. */
async function typeBack(textOf: (at: number) => string) {
  const labels = await dialog().locator('label').allInnerTexts();
  expect(labels).toHaveLength(3);
  for (const label of labels) {
    const at = Number(/\d/.exec(label)?.[0] ?? 9);
    await screen.box(label, dialog()).fill('');
    await screen.box(label, dialog()).pressSequentially(textOf(at));
  }
  await page.keyboard.press('Enter');
}
const pagesOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;

test('I80, I81 a kit is made by keyboard: printed on one page, typed back wrong, then right', async () => {
  await openFromMenu();
  const closed = await make(PERSON.masterPassword);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await slots()).toEqual(['password 1']);

  await openFromMenu();
  const parts = await make(PERSON.masterPassword);
  expect(parts).not.toEqual(closed);
  await dialog().getByRole('img', { name: 'The recovery key as a QR code' }).waitFor();
  await bothWays();
  for (const format of ['A4', 'Letter'] as const) expect(pagesOf(await page.pdf({ format }))).toBe(1);
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('dialog').isVisible()).toBe(false);
  const printed = await page.evaluate(() => document.body.innerText);
  for (const text of [...parts, PERSON.name, PERSON.email, server.origin]) expect(printed).toContain(text);
  expect(printed).not.toContain('Groups');
  await page.emulateMedia({ media: null });

  await screen.button('I have it on paper', dialog()).press('Enter');
  await dialog().getByText('Type parts of the key').waitFor();
  expect(await page.locator('body').innerText()).not.toContain(parts[0]);
  await bothWays();
  await typeBack((at) => (at === 9 ? (parts[8] ?? '') : '0000'));
  await dialog().getByRole('alert').getByText('is another one. Look at your kit.').first().waitFor();
  expect(await slots()).toEqual(['password 1']);
  await typeBack((at) => (parts[at - 1] ?? '').toLowerCase());
  await page.getByText('Your recovery kit is ready').first().waitFor();
  expect(await slots()).toEqual(['password 1', 'recovery 1']);
});

test('I84, I85 forgotten: a typing error, another key, then a new master password, an open vault, and a new kit', async () => {
  const key = keys.at(-1) ?? '';
  await screen.button('Master password menu').click();
  await page.getByRole('menuitem', { name: 'Lock now' }).click();
  await screen.button('add new tree').click();
  await screen.box('Title', dialog()).fill('Production');
  await page.keyboard.press('Enter');
  await screen.button('I forgot my master password', dialog()).press('Enter');
  const typed = screen.box('Recovery key', dialog());
  await typed.fill(`${OTHER_KEY.slice(0, -1)}S`);
  await typed.press('Enter');
  await dialog().getByText('There is a typing error in it').waitFor();
  await typed.fill(OTHER_KEY);
  await typed.press('Enter');
  await dialog().getByText('This is not the recovery key of this account').waitFor();
  await bothWays();
  await typed.fill(`pbrk:${key.replaceAll('-', '').toLowerCase()}`);
  await page.keyboard.press('Enter');
  await dialog().getByText('Choose a new master password').waitFor();
  await screen.box('New master password', dialog()).fill(NEW);
  await screen.box('New master password confirmation', dialog()).fill(NEW);
  await bothWays();
  await screen.button('Save and open the vault', dialog()).press('Enter');
  await page.getByText('Your new master password is saved').first().waitFor();
  await screen.button('Master Pasword validated').waitFor();
  expect(await slots()).toEqual(['password 2']);
  // What waited for the master password goes on behind the offer of a new kit.
  await dialog().getByText('The kit that you have just used opens nothing any more.').waitFor();
  await screen.button('Later', dialog()).press('Enter');
  await screen.heading('Production').waitFor();
});

test('I83 a site that asks for a kit: asked after unlocking, with what would be lost, and no removal', async () => {
  await screen.call('PUT', '/system/api/setting/site', { recovery_kit: 'required' });
  await page.reload();
  await screen.button('Master Pasword not entered').click();
  await screen.remember(NEW);
  await dialog().getByText('This site asks everyone to have one.').waitFor();
  await dialog().getByRole('listitem').getByText('Production').waitFor();
  await bothWays();
  await make(NEW).then((parts) => typeBackAfterShown(parts));
  await page.goto(`${server.origin}/account#recovery-kit`);
  const section = page.getByRole('region', { name: 'Recovery kit' });
  await section.getByText(/^Recovery kit made on/).waitFor();
  await section.getByRole('listitem').getByText('Production').waitFor();
  await bothWays();
  await screen.button('Remove', section).press('Enter');
  await screen.button('Remove', page.getByRole('alertdialog')).press('Enter');
  await screen.remember(NEW);
  await page.getByRole('alertdialog').getByText('This site asks for a recovery kit. Make a new one instead.').waitFor();
  await screen.button('Cancel', page.getByRole('alertdialog')).press('Enter');
});

async function typeBackAfterShown(parts: readonly string[]) {
  await screen.button('I have it on paper', dialog()).press('Enter');
  await typeBack((at) => parts[at - 1] ?? '');
  await page.getByText('Your recovery kit is ready').first().waitFor();
}
