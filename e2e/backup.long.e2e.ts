/**
 * Backups: schedule, a verified backup, its download, the second target, and recovery on an empty second
 * server. A wrong file or password changes nothing.
 */
import { mkdir, mkdtemp, readFile, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, Locator, Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import { makeSignInsOld } from './testing/people/accounts.ts';
import { addFormerBackups, makeBackupsOld } from './testing/server/backups.ts';
import { closePages, openPage, sharedBrowser, type WatchedPage } from './testing/browser/browser.ts';
import { fieldsOf } from './testing/vault/fields.ts';
import { beforeSending, lost } from './testing/browser/intercept.ts';
import { noticing } from './testing/browser/noticing.ts';
import { signUpAtOnce } from './testing/people/people.ts';
import { PERSON } from './testing/vault/screen.ts';
import { startServer, type RunningServer } from './testing/server/server.ts';

const ARCHIVE_PASSWORD = 'archive ☂ passphrase 63';
const VALUE = 'wG7-kestrel-41';
const TOKEN = 'setup-token-of-the-second-server';

/** Folder of the second target. */
let copies: string;
let server: RunningServer;
let second: RunningServer;
let browser: Browser;
let watched: WatchedPage;
let page: Page;
let screen: ReturnType<typeof fieldsOf>;
/** The downloaded archive. */
let archive: Buffer;
let archiveName: string;

beforeAll(async () => {
  copies = join(await mkdtemp(join(tmpdir(), 'passwordbroker-copies-')), 'second');
  await mkdir(copies);
  [server, second] = await Promise.all([
    startServer({ env: { BACKUP_COPY: copies } }),
    startServer({ env: { SETUP_TOKEN: TOKEN } }),
  ]);
  browser = await sharedBrowser();
  watched = await openPage(browser);
  page = watched.page;
  // Key derivation from archive passwords is slow.
  page.setDefaultTimeout(60_000);
  screen = fieldsOf(page);
  await signUpAtOnce(page, server.origin);
  await screen.addTree('Production');
  await screen.addEntry('Ledger');
  await screen.openEntry('Ledger');
  await screen.addField('Password', 'Root account', async () => {
    await screen.box('Login', screen.dialog()).fill('root');
    await screen.box('Value', screen.dialog()).fill(VALUE);
  });
  await page.goto(`${server.origin}/admin/backup/`);
  await screen.heading('Backup').waitFor();
});
afterAll(async () => {
  await closePages(browser);
  await Promise.all([server.stop(), second.stop()]);
  await rm(dirname(copies), { recursive: true });
});
afterEach(() => {
  expect(watched.complaints()).toEqual([]);
});

const form = () => page.getByRole('form', { name: 'Schedule' });
const hour = (text: string) => form().getByRole('checkbox', { name: text, exact: true });
const table = () => page.getByRole('table', { name: 'Backups' });
const rows = () => table().getByRole('row');
const password = (within: Page | Locator) => within.getByLabel(/^Archive password/);
const save = () => screen.button('Save', form()).click();

/** State of the newest backup, read through the API. */
async function stateOfNewest(): Promise<string> {
  const answer = await page.context().request.get(`${server.origin}/system/api/backups?page=1`);
  const { data } = (await answer.json()) as { data: readonly { state: string }[] };
  return data[0]?.state ?? 'await';
}

/** No axe findings and no horizontal scrolling, in both widths and themes. */
async function looksRight(within?: string): Promise<void> {
  for (const [width, theme] of [
    [1440, 'dark'],
    [1440, 'light'],
    [390, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate((name) => (document.documentElement.dataset['theme'] = name), theme);
    expect([width, theme, await findings(page, within)]).toEqual([width, theme, []]);
    const wider = await page.evaluate(() => {
      const main = document.querySelector('main');
      return main === null ? -1 : main.scrollWidth - main.clientWidth;
    });
    expect([width, wider]).toEqual([width, 0]);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

describe('the schedule', () => {
  test('the 24 hours are chosen by keyboard (arrows, space); a schedule without an hour is not saved', async () => {
    await form()
      .getByText(/^Server time \(\w/)
      .waitFor();
    expect(await form().getByRole('group', { name: 'Backup hours' }).getByRole('checkbox').allInnerTexts()).toEqual(
      Array.from({ length: 24 }, (_, at) => `${String(at).padStart(2, '0')}:00`),
    );
    const chosen = form().getByRole('group', { name: 'Backup hours' }).getByRole('checkbox', { checked: true });
    for (let count = await chosen.count(); count > 0; count -= 1) await chosen.first().click();
    expect(await chosen.count()).toBe(0);
    const sent: string[] = [];
    page.on('request', (request) => void (request.method() === 'POST' && sent.push(request.url())));
    await save();
    await form().getByRole('alert').getByText('Picking time is required').waitFor();
    expect(sent).toEqual([]);
    page.removeAllListeners('request');

    await hour('00:00').focus();
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'Space', 'ArrowDown', 'Space', 'End', 'ArrowRight']) {
      await page.keyboard.press(key);
    }
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('23:00');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('password');
    await save();
    await form().getByText('The time has been saved').waitFor();
    await expect
      .poll(() => screen.call('GET', '/system/api/setting/backupSetting/backup'))
      .toMatchObject({ schedule: [3, 15], archive_password_set: false });
  });

  test('sending by e-mail requires an address, and the settings survive a reload', async () => {
    await form().getByRole('switch', { name: 'Send by e-mail' }).click();
    await save();
    await form().getByRole('alert').getByText('Please enter a valid email address. Try again, please.').waitFor();
    await screen.box('E-mail', form()).fill('ops@example.org');
    await form().getByRole('switch', { name: 'Enabled' }).click();
    await save();
    await form().getByText('The time has been saved').waitFor();
    const isEnabled = await form().getByRole('switch', { name: 'Enabled' }).isChecked();
    await page.reload();
    await expect.poll(() => screen.box('E-mail', form()).inputValue()).toBe('ops@example.org');
    expect(await form().getByRole('switch', { name: 'Enabled' }).isChecked()).toBe(isEnabled);
    expect(await hour('15:00').getAttribute('aria-checked')).toBe('true');
  });

  test('a warning shows until an archive password is set, and the password is never displayed', async () => {
    const warning = form().getByText('Titles, logins and users are readable in the file.');
    await warning.waitFor();
    await password(form()).fill(ARCHIVE_PASSWORD);
    await warning.waitFor({ state: 'detached' });
    await save();
    await form().getByText('The time has been saved').waitFor();
    await expect.poll(() => password(form()).inputValue()).toBe('');
    await form().getByText('A password is set. Leave empty to keep it.').waitFor();
    await screen.box('Remove the archive password', form()).click();
    await warning.waitFor();
    await screen.box('Remove the archive password', form()).click();
    expect(await page.content()).not.toContain(ARCHIVE_PASSWORD);
  });
});

describe('backups', () => {
  test('an empty list says so; a failed request shows on the button', async () => {
    await page.getByText('No backup data available.').waitFor();
    const stop = await beforeSending(page, '*/system/api/backups', (caught) =>
      caught.method === 'POST' ? caught.lose() : caught.goOn(),
    );
    await screen.button('Create a new backup').click();
    await screen.button('Something went wrong, try again').waitFor();
    await stop();
  });

  test('a backup is requested after three seconds, and its row shows progress until it is verified', async () => {
    let requestedAt = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/system/api/backups')) requestedAt = Date.now();
    });
    // The page polls once a second. Its first poll after the request waits until the backup has started, so
    // that the page sees this state.
    const stop = await beforeSending(page, '*/system/api/backups*', async (caught) => {
      if (caught.method === 'GET' && requestedAt > 0)
        await expect.poll(stateOfNewest, { timeout: 20_000, interval: 10 }).not.toBe('await');
      await caught.goOn();
    });
    const pressedAt = Date.now();
    await screen.button('Something went wrong, try again').click();
    await screen.button('Sending a backup request...').waitFor();
    expect(requestedAt).toBe(0);
    await screen.button('Backup request has been sent').waitFor();
    expect(requestedAt - pressedAt).toBeGreaterThanOrEqual(2900);
    page.removeAllListeners('request');
    const row = rows().nth(1);
    // The row shows progress while the backup is made.
    await row.getByText('creating', { exact: true }).waitFor();
    await row.getByRole('progressbar', { name: 'Creating and verifying' }).waitFor();
    await stop();
    await row.getByText('created', { exact: true }).waitFor();
    await row.getByText('verified', { exact: true }).waitFor();
    await row.getByText('encrypted', { exact: true }).waitFor();
    expect(await row.innerText()).toContain('1 user, 1 group, 1 entry, 1 field, 1 revision, 0 files');
    expect(await row.innerText()).toMatch(/pb_backup_\d{4}_\d\d_\d\d__\d\d_\d\d_\d\d\.tar\.gz\.age/);
    expect(await row.innerText()).toMatch(/\d kB/);
    await screen.button('Create a new backup').waitFor();
    await looksRight('main');
  });

  test('verifying again asks for the archive password, and asks again if it is wrong', async () => {
    const row = rows().nth(1);
    await screen.button(/^Verify again pb_backup_/, row).focus();
    await page.keyboard.press('Enter');
    const question = page.getByRole('dialog', { name: 'Verify again' });
    await question.waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('password');
    await page.keyboard.press('Enter');
    await question.getByText('Please enter the archive password.').waitFor();
    await page.keyboard.type('a wrong one');
    await page.keyboard.press('Enter');
    await question.getByText('The backup needs a password or the password is wrong.').waitFor();
    expect(await findings(page, 'dialog')).toEqual([]);
    await row.evaluate((element) => element.setAttribute('data-watched', ''));
    const sawProgress = await noticing(page, '[data-watched] [role=progressbar][aria-label=Verifying]');
    await page.keyboard.type(ARCHIVE_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText(/^pb_backup_\S+ verified$/).waitFor();
    expect(await sawProgress()).toBe(true);
    await row.getByText(/^Test restore \d{4}\./).waitFor();
  });

  test('the list can be hidden, has twenty backups per page, and explains failed and removed ones', async () => {
    await addFormerBackups(server.dataDir, 24);
    await screen.button('Hide list').click();
    await table().waitFor({ state: 'detached' });
    await screen.button('Get backups').click();
    await expect.poll(() => rows().count()).toBe(21);
    await rows().getByText('No space left').first().waitFor();
    await rows()
      .getByText(/^Removed 2026\./)
      .first()
      .waitFor();
    await screen.button('Next page').click();
    await expect.poll(() => rows().count()).toBe(6);
    // Fewer rows make the check with axe much faster.
    await looksRight('main');
    await screen.button('Previous page').click();
    await expect.poll(() => rows().count()).toBe(21);
  });

  test('a download asks for the account password if the sign-in is old', async () => {
    await makeSignInsOld(server.dataDir);
    const downloads = page.waitForEvent('download');
    await screen.button(/^Download pb_backup_/).click();
    const confirmation = page.getByRole('dialog', { name: 'Confirm your password first' });
    await screen.box('Password', confirmation).fill(PERSON.password);
    await page.keyboard.press('Enter');
    const download = await downloads;
    archiveName = download.suggestedFilename();
    archive = await readFile(await download.path());
    const stored = await readFile(join(server.dataDir, 'backups', archiveName));
    expect(archive.equals(stored)).toBe(true);
    expect(archive.subarray(0, 21).toString()).toBe('age-encryption.org/v1');
  });

  test('a change of the schedule also asks for the account password if the sign-in is old', async () => {
    await makeSignInsOld(server.dataDir);
    await hour('07:00').click();
    await screen.box('E-mail', form()).fill('others@example.org');
    await save();
    const confirmation = page.getByRole('dialog', { name: 'Confirm your password first' });
    await confirmation.waitFor();
    await page.keyboard.press('Escape');
    await confirmation.waitFor({ state: 'detached' });
    expect(await screen.box('E-mail', form()).inputValue()).toBe('others@example.org');
    await save();
    await screen.box('Password', confirmation).fill(PERSON.password);
    await page.keyboard.press('Enter');
    await form().getByText('The time has been saved').waitFor();
    await expect
      .poll(() => screen.call('GET', '/system/api/setting/backupSetting/backup'))
      .toMatchObject({ schedule: [3, 7, 15], email: 'others@example.org' });
  });
});

describe('the second target', () => {
  const section = () => page.getByRole('region', { name: 'Second target' });
  const newest = () => rows().nth(1);

  test('the target contains each archive, and the page names the target', async () => {
    await section().getByText(copies, { exact: true }).waitFor();
    await newest().getByText('copied', { exact: true }).waitFor();
    expect(await readdir(copies)).toEqual([archiveName]);
    expect((await readFile(join(copies, archiveName))).equals(archive)).toBe(true);
  });

  test('a missing target shows its reason in the row and the section, and a copy is retried by keyboard', async () => {
    const missing = 'The folder of the second target is not there. Is its disk mounted?';
    await rename(copies, `${copies}-away`);
    await screen.button(/^Copy again/, newest()).focus();
    await page.keyboard.press('Enter');
    await newest().getByText('not copied', { exact: true }).waitFor();
    await newest().getByText(missing).waitFor();
    await newest()
      .getByText(/^Next try \d{4}\./)
      .waitFor();
    await section().getByText(missing).waitFor({ timeout: 20_000 });
    await looksRight('main');
    await rename(`${copies}-away`, copies);
    await screen.button(/^Copy again/, newest()).focus();
    await page.keyboard.press('Enter');
    await newest().getByText('copied', { exact: true }).waitFor();
  });

  test('after a day without a backup every page of the admin panel warns and links to the backup page', async () => {
    await makeBackupsOld(server.dataDir);
    await page.goto(`${server.origin}/admin/user_control/`);
    await page.getByText(/^No backup has succeeded for a day\. Last backup: \d{4}\./).waitFor();
    await looksRight('main');
    await page.getByRole('link', { name: 'Open backups' }).focus();
    await page.keyboard.press('Enter');
    await screen.heading('Backup').waitFor();
  });
});

describe('an empty server', () => {
  const choose = (name: string, buffer: Buffer) =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
  const recover = () => screen.button('Recover').click();
  const said = (text: string) => page.getByRole('main').getByText(text).waitFor();

  test('sign-up and recovery link to each other, and recovery has an address of its own', async () => {
    await page.goto(second.origin);
    await page.getByRole('link', { name: 'Recover this server from a backup instead' }).click();
    await screen.heading('Initial recovery').waitFor();
    await page.getByRole('link', { name: 'Create the first user instead' }).click();
    await screen.heading('Create the first user').waitFor();
    await page.goto(`${second.origin}/identity/initialRecovery`);
    await screen.heading('Initial recovery').waitFor();
    await page.goto(`${server.origin}/identity/initialRecovery`);
    await page.getByRole('heading', { name: 'Groups', exact: true }).waitFor();
  });

  test('by keyboard: a missing or wrong file, token or password shows the error of the specification', async () => {
    await page.goto(`${second.origin}/identity/initialRecovery`);
    await screen.box('Setup token').focus();
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('choose a backup file');
    await screen.button('Recover').focus();
    await page.keyboard.press('Enter');
    await said('Please select a backup file');
    await looksRight();

    await choose(archiveName, archive);
    await recover();
    await said('The setup token is missing or wrong');
    await screen.box('Setup token').fill(TOKEN);
    await choose('holiday.jpg', Buffer.from('no archive at all, but a picture'));
    await recover();
    await said('The file is not a backup of this product.');
    await choose(archiveName, archive);
    await password(page).fill('wrong one');
    await recover();
    await said('The backup needs a password or the password is wrong.');
    const damaged = Buffer.from(archive);
    damaged[Math.floor(damaged.length * 0.75)] = (damaged[Math.floor(damaged.length * 0.75)] ?? 0) ^ 0x10;
    await choose(archiveName, damaged);
    await password(page).fill(ARCHIVE_PASSWORD);
    await recover();
    await said('The backup is damaged.');
    // The connection breaks before the server has the file.
    const stop = await beforeSending(page, '*/system/api/recovery', lost);
    await recover();
    await said('Something going wrong try again');
    await stop();
    expect(await screen.call('GET', '/system/api/recovery')).toEqual({ available: true });
  });

  test('the right archive is restored; then a user logs in again and reads a value', async () => {
    await choose(archiveName, archive);
    // Delays the upload until the progress view has been checked.
    let letGo = () => {};
    const looked = new Promise<void>((resolve) => (letGo = resolve));
    const stop = await beforeSending(page, '*/system/api/recovery', async (caught) => {
      if (caught.method === 'POST') await looked;
      await caught.goOn();
    });
    await recover();
    await page.getByRole('main').getByRole('progressbar').waitFor();
    await looksRight('main').finally(letGo);
    await screen.button('Go to login').waitFor();
    await stop();
    await said('The backup has been restored.');
    await looksRight('main');
    await page.keyboard.press('Enter');
    await screen.heading('Log in').waitFor();
    await screen.box('Email').fill(PERSON.email);
    await screen.box('Password').fill(PERSON.password);
    await page.keyboard.press('Enter');
    await screen.treeRow('Production, Admin').click();
    await screen.openEntry('Ledger');
    await screen.button('Show', screen.row('Root account')).click();
    await screen.remember();
    await expect.poll(() => screen.row('Root account').innerText()).toContain(VALUE);
  });

  test('a server with users offers no recovery', async () => {
    await page.goto(`${second.origin}/identity/initialRecovery`);
    await page.getByRole('heading', { name: 'Groups', exact: true }).waitFor();
  });
});
