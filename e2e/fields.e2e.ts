/** Fields: all five types shown, copied, downloaded and logged; keys of a row; the lock. */
import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import type { WatchedPage } from './testing/browser/browser.ts';
import { pastedText } from './testing/browser/clipboard.ts';
import { beforeAnswer } from './testing/browser/intercept.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { signUpAtOnce } from './testing/people/people.ts';
import { fieldsOf } from './testing/vault/fields.ts';
import type { RunningServer } from './testing/server/server.ts';

const WEB_FILE = { name: '..\\ledger<root>.p12', mimeType: 'application/x-pkcs12', buffer: Buffer.alloc(70_000, 7) };

let server: RunningServer;
let watched: WatchedPage;
let page: Page;
let at: ReturnType<typeof fieldsOf>;

withOnePage(async (opened) => {
  ({ server, watched, page } = opened);
  page.setDefaultTimeout(10_000);
  await signUpAtOnce(page, server.origin);
  at = fieldsOf(page);
  await at.addTree('Production');
  await at.addEntry('Billing ledger');
  await at.openEntry('Billing ledger');
});
afterEach(async () => {
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
});

test('a password is generated, sealed, shown in colours, copied and hidden again', async () => {
  let generated = '';
  await at.addField('Password', 'Root account', async () => {
    await at.box('Login', at.dialog()).fill('ledger_root');
    generated = await at.box('Value', at.dialog()).inputValue();
    expect(generated).toMatch(/^[\w-]{24}$/);
    await at.button('Generate again', at.dialog()).click();
    await expect.poll(() => at.box('Value', at.dialog()).inputValue()).not.toBe(generated);
    generated = await at.box('Value', at.dialog()).inputValue();
  });
  const root = at.row('Root account');
  expect(await root.innerText()).not.toContain(generated);
  await at.button('Show', root).click();
  await expect.poll(() => root.innerText()).toContain(generated);
  await at.button('Copy password', root).click();
  await expect.poll(() => pastedText(page)).toBe(generated);
  await at.button('Hide', root).click();
  await expect.poll(() => root.innerText()).not.toContain(generated);
});

test('link, note and TOTP fields can be added and shown', async () => {
  await at.addField('Link', 'Console', () =>
    at.box('Value', at.dialog()).fill('https://console.ledger.internal:8443/primary'),
  );
  await at.button('Show', at.row('Console')).click();
  const link = at.row('Console').getByRole('link');
  expect(await link.getAttribute('href')).toBe('https://console.ledger.internal:8443/primary');
  expect(await link.getAttribute('rel')).toBe('noopener noreferrer');

  await at.addField('Link', 'Trap', () => at.box('Value', at.dialog()).fill('javascript:alert(1)'));
  await at.button('Show', at.row('Trap')).click();
  await at.row('Trap').getByText('javascript:alert(1)').waitFor();
  expect(await at.row('Trap').getByRole('link').count()).toBe(0);

  await at.addField('Note', 'Runbook', () => at.box('Value', at.dialog()).fill('Pause billing.\nThen promote.'));
  await at.button('Show', at.row('Runbook')).click();
  await expect.poll(() => at.row('Runbook').innerText()).toContain('Pause billing.\nThen promote.');

  await at.addField('TOTP', 'Sign-in', async () => {
    await at.box('Secret', at.dialog()).fill('otpauth://totp/a:b?secret=JBSWY3DPEHPK3PXP&period=45&algorithm=SHA256');
    await expect.poll(() => at.dialog().getByRole('spinbutton', { name: 'Timeout, seconds' }).inputValue()).toBe('45');
  });
  await at.button('Show code', at.row('Sign-in')).click();
  await expect.poll(() => at.row('Sign-in').innerText()).toMatch(/\d{3}\s*\d{3}\s+\d+ s/);
  await at.button('Copy code', at.row('Sign-in')).click();
  await expect.poll(() => pastedText(page)).toMatch(/^\d{6}$/);
  await at.button('Copy key', at.row('Sign-in')).click();
  await expect.poll(() => pastedText(page)).toBe('JBSWY3DPEHPK3PXP');
});

/** How often the field was decrypted, according to its history. */
async function revealsOf(title: string): Promise<number> {
  await at.button(`History of ${title}`, at.row(title)).click();
  await at.dialog().getByRole('cell', { name: 'created', exact: true }).waitFor();
  const count = await at
    .dialog()
    .getByRole('cell', { name: /^(shown|copied)$/ })
    .count();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  return count;
}

test('a press on a masked value copies it, records a reveal and counts down to clearing the clipboard', async () => {
  await at.addField('Password', 'Replica', () => at.box('Value', at.dialog()).fill('pressed-Value_1'));
  expect(await revealsOf('Replica')).toBe(0);
  await at.button('Copy the hidden value of Replica', at.row('Replica')).click();
  await expect.poll(() => pastedText(page)).toBe('pressed-Value_1');
  expect(await at.row('Replica').innerText()).not.toContain('pressed-Value_1');
  await expect.poll(() => page.getByRole('timer').innerText()).toMatch(/^Clipboard clears in (60|5\d) s$/);
  expect(await revealsOf('Replica')).toBe(1);
  // A copy that need not be cleared ends the countdown.
  await at.button('Copy login', at.row('Root account')).click();
  await page.getByRole('timer').waitFor({ state: 'detached' });
});

test('a link opens without being shown, and records a reveal', async () => {
  const address = `${server.origin}/no-such-file.txt`;
  await at.addField('Link', 'Status page', () => at.box('Value', at.dialog()).fill(address));
  const opening = page.context().waitForEvent('page');
  await at.button('Open link', at.row('Status page')).click();
  const opened = await opening;
  await expect.poll(() => opened.url()).toBe(address);
  await opened.close();
  expect(await at.row('Status page').innerText()).not.toContain(address);
  expect(await revealsOf('Status page')).toBe(1);
  await at.button('Open link', at.row('Trap')).click();
  await at.row('Trap').getByText('This value is not a web or mail address, so it cannot be opened.').waitFor();
});

test('each verb of a value stands in the same column', async () => {
  const leftOf = async (name: string, title: string) => (await at.button(name, at.row(title)).boundingBox())?.x;
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
  await at.addField('File', 'Certificate', async () => {
    await at.dialog().locator('input[type=file]').setInputFiles(WEB_FILE);
    await at.dialog().getByText('70.0 kB').waitFor();
  });
  const downloading = page.waitForEvent('download');
  await at.button('Download file', at.row('Certificate')).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('ledger_root_.p12');
  expect(readFileSync(await download.path())).toEqual(WEB_FILE.buffer);
});

test('errors of the dialog are those of the specification', async () => {
  await at.button('Add field', page.getByRole('main')).click();
  await at.dialog().getByText('TOTP', { exact: true }).click();
  await at.button('Add field', at.dialog()).click();
  await at.dialog().getByText('Field Value is missing').waitFor();
  await at.box('Secret', at.dialog()).fill('no base32: 018');
  await at.button('Add field', at.dialog()).click();
  await at.dialog().getByText('Field Value is not a valid TOTP secret').waitFor();
  await at.dialog().getByText('File', { exact: true }).click();
  await at.button('Add field', at.dialog()).click();
  await at.dialog().getByText('Field File is missing').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('the keys S, C, L, H and the arrows work on a focused row', async () => {
  await at.row('Root account').focus();
  await page.keyboard.press('s');
  await at.button('Hide', at.row('Root account')).waitFor();
  await page.keyboard.press('s');
  await at.button('Show', at.row('Root account')).waitFor();
  await page.keyboard.press('l');
  await expect.poll(() => pastedText(page)).toBe('ledger_root');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('c');
  await expect.poll(() => pastedText(page)).toBe('https://console.ledger.internal:8443/primary');
  await at.row('Root account').focus();
  await page.keyboard.press('h');
  await at.dialog().getByRole('columnheader', { name: 'Action', exact: true }).waitFor();
  await expect.poll(() => at.dialog().getByRole('row').last().innerText()).toContain('created');
  await at.button('Show', at.dialog().getByRole('row').last()).click();
  await at.button('Hide', at.dialog().getByRole('row').last()).waitFor();
  await page.keyboard.press('Escape');
});

test.each(['dark', 'light'])('the page has no axe findings in the %s theme', async (theme) => {
  await page.evaluate((name) => document.documentElement.setAttribute('data-theme', name), theme);
  await at.row('Root account').focus();
  // As for half a second after each period, while the code of the last one is still shown.
  await page
    .locator('[role="group"] > [data-secret]')
    .first()
    .evaluate((code) => code.setAttribute('data-dim', 'true'));
  expect(await findings(page)).toEqual([]);
  await at.button('Add field', page.getByRole('main')).click();
  await at.box('Title', at.dialog()).waitFor();
  expect(await findings(page, 'dialog')).toEqual([]);
  await page.keyboard.press('Escape');
});

test('hiding the tab masks shown values', async () => {
  await at.button('Show', at.row('Root account')).click();
  await at.button('Hide', at.row('Root account')).waitFor();
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
    Object.defineProperty(document, 'visibilityState', { value: 'visible', configurable: true });
  });
  await at.button('Show', at.row('Root account')).waitFor();
});

test('a lying server: sealed metadata wins with a warning, and a damaged value is not shown (M5, M6)', async () => {
  const honestLists = await beforeAnswer(page, '*/fields', async (caught) => {
    const fields = JSON.parse(await caught.text()) as { title: string; login?: string }[];
    const lied = fields.map((field) => (field.title === 'Root account' ? { ...field, login: 'eve' } : field));
    await caught.answer(JSON.stringify(lied));
  });
  await at
    .button(/Billing ledger/)
    .first()
    .click();
  await page.reload();
  await at
    .button(/Billing ledger/)
    .first()
    .click();
  await at.row('Root account').getByText('eve', { exact: true }).waitFor();
  await at.button('Show', at.row('Root account')).click();
  await at.remember();
  await at
    .row('Root account')
    .getByText(/The server’s list differs from what was saved here/)
    .waitFor();
  await at.row('Root account').getByText('ledger_root', { exact: true }).waitFor();
  await honestLists();

  const honestValues = await beforeAnswer(page, '*/envelope', async (caught) => {
    const envelope = JSON.parse(await caught.text()) as { encrypted_value_base64: string };
    const bytes = Buffer.from(envelope.encrypted_value_base64, 'base64');
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    await caught.answer(JSON.stringify({ ...envelope, encrypted_value_base64: bytes.toString('base64') }));
  });
  await at.button('Show', at.row('Runbook')).click();
  await at
    .row('Runbook')
    .getByText(/This value is damaged/)
    .waitFor();
  expect(await at.row('Runbook').innerText()).not.toContain('Pause billing');
  await at.button('Master Pasword validated').waitFor();
  await honestValues();
});

test('a reload locks; closing the prompt cancels the action, and a wrong password is asked for again', async () => {
  await page.reload();
  await at
    .button(/Billing ledger/)
    .first()
    .click();
  await at.row('Root account').waitFor();
  await at.button('Master Pasword not entered').waitFor();
  await at.button('Show', at.row('Root account')).click();
  await at.dialog().getByText('Needed to show the value of “Root account”.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await at.button('Hide', at.row('Root account')).count()).toBe(0);
  await at.button('Show', at.row('Root account')).click();
  await at.remember('not the one');
  await at.dialog().getByText('MasterPassword is invalid').waitFor();
  await at.button('Master Pasword is incorrect').waitFor({ state: 'attached' });
  await expect.poll(() => at.box('Master password', at.dialog()).inputValue()).toBe('');
  await at.remember();
  await at.button('Hide', at.row('Root account')).waitFor();
  await at.button('Master Pasword validated').waitFor();
});

test('a lock in one tab masks shown values in all tabs (M32)', async () => {
  const other = await watched.context.newPage();
  await other.goto(page.url());
  await at.button('Master Pasword not entered', other).click();
  await fieldsOf(other).remember();
  await at.button('Master Pasword validated', other).waitFor();
  await other.getByRole('link', { name: 'Logout' }).click();
  await at.button('Hide', at.row('Root account')).waitFor({ state: 'detached' });
  await other.close();
});
