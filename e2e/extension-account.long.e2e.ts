/** BX1, BX8: second factors, one-time codes, and what is left when the browser was started again. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { totpCode } from '@passwordbroker/core/domain/fields/totp';
import { findings } from './testing/accessibility/accessibility.ts';
import { pastedText } from './testing/browser/clipboard.ts';
import { type ExtensionBrowser, startExtensionBrowser } from './testing/extension/extension.ts';
import { popupOf } from './testing/extension/in-popup.ts';
import { beginStory, ENTRY, FORM, LOGIN, PASSWORD, type Story, valuesOf } from './testing/extension/story.ts';
import { authenticatorOf } from './testing/people/authenticator.ts';
import { PERSON } from './testing/vault/screen.ts';

const SECRET = 'JBSWY3DPEHPK3PXP';
const CODE_FORM =
  '<!doctype html><title>Code</title><form><label>Code<input autocomplete=one-time-code inputmode=numeric></label><button>Go</button></form>';
const folder = mkdtempSync(join(tmpdir(), 'passwordbroker-restart-'));

let story: Story;
/** Started twice with the same profile. */
let extension: ExtensionBrowser;
let app: ReturnType<typeof authenticatorOf>;
let recoveryCode = '';

beforeAll(async () => {
  story = await beginStory(async (at) => {
    await at.addField('TOTP', 'Second factor', () => at.box('Secret', at.dialog()).fill(SECRET));
  });
  const { at, page } = story;
  await page.goto(`${story.server.origin}/account#signing-in`);
  await at.button('Set up: Authenticator app').click();
  app = authenticatorOf(await page.locator('code[data-secret]').innerText());
  await at.box('Code from the app').fill(app.code());
  await page.keyboard.press('Enter');
  const codes = page.getByRole('list', { name: 'Your recovery codes' });
  await codes.waitFor();
  [recoveryCode = ''] = await codes.locator('[aria-hidden]').allInnerTexts();
  extension = await startExtensionBrowser({ folder });
});
afterAll(async () => {
  await extension?.close();
  await story?.end();
  rmSync(folder, { recursive: true, force: true });
});

async function openPopup(behind: Page) {
  const popup = await extension.popup(behind);
  popup.setDefaultTimeout(60_000);
  return { popup, ...popupOf(popup) };
}

test('BX1 signs in with the code of an authenticator app', async () => {
  const shop = await extension.open(extension.serve('shop.localhost', FORM));
  const { popup, field, press, ...person } = await openPopup(shop);
  await person.pair(story.server.origin);
  await person.signIn();
  await field('Code of your authenticator app').fill('000000');
  await press('Continue');
  await popup.getByText('The code is not right').waitFor();
  expect(await findings(popup)).toEqual([]);
  await field('Code of your authenticator app').fill(app.code());
  await press('Continue');
  await person.unlock();
  // A lock takes the words away, and they are compared after the next unlock.
  await popup.getByRole('heading', { name: /^Compare these eight words/ }).waitFor();
  await press('Lock');
  await person.unlock();
  await person.compareWords();
});

test('BX1 fills a one-time code into a page that asks for one, and copies it', async () => {
  const page = await extension.open(extension.serve('code.localhost', CODE_FORM));
  await extension.grant(page);
  const { popup, field, press } = await openPopup(page);
  const now = () =>
    [-1, 0].map((step) => totpCode({ secret: SECRET, algorithm: 'sha1', period: 30 }, Date.now() + step * 30_000).code);
  await field('Search').fill('billing');
  await press(`Copy the code of ${ENTRY}`);
  await popup.getByText('Copied. It is cleared in 60 seconds.').waitFor();
  expect(now()).toContain(await pastedText(page));
  const before = await story.reveals();
  await press(`Use ${ENTRY} here`);
  await press('Fill once');
  await expect.poll(async () => (await valuesOf(page))[0]).toMatch(/^\d{6}$/);
  expect(now()).toContain((await valuesOf(page))[0]);
  await expect.poll(() => pastedText(page), { timeout: 75_000 }).toBe('');
  // The password was not opened for it.
  expect(await story.reveals()).toBe(before);
});

test('copies the code for the next step after a password was filled in, once the person chose it', async () => {
  const page = await extension.open(extension.serve('next.localhost', FORM));
  await extension.grant(page);
  const options = await extension.open(`chrome-extension://${extension.id}/options.html`);
  await options.getByLabel('Copy the code after filling').click();
  await expect.poll(() => options.getByLabel('Copy the code after filling').isChecked()).toBe(true);
  expect(await findings(options)).toEqual([]);
  await options.reload();
  await expect.poll(() => options.getByLabel('Copy the code after filling').isChecked()).toBe(true);
  await options.close();
  const { field, press } = await openPopup(page);
  await field('Search').fill('billing');
  await press(`Use ${ENTRY} here`);
  await press('Fill once');
  await expect.poll(() => valuesOf(page)).toEqual([LOGIN, PASSWORD]);
  await expect.poll(() => pastedText(page)).toMatch(/^\d{6}$/);
});

test('BX8 after a restart of the browser the vault is locked, and the person is still signed in', async () => {
  await extension.close();
  extension = await startExtensionBrowser({ folder });
  const shop = await extension.open(extension.serve('shop.localhost', FORM));
  const { popup, field, press, ...person } = await openPopup(shop);
  await field('Master password').waitFor();
  await person.unlock();
  // The words are compared once.
  await field('Search').waitFor();
  await press('Lock');
  await press('Log out');
  await field('E-mail').waitFor();
  await person.signIn();
  await press('Use a recovery code');
  await field('Recovery code').fill(recoveryCode);
  await press('Continue');
  await field('Master password').waitFor();
  expect(await popup.locator('body').innerText()).not.toContain(PASSWORD);
  expect(PERSON.email).toBe(await popup.getByText(PERSON.email).innerText());
});
