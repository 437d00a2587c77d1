/** Fields: all five types shown, copied, downloaded and logged; keys of a row; the lock. */
import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import type { WatchedPage } from './testing/browser/browser.ts';
import { pastedText } from './testing/browser/clipboard.ts';
import { beforeAnswer } from './testing/browser/intercept.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { signUpAtOnce } from './testing/people/people.ts';
import { PERSON } from './testing/vault/screen.ts';
import type { RunningServer } from './testing/server/server.ts';

const WEB_FILE = { name: '..\\ledger<root>.p12', mimeType: 'application/x-pkcs12', buffer: Buffer.alloc(70_000, 7) };

let server: RunningServer;
let watched: WatchedPage;
let page: Page;

withOnePage(async (opened) => {
  ({ server, watched, page } = opened);
  page.setDefaultTimeout(10_000);
  await signUpAtOnce(page, server.origin);
  await addTree('Production');
  await addEntry('Billing ledger');
});
afterEach(async () => {
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
});

const box = (name: string | RegExp, within: Page | Locator = page) =>
  within.getByRole('textbox', { name, exact: typeof name === 'string' });
const button = (name: string | RegExp, within: Page | Locator = page) =>
  within.getByRole('button', { name, exact: typeof name === 'string' });
const dialog = () => page.getByRole('dialog').last();
const row = (title: string) =>
  page
    .getByRole('row')
    .filter({ has: page.getByText(title, { exact: true }) })
    .last();

async function remember(masterPassword: string = PERSON.masterPassword) {
  await box('Master password', dialog()).fill(masterPassword);
  await page.keyboard.press('Enter');
}

async function addTree(title: string) {
  await button('add new tree').click();
  await box('Title', dialog()).fill(title);
  await page.keyboard.press('Enter');
  await remember();
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
}

async function addEntry(title: string) {
  await button(/add new Entry/)
    .first()
    .click();
  await box('Title', dialog()).fill(title);
  await page.keyboard.press('Enter');
  await button(new RegExp(title)).first().click();
  await button('Add field').waitFor();
}

/** Fills and submits the dialog for a field type, and waits until it is closed. */
async function addField(kind: string, title: string, fill: () => Promise<void>) {
  await button('Add field', page.getByRole('main')).click();
  await dialog().getByText(kind, { exact: true }).click();
  await box('Title', dialog()).fill(title);
  await fill();
  await button('Add field', dialog()).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await row(title).waitFor();
}

test('a password is generated, sealed, shown in colours, copied and hidden again', async () => {
  let generated = '';
  await addField('Password', 'Root account', async () => {
    await box('Login', dialog()).fill('ledger_root');
    generated = await box('Value', dialog()).inputValue();
    expect(generated).toMatch(/^[\w-]{24}$/);
    await button('Generate again', dialog()).click();
    await expect.poll(() => box('Value', dialog()).inputValue()).not.toBe(generated);
    generated = await box('Value', dialog()).inputValue();
  });
  const root = row('Root account');
  expect(await root.innerText()).not.toContain(generated);
  await button('Show', root).click();
  await expect.poll(() => root.innerText()).toContain(generated);
  await button('Copy password', root).click();
  await expect.poll(() => pastedText(page)).toBe(generated);
  await button('Hide', root).click();
  await expect.poll(() => root.innerText()).not.toContain(generated);
});

test('link, note and TOTP fields can be added and shown', async () => {
  await addField('Link', 'Console', () => box('Value', dialog()).fill('https://console.ledger.internal:8443/primary'));
  await button('Show', row('Console')).click();
  const link = row('Console').getByRole('link');
  expect(await link.getAttribute('href')).toBe('https://console.ledger.internal:8443/primary');
  expect(await link.getAttribute('rel')).toBe('noopener noreferrer');

  await addField('Link', 'Trap', () => box('Value', dialog()).fill('javascript:alert(1)'));
  await button('Show', row('Trap')).click();
  await row('Trap').getByText('javascript:alert(1)').waitFor();
  expect(await row('Trap').getByRole('link').count()).toBe(0);

  await addField('Note', 'Runbook', () => box('Value', dialog()).fill('Pause billing.\nThen promote.'));
  await button('Show', row('Runbook')).click();
  await expect.poll(() => row('Runbook').innerText()).toContain('Pause billing.\nThen promote.');

  await addField('TOTP', 'Sign-in', async () => {
    await box('Secret', dialog()).fill('otpauth://totp/a:b?secret=JBSWY3DPEHPK3PXP&period=45&algorithm=SHA256');
    await expect.poll(() => dialog().getByRole('spinbutton', { name: 'Timeout, seconds' }).inputValue()).toBe('45');
  });
  await button('Show code', row('Sign-in')).click();
  await expect.poll(() => row('Sign-in').innerText()).toMatch(/\d{3}\s*\d{3}\s+\d+ s/);
  await button('Copy code', row('Sign-in')).click();
  await expect.poll(() => pastedText(page)).toMatch(/^\d{6}$/);
  await button('Copy key', row('Sign-in')).click();
  await expect.poll(() => pastedText(page)).toBe('JBSWY3DPEHPK3PXP');
});

/** How often the field was decrypted, according to its history. */
async function revealsOf(title: string): Promise<number> {
  await button(`History of ${title}`, row(title)).click();
  await dialog().getByRole('cell', { name: 'created', exact: true }).waitFor();
  const count = await dialog().getByRole('cell', { name: 'decrypted', exact: true }).count();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  return count;
}

test('a press on a masked value copies it, records a reveal and counts down to clearing the clipboard', async () => {
  await addField('Password', 'Replica', () => box('Value', dialog()).fill('pressed-Value_1'));
  expect(await revealsOf('Replica')).toBe(0);
  await button('Copy the hidden value of Replica', row('Replica')).click();
  await expect.poll(() => pastedText(page)).toBe('pressed-Value_1');
  expect(await row('Replica').innerText()).not.toContain('pressed-Value_1');
  await expect.poll(() => page.getByRole('timer').innerText()).toMatch(/^Clipboard clears in (60|5\d) s$/);
  expect(await revealsOf('Replica')).toBe(1);
  // A copy that need not be cleared ends the countdown.
  await button('Copy login', row('Root account')).click();
  await page.getByRole('timer').waitFor({ state: 'detached' });
});

test('a link opens without being shown, and records a reveal', async () => {
  const address = `${server.origin}/no-such-file.txt`;
  await addField('Link', 'Status page', () => box('Value', dialog()).fill(address));
  const opening = page.context().waitForEvent('page');
  await button('Open link', row('Status page')).click();
  const opened = await opening;
  await expect.poll(() => opened.url()).toBe(address);
  await opened.close();
  expect(await row('Status page').innerText()).not.toContain(address);
  expect(await revealsOf('Status page')).toBe(1);
  await button('Open link', row('Trap')).click();
  await row('Trap').getByText('This value is not a web or mail address, so it cannot be opened.').waitFor();
});

test('each verb of a value stands in the same column', async () => {
  const leftOf = async (name: string, title: string) => (await button(name, row(title)).boundingBox())?.x;
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const shows = await Promise.all([leftOf('Show', 'Replica'), leftOf('Show', 'Status page')]);
    const copies = await Promise.all([
      leftOf('Copy login', 'Replica'),
      leftOf('Copy password', 'Replica'),
      leftOf('Copy note', 'Runbook'),
      leftOf('Copy link', 'Status page'),
      leftOf('Copy code', 'Sign-in'),
    ]);
    expect([new Set(shows).size, new Set(copies).size]).toEqual([1, 1]);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('a downloaded file has its original bytes and a safe name', async () => {
  await addField('File', 'Certificate', async () => {
    await dialog().locator('input[type=file]').setInputFiles(WEB_FILE);
    await dialog().getByText('70.0 kB').waitFor();
  });
  const downloading = page.waitForEvent('download');
  await button('Download file', row('Certificate')).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('ledger_root_.p12');
  expect(readFileSync(await download.path())).toEqual(WEB_FILE.buffer);
});

test('errors of the dialog are those of the specification', async () => {
  await button('Add field', page.getByRole('main')).click();
  await dialog().getByText('TOTP', { exact: true }).click();
  await button('Add field', dialog()).click();
  await dialog().getByText('Field Value is missing').waitFor();
  await box('Secret', dialog()).fill('no base32: 018');
  await button('Add field', dialog()).click();
  await dialog().getByText('Field Value is not a valid TOTP secret').waitFor();
  await dialog().getByText('File', { exact: true }).click();
  await button('Add field', dialog()).click();
  await dialog().getByText('Field File is missing').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('the keys S, C, L, H and the arrows work on a focused row', async () => {
  await row('Root account').focus();
  await page.keyboard.press('s');
  await button('Hide', row('Root account')).waitFor();
  await page.keyboard.press('s');
  await button('Show', row('Root account')).waitFor();
  await page.keyboard.press('l');
  await expect.poll(() => pastedText(page)).toBe('ledger_root');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('c');
  await expect.poll(() => pastedText(page)).toBe('https://console.ledger.internal:8443/primary');
  await row('Root account').focus();
  await page.keyboard.press('h');
  await dialog().getByRole('columnheader', { name: 'Action', exact: true }).waitFor();
  await expect.poll(() => dialog().getByRole('row').last().innerText()).toContain('created');
  await button('Show', dialog().getByRole('row').last()).click();
  await button('Hide', dialog().getByRole('row').last()).waitFor();
  await page.keyboard.press('Escape');
});

test.each(['dark', 'light'])('the page has no axe findings in the %s theme', async (theme) => {
  await page.evaluate((name) => document.documentElement.setAttribute('data-theme', name), theme);
  await row('Root account').focus();
  expect(await findings(page)).toEqual([]);
  await button('Add field', page.getByRole('main')).click();
  await box('Title', dialog()).waitFor();
  expect(await findings(page, 'dialog')).toEqual([]);
  await page.keyboard.press('Escape');
});

test('hiding the tab masks shown values', async () => {
  await button('Show', row('Root account')).click();
  await button('Hide', row('Root account')).waitFor();
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
    Object.defineProperty(document, 'visibilityState', { value: 'visible', configurable: true });
  });
  await button('Show', row('Root account')).waitFor();
});

test('a lying server: sealed metadata wins with a warning, and a damaged value is not shown (M5, M6)', async () => {
  const honestLists = await beforeAnswer(page, '*/fields', async (caught) => {
    const fields = JSON.parse(await caught.text()) as { title: string; login?: string }[];
    const lied = fields.map((field) => (field.title === 'Root account' ? { ...field, login: 'eve' } : field));
    await caught.answer(JSON.stringify(lied));
  });
  await button(/Billing ledger/)
    .first()
    .click();
  await page.reload();
  await button(/Billing ledger/)
    .first()
    .click();
  await row('Root account').getByText('eve', { exact: true }).waitFor();
  await button('Show', row('Root account')).click();
  await remember();
  await row('Root account')
    .getByText(/The list differs from the encrypted data/)
    .waitFor();
  await row('Root account').getByText('ledger_root', { exact: true }).waitFor();
  await honestLists();

  const honestValues = await beforeAnswer(page, '*/envelope', async (caught) => {
    const envelope = JSON.parse(await caught.text()) as { encrypted_value_base64: string };
    const bytes = Buffer.from(envelope.encrypted_value_base64, 'base64');
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    await caught.answer(JSON.stringify({ ...envelope, encrypted_value_base64: bytes.toString('base64') }));
  });
  await button('Show', row('Runbook')).click();
  await row('Runbook')
    .getByText(/This value is damaged/)
    .waitFor();
  expect(await row('Runbook').innerText()).not.toContain('Pause billing');
  await button('Master Pasword validated').waitFor();
  await honestValues();
});

test('a reload locks; closing the prompt cancels the action, and a wrong password is asked for again', async () => {
  await page.reload();
  await button(/Billing ledger/)
    .first()
    .click();
  await row('Root account').waitFor();
  await button('Master Pasword not entered').waitFor();
  await button('Show', row('Root account')).click();
  await dialog().getByText('Needed to show the value of “Root account”.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await button('Hide', row('Root account')).count()).toBe(0);
  await button('Show', row('Root account')).click();
  await remember('not the one');
  await dialog().getByText('MasterPassword is invalid').waitFor();
  await button('Master Pasword is incorrect').waitFor({ state: 'attached' });
  await expect.poll(() => box('Master password', dialog()).inputValue()).toBe('');
  await remember();
  await button('Hide', row('Root account')).waitFor();
  await button('Master Pasword validated').waitFor();
});

test('a lock in one tab masks shown values in all tabs (M32)', async () => {
  const other = await watched.context.newPage();
  await other.goto(page.url());
  await button('Master Pasword not entered', other).click();
  await box('Master password', other.getByRole('dialog')).fill(PERSON.masterPassword);
  await other.keyboard.press('Enter');
  await button('Master Pasword validated', other).waitFor();
  await other.getByRole('link', { name: 'Logout' }).click();
  await button('Hide', row('Root account')).waitFor({ state: 'detached' });
  await other.close();
});
