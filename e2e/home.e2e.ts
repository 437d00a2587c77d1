/** Favourites, recent entries and Home, and quick access before anything is typed. */
import { beforeEach, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import { pastedText } from './testing/browser/clipboard.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { addPeople, signIn, signUpAtOnce } from './testing/people/people.ts';
import { addManyEntries } from './testing/vault/many-entries.ts';
import { entriesOf } from './testing/vault/entries.ts';
import { fieldsOf } from './testing/vault/fields.ts';
import { type Screen, screenOf } from './testing/vault/screen.ts';
import type { OnePage } from './testing/browser/one-page.ts';

const PASSWORD = 'correct horse battery';

let opened: OnePage;
let page: Page;
let at: ReturnType<typeof fieldsOf>;
let screen: Screen;
let entries: ReturnType<typeof entriesOf>;
let origin: string;
let group: string;
/** Calls that release a value; the server records each. */
let reveals: string[] = [];

withOnePage(async (one) => {
  opened = one;
  ({ page } = one);
  ({ origin } = one.server);
  page.setDefaultTimeout(20_000);
  at = fieldsOf(page);
  screen = screenOf(page);
  entries = entriesOf(page, screen);
  await signUpAtOnce(page, origin);
  group = await entries.addTree('Production', true);
  for (const [title, login] of [
    ['Billing ledger', 'mira'],
    ['Mail relay', 'postmaster'],
  ] as const) {
    await at.addEntry(title);
    await at.openEntry(title);
    await at.addField('Password', 'Root', async () => {
      await at.box('Login', at.dialog()).fill(login);
      await at.box('Value', at.dialog()).fill(`${PASSWORD} of ${login}`);
    });
    await at.entry(title).click();
  }
  await at.addEntry('Old printer');
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith('/envelope')) reveals.push(pathname);
  });
});
beforeEach(() => {
  reveals = [];
});

const home = async () => {
  await page.getByRole('link', { name: 'PasswordBroker, home' }).click();
  await at.heading('Home').waitFor();
};
const list = (name: string) => page.getByRole('list', { name, exact: true });
const titlesOf = (name: string) => list(name).getByRole('link').locator('span:first-child').allInnerTexts();
const star = (title: string) => at.button(`Favourite: ${title}`);
const isStarred = async (title: string) => (await star(title).first().getAttribute('aria-pressed')) === 'true';
const openGroup = async () => {
  await at.treeRow('Production, Admin').click();
  await at.entry('Billing ledger').waitFor();
};
const heading = () => page.locator('main h1').first().innerText();
const options = () => page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');
const names = () => options().evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''));

test('what was changed is recent; F and the star make favourites, which Home shows above the prompt', async () => {
  await home();
  await expect.poll(() => titlesOf('Recent')).toEqual(['Mail relay', 'Billing ledger']);
  await page.getByRole('heading', { name: 'Select an Entry Group' }).waitFor();
  await openGroup();
  await at.entry('Old printer').focus();
  await page.keyboard.press('f');
  await entries.notice('“Old printer” is a favourite now').waitFor();
  expect(await isStarred('Old printer')).toBe(true);
  await at.entry('Billing ledger').hover();
  await star('Billing ledger').click();
  await expect.poll(() => isStarred('Billing ledger')).toBe(true);
  await star('Production').click();
  expect(await findings(page)).toEqual([]);
  await home();
  await expect.poll(() => titlesOf('Favourites')).toEqual(['Billing ledger', 'Old printer', 'Production']);
  expect(await findings(page)).toEqual([]);
});

test('a copy from Home is a reveal that the server records; a login is copied without one', async () => {
  await home();
  await at.button('Copy password of Billing ledger', list('Favourites')).click();
  await expect.poll(() => pastedText(page)).toBe(`${PASSWORD} of mira`);
  expect(reveals).toHaveLength(1);
  const history = await at.call<unknown[]>('GET', (reveals[0] ?? '').replace(/envelope$/, 'history'));
  expect(JSON.stringify(history[0])).toContain('decrypted');
  await at.button('Copy login of Mail relay', list('Recent')).click();
  await expect.poll(() => pastedText(page)).toBe('postmaster');
  expect(reveals).toHaveLength(1);
  // Rows keep their places under the pointer, and are in their order at the next visit.
  expect(await titlesOf('Recent')).toEqual(['Mail relay', 'Billing ledger']);
});

test('from any page two presses copy the password of what was used last', async () => {
  await openGroup();
  await at.entry('Billing ledger').focus();
  await page.keyboard.press('c');
  await expect.poll(() => reveals.length).toBe(1);
  for (const address of ['/account', '/trash', '/entrySearch/printer', '/admin/settings/', `/entryGroup/${group}`]) {
    reveals = [];
    const before = await heading();
    await page.evaluate((path) => {
      history.pushState(null, '', path);
      dispatchEvent(new PopStateEvent('popstate'));
    }, address);
    await expect.poll(heading).not.toBe(before);
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Control+c');
    await expect.poll(() => reveals.length).toBe(1);
    await expect.poll(() => pastedText(page)).toBe(`${PASSWORD} of mira`);
  }
});

test('quick access lists recent entries, favourites and actions before anything is typed', async () => {
  await openGroup();
  await page.keyboard.press('Control+k');
  await expect
    .poll(names)
    .toEqual(expect.arrayContaining(['Old printer, Production', 'Mail relay, postmaster · Production']));
  const shown = await names();
  expect(shown[0]).toBe('Billing ledger, mira · Production');
  // A favourite that is recent is listed once.
  expect(shown.filter((name) => name.startsWith('Billing ledger'))).toHaveLength(1);
  expect(shown).toEqual(
    expect.arrayContaining(['New login', 'Lock now', 'Former members', 'Admin Panel: Backup', 'import data']),
  );
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Control+c');
  await expect.poll(() => pastedText(page)).toBe(`${PASSWORD} of postmaster`);
  await page.keyboard.press('Control+k');
  await page.keyboard.press('Escape');
  expect(await page.getByRole('combobox', { name: 'Search entries' }).getAttribute('aria-expanded')).toBe('false');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).not.toBe('combobox');
  await at.button('Search').click();
  await options().getByText('New login').click();
  await at.dialog().getByRole('heading', { name: 'New entry' }).waitFor();
  await page.keyboard.press('Escape');
  await at.closed();
});

test('a search is saved with one press, and opened and removed from Home', async () => {
  await page.keyboard.press('Control+k');
  await page.keyboard.type('login:postmaster');
  await page.keyboard.press('Enter');
  await at.heading('Search results for: "login:postmaster"').waitFor();
  await at.button('Save this search').click();
  await entries.notice('The search “login:postmaster” is saved').waitFor();
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Control+k');
  await expect.poll(names).toContain('login:postmaster');
  await page.keyboard.press('Escape');
  await home();
  await list('Searches').getByRole('link', { name: 'login:postmaster' }).click();
  await at.heading('Search results for: "login:postmaster"').waitFor();
  await home();
  await at.button('Remove the saved search login:postmaster').click();
  await expect.poll(() => list('Searches').count()).toBe(0);
});

test('a locked vault shows no favourites; unlocking brings them back', async () => {
  await home();
  await at.button('Lock now').or(at.button('Master password menu')).first().click();
  await page.getByRole('menuitem', { name: 'Lock now' }).click();
  await at.heading('Select an Entry Group').waitFor();
  expect(await page.getByRole('main').getByText('Billing ledger').count()).toBe(0);
  await page.keyboard.press('Control+k');
  await expect.poll(names).toContain('Unlock the vault');
  expect((await names()).join()).not.toContain('Billing ledger');
  await page.keyboard.press('Escape');
  await at.button('Unlock to see your favourites and recent entries').click();
  await at.remember();
  await at.heading('Home').waitFor();
  await expect.poll(() => titlesOf('Favourites')).toEqual(['Billing ledger', 'Old printer', 'Production']);
});

test('a favourite that is gone shows nothing of the entry and can be removed', async () => {
  const { data } = await at.call<{ data: { entry_id: string }[] }>('GET', '/passwordBroker/api/entrySearch?q=printer');
  await at.call('DELETE', `/passwordBroker/api/entryGroups/${group}/entries/${data[0]?.entry_id ?? ''}`);
  await openGroup();
  await home();
  await list('Favourites').getByText('An entry that is no longer here').waitFor();
  expect(await list('Favourites').innerText()).not.toContain('Old printer');
  await at.button('Remove this favourite').click();
  await expect.poll(() => list('Favourites').getByText('no longer here').count()).toBe(0);
  await expect.poll(() => titlesOf('Favourites')).toEqual(['Billing ledger', 'Production']);
});

test('with 20,000 entries Home and quick access stay fast', async () => {
  await addManyEntries(opened.server.dataDir, { groupId: group, count: 20_000 });
  const start = Date.now();
  await home();
  await list('Favourites')
    .getByRole('link', { name: /^Billing ledger/ })
    .waitFor();
  await page.keyboard.press('Control+k');
  await expect.poll(names).toContain('New login');
  expect(Date.now() - start).toBeLessThan(3_000);
  await page.keyboard.press('Escape');
});

test('a person without groups is told who can add her, and has no favourites of others', async () => {
  const [noor] = await addPeople(screen, opened.server.dataDir, ['Noor Haddad']);
  const context = await opened.browser.newContext();
  const hers = await signIn(await context.newPage(), origin, noor);
  await hers.heading('Select an Entry Group').waitFor();
  const main = hers.box('Search entries').page().getByRole('main');
  await main.getByText('They find you by your name, “Noor Haddad”.').waitFor();
  expect(await main.innerText()).toContain('ask an admin of a group to add you');
  await context.close();
});
