/**
 * The Users tab: permissions by role, adding with key comparison, roles, removal, and values that former
 * members opened.
 */
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { fingerprintWords } from '@passwordbroker/core/domain/keyring/fingerprint-words';
import { findings } from './testing/accessibility/accessibility.ts';
import { closePages, openPage, sharedBrowser, type WatchedPage } from './testing/browser/browser.ts';
import { beforeAnswer } from './testing/browser/intercept.ts';
import { addPeople, newPerson, signIn, signUpAtOnce, type Person } from './testing/people/people.ts';
import { PERSON, screenOf, type Screen } from './testing/vault/screen.ts';
import { startServer, type RunningServer } from './testing/server/server.ts';
import { usersOf } from './testing/vault/users.ts';

const API = '/passwordBroker/api';
const WITH_KEYS = { master_password: PERSON.masterPassword };

let server: RunningServer;
let browser: Browser;
let mira: WatchedPage;
let bobs: WatchedPage;
let page: Page;
let screen: Screen;
let users: ReturnType<typeof usersOf>;
let bob: Person;
let eve: Person;
let dan: Person;
let group: string;
const children: string[] = [];

beforeAll(async () => {
  server = await startServer();
  browser = await sharedBrowser();
  mira = await openPage(browser);
  page = mira.page;
  screen = screenOf(page);
  users = usersOf(page, screen);
  await signUpAtOnce(page, server.origin);
  const names = ['Bob Brandt', 'Eve Evans', 'Dan Dorn'] as const;
  [bob, eve, dan] = await addPeople(screen, server.dataDir, names);
  group = await addGroup('Production');
  for (const name of ['Databases', 'Mail']) children.push(await addGroup(name, group));
  await page.goto(`${server.origin}/entryGroup/${group}`);
});
afterAll(async () => {
  await closePages(browser);
  await server.stop();
});
afterEach(() => {
  expect([...mira.complaints(), ...(bobs?.complaints() ?? [])]).toEqual([]);
});

async function addGroup(name: string, parent?: string): Promise<string> {
  const place = parent === undefined ? {} : { parent_entry_group_id: parent };
  const made = await screen.call<{ entryGroup: { entry_group_id: string } }>('POST', `${API}/entryGroups`, {
    name,
    ...place,
    ...WITH_KEYS,
  });
  return made.entryGroup.entry_group_id;
}

const membersOf = async (id: string) =>
  (await screen.call<{ user: { name: string }; role: string }[]>('GET', `${API}/entryGroups/${id}/users`)).map(
    ({ user, role }) => `${user.name}: ${role}`,
  );

test('a sole admin sees the columns of the specification and cannot remove or demote themselves', async () => {
  await users.open();
  expect(await users.table().getByRole('columnheader').allInnerTexts()).toEqual([
    'User',
    'Role',
    'Role set date',
    'Remove',
  ]);
  await expect.poll(() => users.listed()).toEqual([`${PERSON.name} you: Admin`]);
  expect(await users.row(PERSON.name).getByRole('button').count()).toBe(0);
  await expect.poll(() => page.getByRole('tab', { name: /^Users/ }).innerText()).toMatch(/^Users\s*1$/);
  await users.departed().getByText('nobody has left').waitFor();
  expect(await findings(page)).toEqual([]);
});

test('the search sends one request after half a second; a first share asks about the key before it sends anything', async () => {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.endsWith('/users/search')) asked.push(search);
    if (request.method() === 'POST' && pathname.endsWith('/users')) asked.push('add');
  });
  await screen.box('Add new user').focus();
  // Sends all letters without waiting: pauses of a busy machine would make three searches of them.
  await Promise.all([...'bob'].map((letter) => page.keyboard.insertText(letter)));
  await screen.button('add as Moderator: Bob Brandt').waitFor();
  expect(asked).toEqual([`?q=bob&entryGroupExclude=${group}`]);
  await page.getByText('bob@example.org').waitFor();
  // By keyboard: down to the user, then across the roles.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await screen.remember();
  await screen.dialog().getByRole('heading', { name: 'Is this the key of Bob Brandt?' }).waitFor();
  await expect.poll(() => users.words()).toEqual(fingerprintWords(bob.keyring.identity.fingerprint));
  await screen.dialog().getByRole('img', { name: 'Key as a QR code' }).waitFor();
  expect(await findings(page)).toEqual([]);
  await screen.button('Cancel', screen.dialog()).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(asked).toHaveLength(1);
  expect(await membersOf(group)).toEqual([`${PERSON.name}: admin`]);

  await screen.button('add as Moderator: Bob Brandt').click();
  await screen.button('Trust for now', screen.dialog()).click();
  await users.row('Bob Brandt').waitFor();
  expect(await membersOf(group)).toEqual([`${PERSON.name}: admin`, 'Bob Brandt: moderator']);
  await expect.poll(() => screen.box('Add new user').inputValue()).toBe('');
  await screen.button(/^Key of Bob Brandt: trusted for now/).click();
  await screen.button('Compared, verified', screen.dialog()).click();
  await screen.button(/^Key of Bob Brandt: verified/).waitFor();
});

test('adding to child groups too asks about the key once; members are no longer suggested', async () => {
  await page.getByLabel('Also in the 2 child groups where you are admin').check();
  await users.add('Eve Evans', 'Member');
  await screen.button('Compared, verified', screen.dialog()).click();
  await users.row('Eve Evans').waitFor();
  await page.getByText('Eve Evans added as Member in 3 groups').first().waitFor();
  for (const child of children) expect(await membersOf(child)).toContain('Eve Evans: member');
  await page.getByLabel('Also in the 2 child groups where you are admin').uncheck();
  await screen.box('Add new user').fill('eve evans');
  await page.getByText('No one found.').waitFor();
  await screen.box('Add new user').fill('');
});

test('moderators and members see the list without controls', async () => {
  bobs = await openPage(browser);
  const theirs = await signIn(bobs.page, server.origin, bob);
  const list = usersOf(bobs.page, theirs);
  await bobs.page.goto(`${server.origin}/entryGroup/${group}`);
  await list.open();
  await expect
    .poll(() => list.listed())
    .toEqual([`${PERSON.name}: Admin`, 'Bob Brandt you: Moderator', 'Eve Evans: Member']);
  expect(await list.table().getByRole('columnheader').allInnerTexts()).toEqual(['User', 'Role', 'Role set date']);
  expect(await bobs.page.getByLabel('Add new user').count()).toBe(0);
  expect(await list.departed().count()).toBe(0);
  expect(await findings(bobs.page)).toEqual([]);
  await theirs.call('GET', `${API}/entryGroups/${group}/users`);
  await expect(theirs.call('DELETE', `${API}/entryGroups/${group}/users/${eve.userId}`)).rejects.toThrow('403');
});

test('a change of role explains what the role allows, and can include child groups', async () => {
  await screen.button(/role of Eve Evans$/).click();
  await page.getByRole('menuitem', { name: 'Change to Moderator' }).click();
  await users.question().getByText('cannot add or remove people').waitFor();
  await users.question().getByLabel('Also in the 2 child groups where you are admin').check();
  expect(await findings(page)).toEqual([]);
  await screen.button('Change role', users.question()).click();
  await page.getByText('Eve Evans is Moderator now in 3 groups').first().waitFor();
  await expect.poll(() => users.listed()).toContain('Eve Evans: Moderator');
  for (const child of children) expect(await membersOf(child)).toContain('Eve Evans: moderator');
});

test('a removal explains its effect, lists opened values, rotates the key, and lists values to change', async () => {
  const [entry] = await addEntry('Ledger', ['=Root account', 'Second']);
  const field = entry?.fields[0] ?? '';
  await theirEnvelope(field, entry?.id ?? '');
  await screen.button('Remove Bob Brandt').click();
  await users.question().getByText('loses access to this group at once').waitFor();
  await users.question().getByText('Bob Brandt has opened 1 value in this group').click();
  await users.question().getByText('change this').waitFor();
  expect(await findings(page)).toEqual([]);
  await screen.button('Remove', users.question()).click();
  await users.row('Bob Brandt').waitFor({ state: 'detached' });
  await expect(theirFields(entry?.id ?? '')).rejects.toThrow('403');
  // The page rotates the key by itself.
  await expect.poll(async () => (await groupNow()).rotation_due).toBe(false);
  expect((await groupNow()).gk_version).toBe(2);
  await page.getByText('Key of "Production" changed').first().waitFor();
  await page.getByText('The key of this group').waitFor({ state: 'detached' });

  await users.departed().getByText('0 of 1 changed').waitFor();
  await screen.button('What Bob Brandt has opened').click();
  const rows = page.getByRole('table', { name: 'Opened by Bob Brandt' });
  await rows.getByRole('button', { name: 'Change =Root account of Ledger' }).waitFor();
  await expect.poll(() => rows.getByRole('row').count()).toBe(2);
  expect(await findings(page)).toEqual([]);
  const saved = page.waitForEvent('download');
  await screen.button('Export as CSV').click();
  const csv = readFileSync(await (await saved).path(), 'utf8');
  expect(csv).toContain('"Bob Brandt","Production","Ledger","\'=Root account","Password"');

  await page.getByRole('link', { name: 'Former members of all groups' }).click();
  await screen.heading('Former members').waitFor();
  await page.getByText('0 of 1 changed').waitFor();
  await screen.button('What Bob Brandt has opened').click();
  await page.getByRole('table').getByText('in Production').waitFor();
  await screen.button('Change =Root account of Ledger').click();
  const value = screen.dialog().getByRole('textbox', { name: 'Value' });
  await expect.poll(() => value.inputValue()).toMatch(/^\S{20,}$/);
  expect(await findings(page, 'dialog')).toEqual([]);
  await screen.button('Save', screen.dialog()).click();
  await screen.dialog().waitFor({ state: 'detached' });
  await page.getByText('changed since', { exact: true }).waitFor();
  await page.getByRole('progressbar', { name: '1 of 1 changed' }).waitFor();
  expect(await findings(page)).toEqual([]);
  await page.getByRole('table').getByRole('link', { name: 'Ledger' }).click();
  await screen.heading('Production').waitFor();
});

interface Made {
  readonly id: string;
  readonly fields: readonly string[];
}

async function addEntry(title: string, fields: readonly string[]): Promise<readonly Made[]> {
  const path = `${API}/entryGroups/${group}/entries`;
  const { entry_id: id } = await screen.call<{ entry_id: string }>('POST', path, { title });
  const made: string[] = [];
  for (const one of fields) {
    const body = { ...WITH_KEYS, type: 'password', title: one, login: 'root', value: 'a first value' };
    made.push((await screen.call<{ field_id: string }>('POST', `${path}/${id}/fields`, body)).field_id);
  }
  return [{ id, fields: made }];
}

/** Requests as Bob's page sends them. */
const theirEnvelope = (field: string, entry: string) =>
  screenOf(bobs.page).call('GET', `${API}/entryGroups/${group}/entries/${entry}/fields/${field}/envelope`);
const theirFields = (entry: string) =>
  screenOf(bobs.page).call('GET', `${API}/entryGroups/${group}/entries/${entry}/fields`);
const groupNow = async () =>
  (
    await screen.call<{ entryGroup: { rotation_due: boolean; gk_version: number } }>(
      'GET',
      `${API}/entryGroups/${group}`,
    )
  ).entryGroup;

test('a changed key shows both word lists, sends nothing, and cannot be trusted for now', async () => {
  await users.open();
  await users.add('Dan Dorn', 'Member');
  await screen.button('Trust for now', screen.dialog()).click();
  await users.row('Dan Dorn').waitFor();
  const other = await newPerson('Dan Dorn', dan.userId);
  const certificate = {
    ...other.bundle.certificate,
    fpr: other.keyring.identity.fingerprint,
    created_at: new Date(0).toISOString(),
  };
  const stop = await beforeAnswer(page, `*/user/${dan.userId}/certificate`, (caught) =>
    caught.answer(JSON.stringify({ certificate, previous: [] })),
  );
  await page.goto(`${server.origin}/entryGroup/${children[0] ?? ''}`);
  await users.open();
  await users.add('Dan Dorn', 'Moderator');
  await screen.remember();
  await screen.dialog().getByRole('heading', { name: 'The key of Dan Dorn has changed' }).waitFor();
  const lists = screen.dialog().getByRole('list');
  expect(await lists.nth(0).getByRole('listitem').allInnerTexts()).toEqual(
    fingerprintWords(dan.keyring.identity.fingerprint),
  );
  expect(await lists.nth(1).getByRole('listitem').allInnerTexts()).toEqual(fingerprintWords(certificate.fpr));
  expect(await screen.button('Trust for now', screen.dialog()).count()).toBe(0);
  expect(await findings(page)).toEqual([]);
  await screen.button('Cancel', screen.dialog()).click();
  expect(await membersOf(children[0] ?? '')).not.toContain('Dan Dorn: moderator');
  await stop();
});

test('the menu shows the user’s own key words for comparison', async () => {
  await screen.button('Master password menu').click();
  await page.getByRole('menuitem', { name: 'Your key words' }).click();
  await screen.dialog().getByRole('list', { name: 'Your key words' }).waitFor();
  await expect.poll(() => users.words()).toHaveLength(8);
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Escape');
});

test('on a phone nothing is wider than the screen, without axe findings in the light theme', async () => {
  const phone = await openPage(browser, { width: 390, height: 844, theme: 'light' });
  await phone.context.addCookies(await mira.context.cookies());
  await phone.page.goto(`${server.origin}/entryGroup/${group}`);
  const list = usersOf(phone.page, screenOf(phone.page));
  await list.open();
  await phone.page.getByLabel('Add new user').fill('bob');
  await phone.page.getByRole('button', { name: 'add as Member: Bob Brandt' }).waitFor();
  expect(await phone.page.evaluate(() => document.querySelector('main')?.scrollWidth ?? 0)).toBeLessThanOrEqual(390);
  expect(await findings(phone.page)).toEqual([]);
  await phone.page.goto(`${server.origin}/leavers`);
  await phone.page.getByRole('button', { name: 'What Bob Brandt has opened' }).click();
  await phone.page.getByText('changed since', { exact: true }).waitFor();
  expect(await phone.page.evaluate(() => document.querySelector('main')?.scrollWidth ?? 0)).toBeLessThanOrEqual(390);
  expect(await findings(phone.page)).toEqual([]);
  expect(phone.complaints()).toEqual([]);
  await phone.context.close();
});
