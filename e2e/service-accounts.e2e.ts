/** Service accounts in the browser: made, stored, added to a group, used by `pb`, ended, renewed, deleted; and those of people who left. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { fingerprintWords } from '@passwordbroker/core/domain/keyring/fingerprint-words';
import { readCredential } from '@passwordbroker/core/domain/keyring/service/service-credential';
import { findLeaks } from '../server/src/testing/leaks.ts';
import { findings } from './testing/accessibility/accessibility.ts';
import { memoryOf, storageOf } from './testing/browser/browser-storage.ts';
import { openPage } from './testing/browser/browser.ts';
import { pastedText } from './testing/browser/clipboard.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { addPeople, type Person, signIn, signUpAtOnce } from './testing/people/people.ts';
import type { RunningServer } from './testing/server/server.ts';
import { fieldsOf } from './testing/vault/fields.ts';
import { PERSON, screenOf } from './testing/vault/screen.ts';
import { usersOf } from './testing/vault/users.ts';

const PB = join(import.meta.dirname, '..', 'cli', 'dist', 'pb.js');
const VALUE = 'q8-Rf3!wZ_47uM';
const folder = mkdtempSync(join(tmpdir(), 'pb-services-'));

let server: RunningServer;
let browser: Browser;
let page: Page;
let at: ReturnType<typeof fieldsOf>;
let users: ReturnType<typeof usersOf>;
let bob: Person;
let credential = '';
let pins = '';

withOnePage(async (opened) => {
  ({ server, browser, page } = opened);
  page.setDefaultTimeout(15_000);
  at = fieldsOf(page);
  users = usersOf(page, screenOf(page));
  await signUpAtOnce(page, server.origin);
  [bob] = await addPeople(screenOf(page), server.dataDir, ['Bob Brandt'] as const);
  await at.addTree('Ops');
  await at.addEntry('db');
  await at.openEntry('db');
  await at.addField('Password', 'root', () => at.box('Value', at.dialog()).fill(VALUE));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** As a job of a pipeline, in a fresh container. */
const pb = (arguments_: readonly string[], secret = credential) =>
  new Promise<{ readonly code: number; readonly out: string; readonly err: string }>((resolve) => {
    const { PATH } = process.env;
    const state = mkdtempSync(join(folder, 'state-'));
    const env = { PATH, HOME: state, PB_STATE_DIR: state, PB_SERVICE: secret, PB_SERVICE_PINS: pins };
    execFile(process.execPath, [PB, ...arguments_], { env }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
  });

const list = () => page.getByRole('region', { name: 'Service accounts', exact: true });
const row = (name: string) =>
  list()
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: `More for ${name}` }) });
const notice = (text: string) => page.getByRole('region', { name: 'Notices' }).getByText(text).last();
const question = () => page.getByRole('alertdialog');

async function openAccount() {
  await page.goto(`${server.origin}/account`);
  await list().waitFor();
}

async function choose(name: string, verb: string) {
  await at.button(`More for ${name}`, list()).click();
  await page.getByRole('menuitem', { name: verb }).click();
}

/** Reads both secrets, says that they are stored and closes. */
async function storeCredential() {
  const dialog = at.dialog();
  await dialog
    .getByText('This is shown once. Put it into the secret store of your CI as PB_SERVICE.', { exact: true })
    .waitFor();
  const [text = '', line = ''] = await dialog.locator('code').allInnerTexts();
  credential = text.trim();
  pins = /^PB_SERVICE_PINS=([0-9a-f]{64})$/.exec(line.trim())?.[1] ?? '';
  expect(readCredential(credential)?.origin).toBe(server.origin);
}

async function closeCredential() {
  await at.dialog().getByLabel('I have stored it').check();
  await at.button('Done', at.dialog()).click();
  await at.closed();
}

test('one is made by keyboard alone; its credential is shown until it is stored, and nothing of it stays', async () => {
  await openAccount();
  await list().getByText('No service accounts').waitFor();
  await at.button('Add', list()).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'New service account' }).waitFor();
  await page.keyboard.type('deploy');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Releases of the shop');
  await page.keyboard.press('Tab');
  await page.keyboard.type('127.0.0.0/8, ::1, nonsense');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await at.remember();
  await at.dialog().getByText('nonsense: This is not a network.').waitFor();
  expect(await findings(page, 'dialog[open]')).toEqual([]);
  await at
    .dialog()
    .getByLabel(/^Networks/)
    .focus();
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Enter');
  await storeCredential();
  expect(await findings(page, 'dialog[open]')).toEqual([]);
  // Neither Escape nor the button closes it before.
  await page.keyboard.press('Escape');
  await at.button('Done', at.dialog()).focus();
  await page.keyboard.press('Enter');
  expect(await at.dialog().getByText('This is shown once.').count()).toBe(1);
  await at.button('Copy the credential', at.dialog()).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => pastedText(page)).toBe(credential);
  const saving = page.waitForEvent('download');
  await at.button('Save as file', at.dialog()).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe('deploy.credential');
  expect(readFileSync(await saved.path(), 'utf8')).toBe(`${credential}\n`);
  await at.dialog().getByLabel('I have stored it').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await at.closed();
  expect(await at.button('Add', list()).evaluate((button) => button === document.activeElement)).toBe(true);
  await row('deploy').getByText('not used yet', { exact: true }).first().waitFor();
  await row('deploy').getByText('Releases of the shop').waitFor();
  await row('deploy').getByText('only from 127.0.0.0/8, ::1').waitFor();
  expect(await findings(page)).toEqual([]);
  const places = { ...(await storageOf(page)), page: Buffer.from(await page.content()), memory: await memoryOf(page) };
  expect(findLeaks({ credential: Buffer.from(credential) }, places)).toEqual([]);
});

test('in a group it is added as a member only, under its mark; its maker compares no words', async () => {
  await page.goto(server.origin);
  await at.treeRow('Ops, Admin').click();
  await users.open();
  await at.box('Add new user').fill('deploy');
  const add = at.button('add as Member: deploy');
  await add.waitFor();
  expect(await at.button(/^add as .*: deploy$/).count()).toBe(1);
  await at.box('Add new user').press('ArrowDown');
  expect(await add.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  await at.remember();
  await users.row('deploy').getByText(`owner: ${PERSON.name}, read only`).waitFor();
  await users.row('deploy').getByText('service', { exact: true }).waitFor();
  expect(
    await users
      .row('deploy')
      .getByRole('button', { name: /^Member, / })
      .count(),
  ).toBe(0);
  expect(await findings(page)).toEqual([]);
  await users
    .row('deploy')
    .getByRole('button', { name: /deploy.*: verified|verified/ })
    .click();
  const { data } = await at.call<{ data: { fpr: string }[] }>('GET', '/identity/api/serviceAccounts');
  expect(await users.words()).toEqual(fingerprintWords(data[0]?.fpr ?? ''));
  await at.button('Close', at.dialog().getByRole('contentinfo').or(at.dialog())).last().click();
  await at.closed();
});

test('pb reads the value with it, and the history names it', async () => {
  expect(await pb(['get', 'Ops/db'])).toEqual({ code: 0, out: VALUE, err: '' });
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByRole('main').getByRole('row').filter({ hasText: 'deploy' }).first().waitFor();
  await openAccount();
  await row('deploy').getByText('in use', { exact: true }).waitFor();
  await row('deploy').getByText('1 group', { exact: true }).waitFor();
  await row('deploy')
    .getByText(/^last used .* from (?:127\.0\.0\.1|::1)$/)
    .waitFor();
});

test('name and networks change, and it can be switched off for a while', async () => {
  await choose('deploy', 'Change');
  await at.box('Name', at.dialog()).fill('release');
  await at.dialog().getByLabel('Disabled').check();
  await at.button('Save', at.dialog()).click();
  await at.closed();
  await row('release').getByText('disabled', { exact: true }).waitFor();
  expect((await pb(['get', 'Ops/db'])).code).toBe(9);
  await choose('release', 'Change');
  await at.dialog().getByLabel('Disabled').uncheck();
  await at.button('Save', at.dialog()).click();
  await at.closed();
  await row('release').getByText('in use', { exact: true }).waitFor();
  expect((await pb(['get', 'Ops/db'])).code).toBe(0);
});

test('after its end a new credential opens the same groups again', async () => {
  await at.button(/^End the credential of release/, list()).click();
  await at.button('Cancel', question()).click();
  await at.button(/^End the credential of release/, list()).click();
  expect(await findings(page, 'dialog[open]')).toEqual([]);
  await at.button('End', question()).click();
  await row('release').getByText('ended', { exact: true }).waitFor();
  await expect
    .poll(() => at.button('More for release', list()).evaluate((button) => button === document.activeElement))
    .toBe(true);
  expect((await pb(['get', 'Ops/db'])).code).toBe(9);
  const former = credential;
  await choose('release', 'New credential');
  await at
    .dialog()
    .getByText(/it is added again to its 1 group by you/)
    .waitFor();
  await at.box('Days until the credential ends', at.dialog()).fill('10');
  await at.button('New credential', at.dialog()).click();
  await at.remember();
  await storeCredential();
  await closeCredential();
  expect(credential).not.toBe(former);
  await row('release')
    .getByText(/^ends in (?:9|10) days$/)
    .waitFor();
  await row('release').getByText('1 group', { exact: true }).waitFor();
  // The former keys could open the group's key: it gets a new one.
  const isDue = async () =>
    (await at.call<readonly { rotation_due: boolean }[]>('GET', '/passwordBroker/api/entryGroups')).some(
      ({ rotation_due }) => rotation_due,
    );
  await expect.poll(isDue).toBe(false);
  expect(await pb(['get', 'Ops/db'])).toMatchObject({ code: 0, out: VALUE });
  expect((await pb(['get', 'Ops/db'], former)).code).toBe(9);
});

test('one with a group chosen at once reads it; deleted, it is refused and gone from the group', async () => {
  await at.button('Add', list()).click();
  await at.box('Name', at.dialog()).fill('nightly');
  await at.button('Add a group', at.dialog()).click();
  await at.dialog().getByRole('option', { name: /^Ops/ }).click();
  await at.button('Add this group', at.dialog()).click();
  await at.button('Remove Ops', at.dialog()).waitFor();
  await at.button('Create', at.dialog()).click();
  await storeCredential();
  await closeCredential();
  expect(await pb(['get', 'Ops/db'])).toEqual({ code: 0, out: VALUE, err: '' });
  await choose('nightly', 'Delete');
  await question()
    .getByText(/It leaves its 1 group, which gets new keys\.$/)
    .waitFor();
  await at.button('Delete', question()).click();
  await notice('Service account nightly deleted').waitFor();
  await row('nightly').waitFor({ state: 'detached' });
  expect(await at.button('More for release', list()).evaluate((button) => button === document.activeElement)).toBe(
    true,
  );
  expect((await pb(['get', 'Ops/db'])).code).toBe(9);
});

test('people see the list only if they may make one; when they leave, site admins renew what was theirs', async () => {
  const there = await openPage(browser);
  const his = fieldsOf(there.page);
  await signIn(there.page, server.origin, bob);
  await there.page.goto(`${server.origin}/account`);
  const own = there.page.getByRole('region', { name: 'Service accounts', exact: true });
  await there.page.getByRole('region', { name: 'Tokens' }).waitFor();
  await his.button('New token').waitFor();
  expect(await own.count()).toBe(0);
  await page.goto(`${server.origin}/admin/settings/`);
  await page.getByLabel('Service accounts', { exact: true }).selectOption('everyone');
  await at.button('Save').first().click();
  await notice('saved').or(notice('Settings')).first().waitFor();
  await there.page.reload();
  await his.button('Add', own).click();
  await his.box('Name', his.dialog()).fill('probe');
  await his.button('Create', his.dialog()).click();
  await his.remember(bob.masterPassword);
  await his.dialog().getByLabel('I have stored it').check();
  await his.button('Done', his.dialog()).click();
  await his.closed();
  expect(await own.getByRole('button', { name: /^More for/ }).count()).toBe(1);
  // Everybody but the maker compares the words, as with people.
  await there.page.goto(server.origin);
  await his.button('add new tree').click();
  await his.box('Title', his.dialog()).fill('Tests');
  await there.page.keyboard.press('Enter');
  await his.remember(bob.masterPassword);
  await his.heading('Tests').waitFor();
  const theirs = usersOf(there.page, screenOf(there.page));
  await theirs.open();
  await theirs.add('release', 'Member');
  await there.page.getByRole('dialog', { name: 'Is this the key of release?' }).waitFor();
  const { data } = await at.call<{ data: { name: string; fpr: string }[] }>('GET', '/identity/api/serviceAccounts');
  expect(await theirs.words()).toEqual(fingerprintWords(data.find(({ name }) => name === 'release')?.fpr ?? ''));
  await his.button('Compared, verified', his.dialog()).click();
  await theirs.row('release').getByText(`owner: ${PERSON.name}, read only`).waitFor();
  expect(there.complaints()).toEqual([]);
  await there.context.close();

  await at.call('PUT', `/identity/api/user/${bob.userId}/disabled`, { status: true });
  await page.goto(`${server.origin}/admin/user_control/services`);
  await at.heading('Service accounts').waitFor();
  await list().getByText('1 service account belonged to Bob Brandt. Renew its credentials, or delete it.').waitFor();
  await row('probe').getByText('no owner', { exact: true }).waitFor();
  await row('release').getByText(`owner: ${PERSON.name}`).waitFor();
  expect(await findings(page)).toEqual([]);
  await at.box('Search service accounts').fill('bob');
  await row('release').waitFor({ state: 'detached' });
  await at.button('More for probe', list()).click();
  await page.getByRole('menuitem', { name: 'New credential' }).getByText('Only the owner can.').waitFor();
  await page.keyboard.press('Escape');
  await choose('probe', 'Change the owner');
  await at.button(`Make ${PERSON.name} the owner`, at.dialog()).waitFor();
  expect(await findings(page, 'dialog[open]')).toEqual([]);
  await at.button(`Make ${PERSON.name} the owner`, at.dialog()).click();
  await notice(`${PERSON.name} owns probe now`).waitFor();
  await at.box('Search service accounts').fill('');
  await row('probe').getByText('credential of a former owner').waitFor();
  await choose('probe', 'New credential');
  await at.button('New credential', at.dialog()).click();
  await at.remember();
  await storeCredential();
  await closeCredential();
  await row('probe').getByText('credential of a former owner').waitFor({ state: 'detached' });
  expect(await row('probe').getByText('not used yet', { exact: true }).count()).toBeGreaterThan(0);
  await choose('probe', 'Delete');
  await at.button('Delete', question()).click();
  await row('probe').waitFor({ state: 'detached' });
  expect(await at.button('More for release', list()).evaluate((button) => button === document.activeElement)).toBe(
    true,
  );
});
