/**
 * Storage quotas: set by keyboard, errors of an upload and an import, and where the used storage is shown
 * (T142).
 */
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import { fieldsOf } from './testing/vault/fields.ts';
import { keepassFile } from './testing/vault/keepass-file.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { signUpAtOnce } from './testing/people/people.ts';
import type { RunningServer } from './testing/server/server.ts';

const MIB = 1024 * 1024;
const file = (name: string, bytes: number) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.alloc(bytes, 7),
});

let server: RunningServer;
let page: Page;
let at: ReturnType<typeof fieldsOf>;

withOnePage(async (opened) => {
  ({ server, page } = opened);
  page.setDefaultTimeout(15_000);
  at = fieldsOf(page);
  await signUpAtOnce(page, server.origin);
});

const open = async (path: string, heading: string) => {
  await page.goto(`${server.origin}${path}`);
  await at.heading(heading).waitFor();
};
const form = () => page.getByRole('form', { name: 'Storage' });

test('a site admin sets the quota per user by keyboard; an invalid one shows an error', async () => {
  await open('/admin/settings/', 'Settings');
  await form().getByText('0 B are stored on this site.').waitFor();
  await form()
    .getByText(/ of .* are free on the disk of the server\. .* have to stay free\.$/)
    .waitFor();
  const perPerson = at.box('For each person (MiB)', form());
  expect(await perPerson.inputValue()).toBe('5120');
  await form().getByText('5.37 GB', { exact: true }).waitFor();
  await perPerson.focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('9999999999999');
  await page.keyboard.press('Enter');
  await form()
    .getByRole('alert')
    .getByText(/^The person quota mib must be between 0 and/)
    .waitFor();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('1');
  await page.keyboard.press('Tab');
  await page.keyboard.type('512');
  await page.keyboard.press('Enter');
  await page.getByText('The settings were saved').waitFor();
  await form().getByText('0 B of 537 MB are stored on this site.').waitFor();
  const saved = { person_quota_mib: 1, site_quota_mib: 512 };
  expect(await at.call('GET', '/system/api/setting/limits')).toMatchObject(saved);
});

test('a file and an import above the quota show an error with the numbers and change nothing', async () => {
  await open('/', 'Select an Entry Group');
  await at.addTree('Production');
  await at.addEntry('Billing ledger');
  await at.openEntry('Billing ledger');
  const choose = (name: string, bytes: number) =>
    at.dialog().locator('input[type=file]').setInputFiles(file(name, bytes));
  await at.addField('File', 'Fits', () => choose('fits.bin', 0.6 * MIB));
  await at.button('Add field', page.getByRole('main')).click();
  await at.dialog().getByText('File', { exact: true }).click();
  await at.box('Title', at.dialog()).fill('Too much');
  await choose('too-much.bin', 0.5 * MIB);
  await at.button('Add field', at.dialog()).click();
  const sentence = /^You have used 629 kB of 1\.05 MB, .* Empty the trash, or ask a site admin/;
  await at.dialog().getByRole('alert').getByText(sentence).waitFor();
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await at.closed();
  await at.row('Fits').waitFor();
  expect(await page.getByText('Too much', { exact: true }).count()).toBe(0);

  await at.button('import data').click();
  const binary = `<Binary><Key>a.bin</Key><Value>${Buffer.alloc(0.5 * MIB).toString('base64')}</Value></Binary>`;
  const large = keepassFile().toString().replace('</Entry>', `${binary}</Entry>`);
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'large.xml', mimeType: 'text/xml', buffer: Buffer.from(large) });
  await at.button('Continue', at.dialog()).click();
  await at
    .dialog()
    .getByRole('button', { name: /^Import \d+ entr/ })
    .click();
  await at.dialog().getByText(sentence).waitFor();
  expect(await findings(page)).toEqual([]);
  const { trees } = await at.call<{ trees: { title: string }[] }>('GET', '/passwordBroker/api/entryGroupsAsTree');
  expect(trees.map(({ title }) => title)).toEqual(['Production']);
  await page.keyboard.press('Escape');
});

test('a file above the limit of the site is refused when it is chosen, before anything is sent', async () => {
  await at.call('PUT', '/system/api/setting/limits', { file_mib: 1 });
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await at.button('Add field', page.getByRole('main')).click();
  await at.dialog().getByText('File', { exact: true }).click();
  await at.dialog().getByText('At most 1.05 MB').waitFor();
  await at.box('Title', at.dialog()).fill('Too much');
  await at
    .dialog()
    .locator('input[type=file]')
    .setInputFiles(file('large.bin', MIB + 1));
  await at.dialog().getByText('The file is too large (at most 1.05 MB).').waitFor();
  expect(await findings(page)).toEqual([]);
  await at.button('Add field', at.dialog()).click();
  await at.dialog().getByText('The file is too large (at most 1.05 MB).').waitFor();
  expect(sent.filter((request) => request.startsWith('POST'))).toEqual([]);
  await page.keyboard.press('Escape');
  await at.closed();
});

test('the account page, the users list and the settings page show the used storage', async () => {
  await open('/account', 'Account');
  await page.getByText(/^You store 629 kB of 1\.05 MB\.$/).waitFor();
  await open('/admin/user_control/', 'Users');
  await page.getByRole('cell', { name: /^629 kB$/ }).waitFor();
  await open('/admin/settings/', 'Settings');
  await form()
    .getByText(/^629 kB of 537 MB are stored on this site\.$/)
    .waitFor();
});

test('a nearly full disk shows a warning on every page of the admin panel', async () => {
  await page.route('**/system/api/storage', async (route) => {
    const answer = (await (await route.fetch()).json()) as { readonly disk: object };
    const problem = 'The disk of DATA_DIR is nearly full: people can read, but not add anything.';
    await route.fulfill({ json: { ...answer, disk: { ...answer.disk, problem } } });
  });
  await open('/admin/user_control/', 'Users');
  await page.getByRole('alert').getByText('The disk of DATA_DIR is nearly full').waitFor();
  expect(await findings(page)).toEqual([]);
  await page.unroute('**/system/api/storage');
});
