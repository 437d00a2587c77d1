/**
 * The six findings of the trust audit, end to end: the real client with a lying server, in a browser that
 * knows the account and in a new one. No key and no value reaches a user who was not confirmed.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import type { RosterAnswer } from '@passwordbroker/core/contract/entities';
import { openBehindProxy, type BrowserBehindProxy } from './testing/server/behind-proxy.ts';
import { openPage } from './testing/browser/browser.ts';
import type { Asked, Lie, LyingProxy } from './testing/lies/lying-proxy.ts';
import { certificateOf, ghostIn, keyOf, rosterAs, takenOverBy } from './testing/lies/member-lies.ts';
import { addPeople, newPerson, signIn, signUpFirst, type Person } from './testing/people/people.ts';
import { screenOf, type Screen } from './testing/vault/screen.ts';
import { addSealedEntry, addSealedGroup, type SealedGroup } from './testing/vault/sealed-tree.ts';
import { usersOf } from './testing/vault/users.ts';
import { openWriter } from '../server/src/db/sqlite/connections.ts';
import { exchangeKey } from '../server/src/server-crypto/testing/changed-rows.ts';

const API = '/passwordBroker/api/entryGroups';

let opened: BrowserBehindProxy;
let proxy: LyingProxy;
let page: Page;
let screen: Screen;
let ada: Person;
let bob: Person;
/** Keys made by the server. */
let mallory: Person;
/** Its only member is Ada. */
let own: SealedGroup;
/** Its members are Ada and Bob. */
let shared: SealedGroup;

beforeAll(async () => {
  opened = await openBehindProxy();
  ({ proxy, page } = opened);
  ada = await signUpFirst(page, proxy.origin, 'Ada Adler');
  screen = screenOf(page);
  [bob] = await addPeople(screen, opened.server.dataDir, ['Bob Brandt']);
  mallory = await newPerson('Mallory');
  own = await addSealedGroup(screen, ada, 'Private');
  shared = await addSealedGroup(screen, ada, 'Shared');
  await addSealedEntry(screen, own, { title: 'Ledger', fields: ['Root'] });
  await page.goto(`${proxy.origin}/entryGroup/${shared.id}`);
  const users = usersOf(page, screen);
  await users.open();
  await users.add('Bob Brandt', 'Member');
  await screen.remember(ada.masterPassword);
  await screen.button('Trust for now', screen.dialog()).click();
  await users.row('Bob Brandt').waitFor();
  // This browser has accepted both groups, and the trust record contains them.
  await page.goto(`${proxy.origin}/entryGroup/${own.id}`);
  await unlock(screen);
  await page.getByRole('button', { name: 'Only you' }).waitFor();
  // The client writes automatically accepted lists after some seconds, at most once a minute.
  proxy.tell(null);
  for (let waited = 0; waited < 150 && !proxy.asked().some(isRecord); waited += 1) await page.waitForTimeout(500);
}, 120_000);
afterAll(() => opened.stop());
beforeEach(() => proxy.tell(null));

const isGroup = (value: unknown): value is { readonly entry_group_id: string } =>
  typeof value === 'object' && value !== null && 'entry_group_id' in value && 'rotation_due' in value;
const isRecord = ({ method, url }: Asked) => method === 'PUT' && url.endsWith('/documents/trust');
/** Requests that change anything but the user's trust record. */
const written = () =>
  proxy.asked().filter((one) => one.method !== 'GET' && !isRecord(one) && !/\/wraps$|login|csrf/.test(one.url));

async function unlock(its: Screen) {
  await its.button(/^Master Pasword (not entered|is incorrect)$/).click();
  await its.remember(ada.masterPassword);
  await its.button('Master Pasword validated').waitFor();
}

/** Checks the group under the lie in a browser that knows the account and in a new one. */
async function inBoth(lie: Lie, groupId: string, look: (shown: Page, its: Screen) => Promise<void>) {
  proxy.tell(lie);
  await page.goto(`${proxy.origin}/entryGroup/${groupId}`);
  await unlock(screen);
  await look(page, screen);
  const fresh = await openPage(opened.browser);
  const there = await signIn(fresh.page, proxy.origin, ada);
  proxy.tell(lie);
  await fresh.page.goto(`${proxy.origin}/entryGroup/${groupId}`);
  await unlock(there);
  await look(fresh.page, there);
  await fresh.context.close();
}

const seesReadOnly = async (shown: Page) => {
  await shown
    .getByText(/^This group (is read-only here|cannot be opened here)$/)
    .filter({ visible: true })
    .first()
    .waitFor();
  expect(proxy.told()).toBeGreaterThan(0);
  // A rotation would start by itself about now.
  await shown.waitForTimeout(1500);
  // The client may rotate the key of an intact group by itself, for its members.
  expect(written().filter(({ url }) => url.includes(own.id))).toEqual([]);
  expect(written().filter(({ body }) => body.includes(mallory.userId))).toEqual([]);
  expect(await shown.getByRole('dialog').count()).toBe(0);
};

test('M37 F1: a forged admin in the list and a false rotation_due cause no rotation and no wrap', async () => {
  const present = await screen.call<RosterAnswer>('GET', `${API}/${own.id}/roster`);
  const takenOver = await takenOverBy(present, { groupId: own.id, signer: mallory, reader: ada });
  const ghost = ghostIn(own.id, mallory);
  const isDue: Lie = (_asked, body) => {
    const text = JSON.stringify(body, (_name, value: unknown) =>
      isGroup(value) && value.entry_group_id === own.id ? { ...value, rotation_due: true } : value,
    );
    return text === JSON.stringify(body) ? undefined : (JSON.parse(text) as unknown);
  };
  await inBoth(
    (asked, body) => takenOver(asked, body) ?? ghost(asked, body) ?? isDue(asked, body),
    own.id,
    seesReadOnly,
  );
});

test('F2: a value under a key version without a list is not shown', async () => {
  const zero: Lie = ({ url }, body) =>
    /\/(reveal|value|release)/.test(url) || JSON.stringify(body).includes('"cek_wrapped')
      ? (JSON.parse(JSON.stringify(body).replaceAll('"gk_version":1', '"gk_version":0')) as unknown)
      : undefined;
  await inBoth(zero, own.id, async (shown, its) => {
    await its.entry('Ledger').click();
    const row = shown
      .getByRole('row')
      .filter({ has: shown.getByText('Root', { exact: true }) })
      .last();
    await its.button('Show', row).click();
    await shown.getByRole('alert').first().waitFor();
    expect(await row.innerText()).not.toContain('tooR');
    expect(proxy.told()).toBeGreaterThan(0);
  });
});

test('F3: a client group served as a server group without a list is read-only, and its buttons say why', async () => {
  const bare: Lie = (asked, body) =>
    rosterAs(own.id, (answer) => ({ ...answer, origin: 'server', rosters: [] }))(asked, body) ??
    (JSON.stringify(body).includes('"origin":"client"')
      ? (JSON.parse(JSON.stringify(body).replaceAll('"origin":"client"', '"origin":"server"')) as unknown)
      : undefined);
  await inBoth(bare, own.id, async (shown, its) => {
    await seesReadOnly(shown);
    const add = its.button(/add new Entry/).first();
    expect(await add.getAttribute('aria-disabled')).toBe('true');
    await add.hover();
    await shown.getByText('This group is read-only here', { exact: true }).last().waitFor();
  });
});

test('M42 F4: an undo into a group with more readers asks first with Cancel focused, and Enter sends nothing', async () => {
  await page.goto(`${proxy.origin}/entryGroup/${own.id}`);
  const target = await addSealedGroup(screen, ada, 'Archive');
  await page.reload();
  await screen.entry('Ledger').hover();
  await screen.button('More for Ledger').click();
  await page.getByRole('menuitem', { name: 'Move entry', exact: true }).click();
  await screen
    .dialog()
    .getByRole('option', { name: /^Archive/ })
    .click();
  await screen.button('Move entries', screen.dialog()).click();
  await screen.remember(ada.masterPassword);
  await page.getByText('Entries moved to Archive').first().waitFor();
  const elsewhere: Lie = ({ url }, body) =>
    url.includes('/operations')
      ? (JSON.parse(JSON.stringify(body).replaceAll(`"from":"${own.id}"`, `"from":"${shared.id}"`)) as unknown)
      : undefined;
  proxy.tell(elsewhere);
  await page.getByRole('link', { name: 'Trash' }).click();
  await page.getByRole('tab', { name: 'Your changes' }).click();
  await screen.button(/^Undo: Entry "Ledger" moved/).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByText('Move back to “Shared”?').waitFor();
  await dialog.getByText('These people cannot read it now: Bob Brandt.').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  expect(written()).toEqual([]);
  // The undo button of the notice on the page knows the former group, whatever the journal says.
  proxy.tell(null);
  expect(
    (await screen.call<{ title: string }[]>('GET', `${API}/${target.id}/entries`)).map(({ title }) => title),
  ).toEqual(['Ledger']);
});

test('M57 F6: continuing from a rolled-back list shows names of the trust record and never suggests deleting browser data', async () => {
  const first = await screen.call<RosterAnswer>('GET', `${API}/${shared.id}/roster?from=0`);
  const older = { ...first, rosters: first.rosters.slice(0, 1) };
  const renamed: Lie = (asked, body) =>
    rosterAs(shared.id, () => older)(asked, body) ??
    (JSON.stringify(body).includes('Bob Brandt')
      ? (JSON.parse(JSON.stringify(body).replaceAll('Bob Brandt', 'Carol')) as unknown)
      : undefined);
  proxy.tell(renamed);
  await page.goto(`${proxy.origin}/entryGroup/${shared.id}`);
  await unlock(screen);
  await page.getByText('This group is read-only here').filter({ visible: true }).first().waitFor();
  expect(
    await page
      .getByText(/delete/i)
      .filter({ hasText: /site|browser/ })
      .count(),
  ).toBe(0);
  await screen.button('Accept this list').click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByText(/^Signed by you\.$/).waitFor();
  expect(await dialog.innerText()).not.toContain('Carol');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  expect(written()).toEqual([]);
});

test('F5: replaced keys of a member, in the response or in the database, are refused by page and API', async () => {
  const imposter = await newPerson('Bob Brandt', bob.userId);
  await inBoth(keyOf(bob.userId, certificateOf(imposter)), own.id, async (shown, its) => {
    const users = usersOf(shown, its);
    await users.open();
    await users.add('Bob Brandt', 'Member');
    await its.dialog().getByRole('heading', { name: 'The key of Bob Brandt has changed' }).waitFor();
    expect(await its.button('Trust for now', its.dialog()).count()).toBe(0);
    await its.button('Cancel', its.dialog()).click();
    await shown.getByRole('dialog').waitFor({ state: 'detached' });
    expect(proxy.told()).toBeGreaterThan(0);
    expect(written()).toEqual([]);
  });
  proxy.tell(null);
  const { queries } = openWriter(join(opened.server.dataDir, 'passwordbroker.sqlite'));
  await exchangeKey(queries, bob.userId, { certificate: imposter.bundle.certificate, keyring: imposter.keyring });
  await queries.destroy();
  const asked = screen.call('POST', `${API}/${own.id}/users`, {
    target_user_id: bob.userId,
    role: 'member',
    master_password: ada.masterPassword,
  });
  await expect(asked).rejects.toThrow(/key_changed/);
});
