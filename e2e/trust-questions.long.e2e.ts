/** Banners and dialogs about trust in the real client, by keyboard, in both themes and widths. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import type { RosterAnswer } from '@passwordbroker/core/contract/entities';
import { findings } from './testing/accessibility/accessibility.ts';
import { openBehindProxy, type BrowserBehindProxy } from './testing/server/behind-proxy.ts';
import { openPage } from './testing/browser/browser.ts';
import type { Lie, LyingProxy } from './testing/lies/lying-proxy.ts';
import { rosterAs } from './testing/lies/member-lies.ts';
import { addPeople, signIn, signUpFirst, type Person } from './testing/people/people.ts';
import { reflowFaults } from './testing/accessibility/reflow.ts';
import { screenOf, type Screen } from './testing/vault/screen.ts';
import { addSealedEntry, addSealedGroup, type SealedGroup } from './testing/vault/sealed-tree.ts';
import { lostFocus, tabFaults } from './testing/accessibility/tab-walk.ts';

const GROUPS = '/passwordBroker/api/entryGroups';

let opened: BrowserBehindProxy;
let proxy: LyingProxy;
let adas: Page;
let ada: Person;
let bob: Person;
/** Ada is admin, Bob a moderator. */
let shared: SealedGroup;

beforeAll(async () => {
  opened = await openBehindProxy();
  ({ proxy, page: adas } = opened);
  ada = await signUpFirst(adas, proxy.origin, 'Ada Adler');
  const screen = screenOf(adas);
  [bob] = await addPeople(screen, opened.server.dataDir, ['Bob Brandt']);
  shared = await addSealedGroup(screen, ada, 'Shared');
  await addSealedEntry(screen, shared, { title: 'Ledger', fields: ['Root'] });
  await screen.call('POST', `${GROUPS}/${shared.id}/users`, {
    target_user_id: bob.userId,
    role: 'moderator',
    master_password: ada.masterPassword,
  });
}, 120_000);
afterAll(() => opened.stop());
beforeEach(() => proxy.tell(null));

async function unlock(its: Screen, { masterPassword }: Person) {
  await its.button(/^Master Pasword (not entered|is incorrect)$/).click();
  await its.remember(masterPassword);
  await its.button('Master Pasword validated').waitFor();
}

/** No axe findings, no faults of the Tab key and no reflow faults, in both themes and widths. */
async function looksRight(page: Page) {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    for (const theme of ['dark', 'light']) {
      await page.evaluate((name) => document.documentElement.setAttribute('data-theme', name), theme);
      expect(await findings(page), `${width} ${theme}`).toEqual([]);
    }
    expect(await reflowFaults(page), `${width}`).toEqual([]);
    expect(await tabFaults(page), `${width}`).toEqual([]);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '');

/** Presses Tab until this button has the focus, then Enter. */
async function pressByKeyboard(page: Page, name: string) {
  for (let step = 0; (await focused(page)) !== name; step += 1) {
    if (step > 80) throw new Error(`Tab does not reach “${name}”`);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
}

test('a group shared by an unknown user shows one question, which focuses Cancel first', async () => {
  const { page, context } = await openPage(opened.browser);
  const his = await signIn(page, proxy.origin, bob);
  await page.goto(`${proxy.origin}/entryGroup/${shared.id}`);
  await unlock(his, bob);
  await page.getByText('You have not confirmed this group').waitFor();
  await looksRight(page);

  await pressByKeyboard(page, 'Confirm now');
  const question = page.getByRole('alertdialog', { name: 'Who shares “Shared” with you?' });
  await question.waitFor();
  await expect.poll(() => focused(page)).toBe('Cancel');
  await looksRight(page);
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  expect(await lostFocus(page)).toBe(false);

  await pressByKeyboard(page, 'Confirm now');
  // The buttons are disabled until the words are shown.
  await question.getByRole('listitem').first().waitFor();
  await pressByKeyboard(page, 'Trust for now');
  await question.waitFor({ state: 'detached' });
  await page.getByText('You have not confirmed this group').waitFor({ state: 'detached' });
  await context.close();
});

test('a rolled-back list makes the group read-only with a reason, and an admin continues by keyboard', async () => {
  const screen = screenOf(adas);
  await adas.goto(`${proxy.origin}/entryGroup/${shared.id}`);
  await unlock(screen, ada);
  await adas.getByRole('button', { name: '2 people' }).waitFor();
  const all = await screen.call<RosterAnswer>('GET', `${GROUPS}/${shared.id}/roster?from=0`);
  const older: Lie = rosterAs(shared.id, () => ({ ...all, rosters: all.rosters.slice(0, 1) }));
  proxy.tell(older);
  await adas.reload();
  await unlock(screen, ada);
  await adas.getByText('This group is read-only here').filter({ visible: true }).first().waitFor();
  await looksRight(adas);

  await pressByKeyboard(adas, 'Accept this list');
  const question = adas.getByRole('alertdialog');
  await question.waitFor();
  await expect.poll(() => focused(adas)).toBe('Cancel');
  await looksRight(adas);
  await adas.keyboard.press('Enter');
  await question.waitFor({ state: 'detached' });
  expect(await lostFocus(adas)).toBe(false);
});

test('a withheld trust record makes groups read-only, and a new one requires typing the email', async () => {
  const { page, context } = await openPage(opened.browser);
  const hers = await signIn(page, proxy.origin, ada);
  const withheld: Lie = ({ url }, body) =>
    url.startsWith('/identity/api/keyBundle') && !url.includes('/documents')
      ? { ...(body as object), documents: [] }
      : undefined;
  proxy.tell(withheld);
  await page.goto(`${proxy.origin}/entryGroup/${shared.id}`);
  await unlock(hers, ada);
  await page.getByText('This group is read-only here').filter({ visible: true }).first().waitFor();
  await looksRight(page);
  await page.goto(`${proxy.origin}/account#trust`);
  await unlock(hers, ada);
  await page.getByText('Your trust record is missing').first().waitFor();
  await looksRight(page);

  await pressByKeyboard(page, 'Begin a new record');
  const question = page.getByRole('alertdialog');
  await question.waitFor();
  await looksRight(page);
  const field = question.getByRole('textbox');
  await field.focus();
  await page.keyboard.type('somebody@example.org');
  await page.keyboard.press('Enter');
  await question.getByRole('alert').waitFor();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  expect(await lostFocus(page)).toBe(false);
  expect(await page.getByText('Your trust record is missing').count()).toBeGreaterThan(0);

  await pressByKeyboard(page, 'Begin a new record');
  await field.focus();
  await page.keyboard.type(ada.email);
  await page.keyboard.press('Enter');
  await question.waitFor({ state: 'detached' });
  await expect.poll(() => page.getByText('Your trust record is missing').count()).toBe(0);
  await context.close();
});

test('two browsers are compared by key words, by keyboard', async () => {
  const screen = screenOf(adas);
  await adas.goto(`${proxy.origin}/account#trust`);
  await unlock(screen, ada);
  await pressByKeyboard(adas, 'Compare browsers');
  const dialog = adas.getByRole('dialog', { name: /browsers/i });
  await dialog.getByRole('list').first().waitFor();
  expect(await dialog.getByRole('list').first().getByRole('listitem').count()).toBe(8);
  await looksRight(adas);
  await pressByKeyboard(adas, 'They are the same');
  await dialog.waitFor({ state: 'detached' });
  expect(await lostFocus(adas)).toBe(false);
});
