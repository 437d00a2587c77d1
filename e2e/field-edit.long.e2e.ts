/** Editing and deleting fields: all types, edit conflicts, the lock, the keyboard, a phone. */
import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import type { WatchedPage } from './testing/browser/browser.ts';
import { fieldsOf } from './testing/vault/fields.ts';
import { beforeSending } from './testing/browser/intercept.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { signUpAtOnce } from './testing/people/people.ts';
import { PERSON } from './testing/vault/screen.ts';
import type { RunningServer } from './testing/server/server.ts';

const FILE = { name: 'first.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(150_000, 7) };
const OTHER_FILE = { name: 'second.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(200_001, 9) };

let server: RunningServer;
let watched: WatchedPage;
let page: Page;
let at: ReturnType<typeof fieldsOf>;

withOnePage(async (opened) => {
  ({ server, watched, page } = opened);
  page.setDefaultTimeout(10_000);
  at = fieldsOf(page);
  await signUpAtOnce(page, server.origin);
  await at.addTree('Production');
  await at.addEntry('Billing ledger');
  await at.openEntry('Billing ledger');
  const { box, dialog, addField } = at;
  await addField('Password', 'Root account', async () => {
    await box('Login', dialog()).fill('ledger_root');
    await box('Value', dialog()).fill('first-Value_1');
  });
  await addField('Link', 'Console', () => box('Value', dialog()).fill('https://console.ledger.internal:8443/primary'));
  await addField('Note', 'Runbook', () => box('Value', dialog()).fill('Pause billing.'));
  await addField('TOTP', 'Sign-in', () => box('Secret', dialog()).fill('JBSWY3DPEHPK3PXP'));
  await addField('File', 'Certificate', () => dialog().locator('input[type=file]').setInputFiles(FILE));
});
afterEach(async () => {
  await page.keyboard.press('Escape');
});

async function edit(title: string) {
  await at.button(`Edit ${title}`, at.row(title)).click();
  await at.button('Save', at.dialog()).waitFor();
}
async function save() {
  await at.button('Save', at.dialog()).click();
  await at.closed();
}

test('the dialog opens once the value is decrypted, and masks it', async () => {
  let release = () => undefined as void;
  const held = new Promise<void>((resolve) => (release = resolve));
  const stop = await beforeSending(page, '*/envelope', async (caught) => {
    await held;
    await caught.goOn();
  });
  try {
    await at.button('Edit Root account', at.row('Root account')).click();
    await expect
      .poll(() => at.button('Edit Root account', at.row('Root account')).getAttribute('aria-busy'), { timeout: 10_000 })
      .toBe('true');
    expect(await page.getByRole('dialog').count()).toBe(0);
  } finally {
    release();
  }
  await at.button('Save', at.dialog()).waitFor();
  await stop();
  await at.dialog().getByText('Password in Billing ledger').waitFor();
  expect(await at.box('Title', at.dialog()).inputValue()).toBe('Root account');
  expect(await at.box('Login', at.dialog()).inputValue()).toBe('ledger_root');
  expect(await at.box('Value', at.dialog()).getAttribute('type')).toBe('password');
  expect(await at.box('Value', at.dialog()).inputValue()).toBe('first-Value_1');
  await page.keyboard.press('Escape');
  await at.closed();
  expect(await page.content()).not.toContain('first-Value_1');
});

test('every type of field can be changed and shows its new value', async () => {
  const { box, dialog, row } = at;
  await edit('Root account');
  await box('Login', dialog()).fill('ledger_admin');
  await box('Value', dialog()).fill('second-Value_2');
  await save();
  await row('Root account').getByText('ledger_admin').waitFor();
  expect(await at.shownIn('Root account')).toContain('second-Value_2');

  await edit('Root account');
  await at.button('Generate a new password', dialog()).click();
  const generated = await box('Value', dialog()).inputValue();
  expect(generated).toMatch(/^[\w-]{24}$/);
  await at.button('Keep the current password', dialog()).click();
  expect(await box('Value', dialog()).inputValue()).toBe('second-Value_2');
  await page.keyboard.press('Escape');

  await edit('Console');
  await box('Value', dialog()).fill('https://console.ledger.internal:8443/replica');
  await save();
  await at.button('Show', row('Console')).click();
  await row('Console')
    .getByRole('link', { name: /replica/ })
    .waitFor();

  await edit('Runbook');
  await box('Title', dialog()).fill('Runbook, failover');
  await box('Value', dialog()).fill('Pause billing.\nThen promote.');
  await save();
  expect(await at.shownIn('Runbook, failover')).toContain('Then promote.');

  await edit('Sign-in');
  await dialog().getByRole('spinbutton', { name: 'Timeout, seconds' }).fill('45');
  await save();
  await at.button('Show code', row('Sign-in')).click();
  await expect.poll(() => row('Sign-in').innerText()).toMatch(/\d{3}\s*\d{3}\s+\d+ s/);
});

test('a renamed file keeps its bytes, and another file can replace it', async () => {
  const { box, dialog, row } = at;
  const download = async (title: string) => {
    const downloading = page.waitForEvent('download');
    await at.button('Download file', row(title)).click();
    return readFileSync(await (await downloading).path());
  };
  await edit('Certificate');
  await dialog().getByText('first.bin').waitFor();
  await box('Title', dialog()).fill('Certificate of 2026');
  await save();
  expect((await download('Certificate of 2026')).equals(FILE.buffer)).toBe(true);

  await edit('Certificate of 2026');
  await dialog().locator('input[type=file]').setInputFiles(OTHER_FILE);
  await dialog().getByText('second.bin').waitFor();
  await save();
  await row('Certificate of 2026').getByText('200 kB').waitFor();
  expect((await download('Certificate of 2026')).equals(OTHER_FILE.buffer)).toBe(true);
});

test('errors are those of the specification, and an unchanged value is not written', async () => {
  const { box, dialog } = at;
  await edit('Root account');
  await box('Value', dialog()).fill('');
  await at.button('Save', dialog()).click();
  await dialog().getByText('Field Value is missing').waitFor();
  await box('Value', dialog()).fill('second-Value_2');
  let writes = 0;
  const count = (request: { method(): string }) => {
    if (request.method() === 'PUT') writes += 1;
  };
  page.on('request', count);
  await save();
  page.off('request', count);
  expect(writes).toBe(0);
});

test('an edit conflict shows both values, and the user chooses one', async () => {
  const { box, dialog } = at;
  const other = await watched.context.newPage();
  other.setDefaultTimeout(10_000);
  const there = fieldsOf(other);
  await other.goto(page.url());
  await there.openEntry('Billing ledger');
  // A background tab renders rarely, so clicks there would be slow.
  const changeThere = async (value: string) => {
    await other.bringToFront();
    await there.button('Edit Root account', there.row('Root account')).click();
    if ((await other.getByRole('dialog').filter({ hasText: 'Remember' }).count()) > 0) await there.remember();
    await there.box('Value', there.dialog()).fill(value);
    await there.button('Save', there.dialog()).click();
    await there.closed();
    await page.bringToFront();
  };
  await there.button('Master Pasword not entered').click();
  await there.remember();
  await there.button('Master Pasword validated').waitFor();

  await page.bringToFront();
  const row = at.row('Root account');
  await at.button('Show', row).click();
  await at.button('Hide', row).waitFor();
  await edit('Root account');
  await changeThere('theirs-Value_3');
  await box('Value', dialog()).fill('mine-Value_4');
  await at.button('Save', dialog()).click();
  await dialog()
    .getByText(/Nothing was overwritten/)
    .waitFor();
  await dialog()
    .getByText(new RegExp(`Saved by ${PERSON.name}`))
    .waitFor();
  expect(await dialog().innerText()).not.toContain('theirs-Value_3');
  await at.button('Show values', dialog()).click();
  await expect.poll(() => dialog().innerText()).toMatch(/theirs-Value_3[^]*mine-Value_4/);
  expect(await findings(page, 'dialog')).toEqual([]);

  await at.button('Keep theirs', dialog()).click();
  await at.closed();
  // The value shown in the row was that of the former revision.
  await at.button('Show', row).waitFor({ timeout: 3000 });
  expect(await at.shownIn('Root account')).toContain('theirs-Value_3');
  await other.reload();

  await edit('Root account');
  expect(await box('Value', dialog()).inputValue()).toBe('theirs-Value_3');
  await other.bringToFront();
  await there.openEntry('Billing ledger');
  await there.button('Master Pasword not entered').click();
  await there.remember();
  await changeThere('theirs-Value_5');
  await box('Value', dialog()).fill('mine-Value_6');
  await at.button('Save', dialog()).click();
  await dialog()
    .getByText(/Nothing was overwritten/)
    .waitFor();
  await at.button('Back to editing', dialog()).click();
  await expect.poll(() => box('Value', dialog()).inputValue()).toBe('mine-Value_6');
  await at.button('Save', dialog()).click();
  await at.button('Save mine', dialog()).click();
  await at.closed();
  expect(await at.shownIn('Root account')).toContain('mine-Value_6');
  await other.close();
});

test('a lock closes the dialog, and what was typed comes back after the unlock', async () => {
  await edit('Root account');
  await at.box('Value', at.dialog()).fill('typed-Value_7');
  const other = await watched.context.newPage();
  const there = fieldsOf(other);
  await other.goto(page.url());
  await there.button('Master Pasword not entered').click();
  await there.remember();
  await there.button('Master password menu').click();
  await other.getByRole('menuitem', { name: 'Lock now' }).click();
  await at.closed();
  await at.notice('What you typed comes back at its place when you unlock it.').waitFor();
  expect(await page.content()).not.toContain('typed-Value_7');
  await other.close();
  await at.button('Master Pasword not entered').click();
  await at.remember();
  await expect.poll(() => at.box('Value', at.dialog()).inputValue()).toBe('typed-Value_7');
  await at.button('Cancel', at.dialog()).click();
  await at.closed();
  await at.button('Master password menu').click();
  await page.getByRole('menuitem', { name: 'Lock now' }).click();
  await at.button('Master Pasword not entered').waitFor();
});

test('a deletion asks for confirmation, shows a notice, is logged, and can be undone', async () => {
  const { dialog, row } = at;
  await at.button('Delete Console', row('Console')).click();
  const question = page.getByRole('alertdialog', { name: 'Delete field Console?' });
  await question.waitFor();
  expect(await findings(page, 'dialog')).toEqual([]);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel');
  await page.keyboard.press('Enter');
  await question.waitFor({ state: 'detached' });
  await row('Console').waitFor();

  await at.button('Delete Console', row('Console')).click();
  await at.button('Delete field', question).click();
  // The test before locked the vault, so the deletion asks for the master password.
  await dialog().getByText('Needed to delete “Console”.').waitFor();
  await at.remember();
  await at.notice('Field "Console" deleted').waitFor();
  await row('Console').waitFor({ state: 'detached' });
  // The focus goes to the next field.
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('row');
  await at.notice('Field "Console" deleted').getByRole('button', { name: 'Undo' }).click();
  await row('Console').waitFor();
  await at.button('Activity log').click();
  const log = page.getByRole('complementary', { name: 'Activity log' });
  await log.getByText('Field "Console" deleted').waitFor();
  await log.getByText('Field "Console" restored').waitFor();
  await at.button('Activity log').first().click();
});

test('E and Delete open their dialogs by keyboard, and the focus returns to the row', async () => {
  const { box, dialog, row } = at;
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-keyshortcuts'));
  await row('Root account').focus();
  expect(await focused()).toBe('S C L H E Delete');
  await page.keyboard.press('e');
  await at.button('Save', dialog()).waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('value'))).toBe('Root account');
  await page.keyboard.type(', primary');
  await page.keyboard.press('Enter');
  await at.closed();
  await row('Root account, primary').waitFor();
  await expect.poll(focused).toBe('S C L H E Delete');
  await page.keyboard.press('Delete');
  await page.getByRole('alertdialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  await expect.poll(focused).toBe('S C L H E Delete');
  await page.keyboard.press('h');
  await dialog().getByRole('columnheader', { name: 'Action', exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await at.closed();
  expect(await box('Title').count()).toBe(0);
});

test.each(['dark', 'light'])('the dialogs have no axe findings in the %s theme', async (theme) => {
  await page.evaluate((name) => document.documentElement.setAttribute('data-theme', name), theme);
  for (const title of ['Root account, primary', 'Sign-in', 'Certificate of 2026']) {
    await edit(title);
    expect(await findings(page, 'dialog')).toEqual([]);
    await page.keyboard.press('Escape');
    await at.closed();
  }
});

test('on a phone the commands of a field are in one menu', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { row } = at;
  await expect.poll(() => at.button('Edit Sign-in', row('Sign-in')).isVisible()).toBe(false);
  await at.button('Actions for Sign-in', row('Sign-in')).click();
  await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
  await at.button('Save', at.dialog()).waitFor();
  expect(await findings(page, 'dialog')).toEqual([]);
  await page.keyboard.press('Escape');
  await at.closed();
  await page.setViewportSize({ width: 1440, height: 900 });
});
