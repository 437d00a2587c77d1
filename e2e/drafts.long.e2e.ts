/** Open forms over a lock: what was typed comes back in the same tab, to the same person, and nowhere in clear. */
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import { findLeaks } from '../server/src/testing/leaks.ts';
import { memoryOf, storageOf } from './testing/browser/browser-storage.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { addPeople, signUpAtOnce, type Person } from './testing/people/people.ts';
import { fieldsOf } from './testing/vault/fields.ts';
import { PERSON, screenOf } from './testing/vault/screen.ts';

const SECRET = 'q8-Rf3_tYxB6mWz9Lr4c';

let page: Page;
let at: ReturnType<typeof fieldsOf>;
let bob: Person;

withOnePage(async (one) => {
  ({ page } = one);
  page.setDefaultTimeout(15_000);
  await page.clock.install();
  at = fieldsOf(page);
  await signUpAtOnce(page, one.server.origin);
  [bob] = await addPeople(screenOf(page), one.server.dataDir, ['Bob Brandt']);
  await at.addTree('Production');
  await at.addEntry('Ledger');
});

/** The device sleeps, and the vault locks itself. */
async function sleep() {
  await page.clock.fastForward(5 * 60_000);
  await at.closed();
}

async function unlock(masterPassword: string = PERSON.masterPassword) {
  await at.button('Master Pasword not entered').click();
  await at.remember(masterPassword);
  await page.getByRole('button', { name: 'Master Pasword validated' }).waitFor();
}

async function typeEntry(title: string) {
  await at
    .button(/add new Entry/)
    .first()
    .click();
  await at.box('Title', at.dialog()).fill(title);
  await at.box('Login', at.dialog()).fill('root');
  await at.box('Password', at.dialog()).fill(SECRET);
}

/** Names of places of the page that contain the secret. */
async function leaksOf(sent: readonly string[]) {
  const texts = { page: Buffer.from(await page.content()), sent: Buffer.from(sent.join()) };
  const places = { ...(await storageOf(page)), memory: await memoryOf(page), ...texts };
  return findLeaks({ secret: Buffer.from(SECRET) }, places).map(({ where }) => where);
}

test('the vault locks itself over a new entry; the form comes back, nothing leaks meanwhile, and it can be saved', async () => {
  const sent: string[] = [];
  page.on('request', (request) => void sent.push(`${request.url()} ${request.postData() ?? ''}`));
  await typeEntry('Mail relay');
  await at.dialog().getByRole('combobox', { name: 'Kind of entry' }).selectOption('Server');
  await at.dialog().getByRole('combobox', { name: 'Tags' }).fill('mail');
  await page.keyboard.press('Enter');
  await sleep();
  await at.notice('What you typed comes back at its place when you unlock it.').waitFor();
  await unlock();
  await expect.poll(() => at.box('Password', at.dialog()).inputValue()).toBe(SECRET);
  // Also of a form that came back.
  await sleep();
  expect(await leaksOf(sent)).toEqual([]);
  await unlock();
  await expect.poll(() => at.box('Title', at.dialog()).inputValue()).toBe('Mail relay');
  expect(await at.box('Login', at.dialog()).inputValue()).toBe('root');
  await at.dialog().getByRole('button', { name: 'Remove the tag mail' }).waitFor();
  expect(await at.dialog().getByRole('combobox', { name: 'Kind of entry' }).inputValue()).toBe('server');
  expect(await findings(page, 'dialog')).toEqual([]);
  await at.button('add', at.dialog()).click();
  await at.closed();
  await at.openEntry('Mail relay');
  expect(await at.shownIn('Password')).toContain(SECRET);
});

test('a new field comes back to its entry, and once only', async () => {
  await at.openEntry('Ledger');
  await at.button('Add field', page.getByRole('main')).first().click();
  await at.dialog().getByText('Note', { exact: true }).click();
  await at.box('Title', at.dialog()).fill('Runbook');
  await at.box('Value', at.dialog()).fill(SECRET);
  await sleep();
  await unlock();
  await expect.poll(() => at.box('Value', at.dialog()).inputValue()).toBe(SECRET);
  await at.button('Cancel', at.dialog()).click();
  await at.closed();
  await at.button('Master password menu').click();
  await page.getByRole('menuitem', { name: 'Lock now' }).click();
  await unlock();
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('the form is back where it was typed; after a sign-out it is gone, for everybody', async () => {
  const group = /entryGroup\/([\w-]+)/.exec(page.url())?.[1] ?? '';
  const body = { target_user_id: bob.userId, role: 'moderator', master_password: PERSON.masterPassword };
  await at.call('POST', `/passwordBroker/api/entryGroups/${group}/users`, body);
  await typeEntry('Elsewhere');
  await sleep();
  await page.getByRole('link', { name: 'PasswordBroker, home' }).click();
  await at.heading('Select an Entry Group').waitFor();
  await unlock();
  expect(await page.getByRole('dialog').count()).toBe(0);
  await at.treeRow('Production, Admin').click();
  await expect.poll(() => at.box('Title', at.dialog()).inputValue()).toBe('Elsewhere');
  await sleep();
  for (const person of [bob, PERSON]) {
    await page.getByRole('link', { name: 'Logout' }).click();
    await at.heading('Log in').waitFor();
    await at.box('Email').fill(person.email);
    await at.box('Password').fill(person.password);
    await page.keyboard.press('Enter');
    await page
      .getByRole('treegrid')
      .getByRole('row', { name: /^Production/ })
      .click();
    await at.heading('Production').waitFor();
    await unlock(person.masterPassword);
    await page.getByRole('table', { name: 'Entries' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  }
});
