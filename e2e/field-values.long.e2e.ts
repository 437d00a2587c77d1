/** Large values and values from images: QR codes, long notes, files at and above the size limit. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import { fieldsOf } from './testing/vault/fields.ts';
import { noticing } from './testing/browser/noticing.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { signUpAtOnce } from './testing/people/people.ts';
import type { RunningServer } from './testing/server/server.ts';

const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
const LIMIT = 25 * 1024 * 1024;

let server: RunningServer;
let page: Page;
let at: ReturnType<typeof fieldsOf>;
const sent: string[] = [];

withOnePage(async (opened) => {
  ({ server, page } = opened);
  page.setDefaultTimeout(20_000);
  page.on('request', (request) => sent.push(`${request.method()} ${request.url()}`));
  at = fieldsOf(page);
  await signUpAtOnce(page, server.origin);
  await at.addTree('Production');
  await at.addEntry('Billing ledger');
  await at.openEntry('Billing ledger');
});
afterEach(async () => {
  await page.keyboard.press('Escape');
});

const openDialog = async (kind: string) => {
  await at.button('Add field', page.getByRole('main')).click();
  await at.dialog().getByText(kind, { exact: true }).click();
};
const writes = () => sent.filter((request) => /^(POST|PUT) .*\/fields/.test(request)).length;

test('the QR image of a TOTP fills in secret, algorithm and period, and is never sent', async () => {
  const { box, dialog } = at;
  await openDialog('TOTP');
  await box('Title', dialog()).fill('Sign-in');
  await dialog().getByLabel('QR image').setInputFiles(fixture('qr-address.png'));
  await dialog().getByText('The QR code in this image does not set up six-digit one-time codes').waitFor();
  await dialog()
    .getByLabel('QR image')
    .setInputFiles({ name: 'empty.png', mimeType: 'image/png', buffer: Buffer.from('no image') });
  await dialog().getByText('This file is not an image that this browser can read.').waitFor();

  const before = writes();
  await dialog().getByLabel('QR image').setInputFiles(fixture('qr-totp.png'));
  await expect.poll(() => box('Secret', dialog()).inputValue()).toMatch(/^otpauth:.*JBSWY3DPEHPK3PXP/);
  await expect.poll(() => dialog().getByRole('spinbutton', { name: 'Timeout, seconds' }).inputValue()).toBe('45');
  await expect.poll(() => dialog().getByRole('combobox', { name: 'Algorithm' }).inputValue()).toBe('sha256');
  expect(writes()).toBe(before);
  await at.button('Add field', dialog()).click();
  await at.closed();
  await at.button('Show code', at.row('Sign-in')).click();
  await expect.poll(() => at.row('Sign-in').innerText()).toMatch(/\d{3}\s*\d{3}\s+\d+ s/);
  await at.button('Hide code', at.row('Sign-in')).click();
});

/** Milliseconds that the page's clock is ahead of the true time. */
const setClock = (off: number) =>
  page.evaluate((ahead) => {
    const kept = globalThis as { trueNow?: () => number };
    const now = (kept.trueNow ??= Date.now.bind(Date));
    Date.now = () => now() + ahead;
  }, off);

test('a wrong device clock shows a warning beside the code until it is corrected (M34)', async () => {
  const HOUR = 3_600_000;
  const row = at.row('Sign-in');
  const warning = row.getByRole('status').filter({ hasText: 'The clock of this device is' });
  /** A response of the server contains its time. */
  const askServer = async () => {
    await at.button('History of Sign-in', row).click();
    await at.dialog().getByRole('row').nth(1).waitFor();
    await page.keyboard.press('Escape');
    await at.closed();
  };
  await at.button('Show code', row).click();
  await at.button('Hide code', row).waitFor();
  try {
    await askServer();
    expect(await warning.count()).toBe(0);
    await setClock(3 * HOUR);
    await askServer();
    await warning.filter({ hasText: /is \d+ \w+ ahead of the server’s/ }).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await findings(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    // A clock that was set back is noticed without a response, too.
    await setClock(-3 * HOUR);
    await warning.filter({ hasText: /is \d+ \w+ behind the server’s/ }).waitFor();
    await setClock(0);
    await warning.waitFor({ state: 'detached' });
    await at.button('Hide code', row).click();
  } finally {
    await setClock(0);
  }
});

test('a pasted QR image fills in the secret', async () => {
  const { box, dialog } = at;
  await openDialog('TOTP');
  const bytes = [...readFileSync(fixture('qr-totp.png'))];
  await box('Secret', dialog()).evaluate((input, image) => {
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([new Uint8Array(image)], 'code.png', { type: 'image/png' }));
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, bytes);
  await expect.poll(() => box('Secret', dialog()).inputValue()).toMatch(/^otpauth:.*JBSWY3DPEHPK3PXP/);
});

test('a note at the size limit is stored whole; one byte more is refused and not sent', async () => {
  const { box, dialog, row } = at;
  const note = `first line\n${'ä'.repeat(524_280)}\nend`;
  const whole = note + ' '.repeat(1024 * 1024 - Buffer.byteLength(note));
  await openDialog('Note');
  await box('Title', dialog()).fill('Log');
  const before = writes();
  await box('Value', dialog()).fill(`${whole}.`);
  await at.button('Add field', dialog()).click();
  await dialog().getByText('The value is too long (at most 1 MB).').waitFor();
  expect(writes()).toBe(before);
  await box('Value', dialog()).fill(whole);
  await at.button('Add field', dialog()).click();
  await at.closed();
  await at.button('Show', row('Log')).click();
  await at.button('Hide', row('Log')).waitFor();
  const shown = row('Log').locator('[data-secret]');
  expect(await shown.evaluate((element) => element.textContent)).toBe(whole);
  // The note scrolls within the row.
  await expect.poll(async () => (await row('Log').boundingBox())?.height).toBeLessThan(400);
  await at.button('Hide', row('Log')).click();
});

test('a long note, current or former, has an accessible name and scrolls to its end by keyboard', async () => {
  const { box, dialog, row } = at;
  await openDialog('Note');
  await box('Title', dialog()).fill('Runbook');
  await box('Value', dialog()).fill(Array.from({ length: 80 }, (_, line) => `step ${line}`).join('\n'));
  await at.button('Add field', dialog()).click();
  await at.closed();
  await at.button('Show', row('Runbook')).click();
  const readToItsEnd = async (within: Locator) => {
    const text = within.getByRole('group', { name: 'Value of Runbook' });
    await text.focus();
    await page.keyboard.press('End');
    await expect.poll(() => text.evaluate((one) => one.scrollTop + one.clientHeight + 2 > one.scrollHeight)).toBe(true);
    expect(await findings(page)).toEqual([]);
  };
  await page.setViewportSize({ width: 390, height: 844 });
  await readToItsEnd(row('Runbook'));
  await page.setViewportSize({ width: 1440, height: 900 });
  await at.button('History of Runbook', row('Runbook')).click();
  await page.setViewportSize({ width: 390, height: 844 });
  await at.button('Show', dialog()).click();
  await readToItsEnd(dialog());
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press('Escape');
  await at.closed();
});

test('a file at the size limit is stored and shows progress; a larger one is neither read nor sent', async () => {
  const { box, dialog, row } = at;
  const choose = (size: number) =>
    dialog()
      .locator('input[type=file]')
      .evaluate((input, bytes) => {
        const files = new DataTransfer();
        files.items.add(new File([new Uint8Array(bytes).fill(5)], 'image.bin'));
        (input as HTMLInputElement).files = files.files;
        input.dispatchEvent(new Event('change', { bubbles: true }));
      }, size);
  await openDialog('File');
  await box('Title', dialog()).fill('Image');
  await page.evaluate(() => {
    for (const name of ['stream', 'arrayBuffer', 'slice', 'text'] as const) {
      const read = Blob.prototype[name] as () => unknown;
      Object.defineProperty(Blob.prototype, name, {
        configurable: true,
        value(this: Blob, ...given: []) {
          document.documentElement.dataset['read'] = name;
          return read.apply(this, given);
        },
      });
    }
  });
  const before = writes();
  await choose(LIMIT + 1);
  await dialog().getByText('The file is too large (at most 26.2 MB).').waitFor();
  await at.button('Add field', dialog()).click();
  await dialog().getByText('The file is too large (at most 26.2 MB).').waitFor();
  expect(writes()).toBe(before);
  expect(await page.evaluate(() => document.documentElement.dataset['read'])).toBeUndefined();

  await choose(LIMIT);
  await dialog().getByText('26.2 MB').first().waitFor();
  const sawProgress = await noticing(page, 'dialog [role=progressbar]');
  await at.button('Add field', dialog()).click();
  await page.getByRole('dialog').waitFor({ state: 'detached', timeout: 60_000 });
  expect(await sawProgress()).toBe(true);
  await row('Image').getByText('26.2 MB').waitFor();
  const downloading = page.waitForEvent('download', { timeout: 60_000 });
  await at.button('Download file', row('Image')).click();
  const stored = readFileSync(await (await downloading).path());
  expect(stored.length).toBe(LIMIT);
  expect(stored.every((byte) => byte === 5)).toBe(true);
});

test('a value is masked again after the chosen time, a TOTP code after 5 minutes', async () => {
  const { row, button, box, dialog } = at;
  await at.addField('Password', 'Root account', () => box('Value', dialog()).fill('first-Value_1'));
  const pass = (time: string) => page.clock.fastForward(time);
  await page.clock.install();
  const show = async () => {
    await button('Show', row('Root account')).click();
    await row('Root account').getByText('first-Value_1').waitFor();
  };
  await button('Show code', row('Sign-in')).click();
  await show();
  await pass('00:29');
  expect(await row('Root account').getByText('first-Value_1').count()).toBe(1);
  await pass('00:02');
  await row('Root account').getByText('first-Value_1').waitFor({ state: 'detached' });
  await button('Hide code', row('Sign-in')).waitFor();
  await page.evaluate(() => localStorage.setItem('passwordbroker.remask-seconds', '60'));
  await show();
  await pass('00:58');
  expect(await row('Root account').getByText('first-Value_1').count()).toBe(1);
  await pass('00:03');
  await row('Root account').getByText('first-Value_1').waitFor({ state: 'detached' });
  await button('Hide code', row('Sign-in')).waitFor();
  await pass('04:00');
  await button('Show code', row('Sign-in')).waitFor();
});
