/**
 * The real client with a server that lies about users and members (docs/spec/threats.md §4.3, M13–M15, M17,
 * M18, M22, M36): nothing is wrapped for an unconfirmed user, and an accepted list is never rolled back.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import type { RosterAnswer } from '@passwordbroker/core/contract/entities';
import { fingerprintWords } from '@passwordbroker/core/domain/keyring/fingerprint-words';
import { signRoster } from '@passwordbroker/core/domain/rosters/roster';
import { openBehindProxy, type BrowserBehindProxy } from './testing/server/behind-proxy.ts';
import { openPage } from './testing/browser/browser.ts';
import type { LyingProxy } from './testing/lies/lying-proxy.ts';
import { certificateOf, ghostIn, keyOf, madeBy, newestOf, rosterAs, takenOverBy } from './testing/lies/member-lies.ts';
import { addPeople, newPerson, signIn, signUpFirst, type Person } from './testing/people/people.ts';
import { screenOf, type Screen } from './testing/vault/screen.ts';
import { usersOf } from './testing/vault/users.ts';

const API = '/passwordBroker/api/entryGroups';

let opened: BrowserBehindProxy;
let proxy: LyingProxy;
let page: Page;
let screen: Screen;
let users: ReturnType<typeof usersOf>;
let ada: Person;
let bob: Person;
let eve: Person;
/** Keys made by the server. */
let mallory: Person;
let group: string;

beforeAll(async () => {
  opened = await openBehindProxy();
  ({ proxy, page } = opened);
  ada = await signUpFirst(page, proxy.origin, 'Ada Adler');
  screen = screenOf(page);
  users = usersOf(page, screen);
  [bob, eve] = await addPeople(screen, opened.server.dataDir, ['Bob Brandt', 'Eve Evans']);
  mallory = await newPerson('Mallory');
  group = await addGroup('Production');
  await page.goto(`${proxy.origin}/entryGroup/${group}`);
  await users.open();
  await users.add('Bob Brandt', 'Moderator');
  await screen.remember(ada.masterPassword);
  await screen.button('Trust for now', screen.dialog()).click();
  await users.row('Bob Brandt').waitFor();
});
afterAll(() => opened.stop());
beforeEach(() => proxy.tell(null));

async function addGroup(name: string, parent?: string): Promise<string> {
  const place = parent === undefined ? {} : { parent_entry_group_id: parent };
  const body = { name, ...place, master_password: ada.masterPassword };
  return (await screen.call<{ entryGroup: { entry_group_id: string } }>('POST', API, body)).entryGroup.entry_group_id;
}

/** Ignores the user's trust record, which is sealed. */
const written = () => proxy.asked().filter(({ method, url }) => method !== 'GET' && !url.endsWith('/documents/trust'));
const bodyOf = (path: string) => {
  const found = written().find(({ url }) => url === path);
  return JSON.parse(found?.body ?? 'null') as { grants?: { user_id: string }[] } | null;
};
describe('keys of users', () => {
  test('M13 a certificate with a foreign RSA key is refused, and nothing is sent', async () => {
    const { rsa_spki_base64 } = certificateOf(mallory);
    proxy.tell(keyOf(eve.userId, { ...certificateOf(eve), rsa_spki_base64 }));
    await users.add('Eve Evans', 'Member');
    await page.getByRole('alert').first().waitFor();
    expect(await page.getByRole('heading', { name: /Is this the key/ }).count()).toBe(0);
    expect(proxy.told()).toBeGreaterThan(0);
    expect(written()).toEqual([]);
    await page.reload();
    await users.open();
  });

  test('M15 forged keys of an unknown user: the key words are shown, and nothing is sent without confirmation', async () => {
    const imposter = await newPerson('Eve Evans', eve.userId);
    proxy.tell(keyOf(eve.userId, certificateOf(imposter)));
    await users.add('Eve Evans', 'Member');
    await screen.remember(ada.masterPassword);
    await screen.dialog().getByRole('heading', { name: 'Is this the key of Eve Evans?' }).waitFor();
    await expect.poll(() => users.words()).toEqual(fingerprintWords(imposter.keyring.fingerprint));
    expect(await users.words()).not.toEqual(fingerprintWords(eve.keyring.fingerprint));
    expect(written()).toEqual([]);
    await screen.button('Cancel', screen.dialog()).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(written()).toEqual([]);
  });

  test('M15 a forged list signed with forged keys makes the group read-only, and nothing is sent', async () => {
    const imposter = await newPerson('Eve Evans', eve.userId);
    const gift = await addGroup('Gift');
    const hers = keyOf(eve.userId, certificateOf(imposter));
    const list = await madeBy({ groupId: gift, signer: imposter, reader: ada });
    proxy.tell((asked, body) => list(asked, body) ?? hers(asked, body));
    await page.goto(`${proxy.origin}/entryGroup/${gift}`);
    await users.open();
    await unlock();
    await page.getByText('This group is read-only here').filter({ visible: true }).first().waitFor();
    expect(await screen.button('Add new user').getAttribute('aria-disabled')).toBe('true');
    expect(proxy.told()).toBeGreaterThan(0);
    expect(written()).toEqual([]);
  });

  test('M14 changed keys of a known user are blocked, and both word lists are shown', async () => {
    const imposter = await newPerson('Bob Brandt', bob.userId);
    const other = await addGroup('Archive');
    proxy.tell(keyOf(bob.userId, certificateOf(imposter)));
    await page.goto(`${proxy.origin}/entryGroup/${other}`);
    await users.open();
    await users.add('Bob Brandt', 'Member');
    await screen.remember(ada.masterPassword);
    await screen.dialog().getByRole('heading', { name: 'The key of Bob Brandt has changed' }).waitFor();
    const told = [bob, imposter].flatMap(({ keyring }) => fingerprintWords(keyring.fingerprint));
    await expect
      .poll(async () => {
        const text = await screen.dialog().innerText();
        return told.filter((word) => !text.includes(word));
      })
      .toEqual([]);
    expect(await screen.button('Trust for now', screen.dialog()).count()).toBe(0);
    await screen.button('Cancel', screen.dialog()).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(written()).toEqual([]);
  });
});

describe('M18 an unsigned user in the list of members', () => {
  test('gets no key of a child group', async () => {
    proxy.tell(ghostIn(group, mallory));
    await page.goto(`${proxy.origin}/entryGroup/${group}`);
    await screen
      .button(/add new child Entry Group/)
      .first()
      .click();
    await screen.box('Title', screen.dialog()).fill('Databases');
    // The button is enabled once the members of the parent are loaded.
    await screen.button('add', screen.dialog()).click();
    await screen.remember(ada.masterPassword);
    await confirmAll();
    await expect
      .poll(
        () =>
          bodyOf(API)
            ?.grants?.map(({ user_id }) => user_id)
            .toSorted() ?? [],
      )
      .not.toEqual([]);
    expect(bodyOf(API)?.grants?.map(({ user_id }) => user_id)).not.toContain(mallory.userId);
  });

  test('is shown as unsigned, and gets no key when the key of the group is rotated', async () => {
    proxy.tell(ghostIn(group, mallory));
    await page.goto(`${proxy.origin}/entryGroup/${group}`);
    await users.open();
    await users.row('Mallory').waitFor();
    const changed = page.waitForResponse((answer) => answer.url().endsWith(`/${group}/rotate`));
    await users.remove('Bob Brandt');
    await screen.remember(ada.masterPassword);
    await expect
      .poll(() => bodyOf(`${API}/${group}/rotate`)?.grants?.map(({ user_id }) => user_id) ?? [])
      .toEqual([ada.userId]);
    expect((await changed).ok()).toBe(true);
    await users.row('Mallory').getByText('not signed by an admin, so this person gets no keys').waitFor();
  });
});

/** Confirms the dialogs for unconfirmed members, one after the other. */
async function confirmAll() {
  for (let asked = 0; asked < 3; asked += 1) {
    const verify = screen.button('Trust for now', screen.dialog());
    if (!(await verify.isVisible().catch(() => false))) return;
    await verify.click();
  }
}

/** Opens the group again and checks its banner. */
async function seesReadOnly(text: string, title = 'This group is read-only here') {
  await page.goto(`${proxy.origin}/entryGroup/${group}`);
  await users.open();
  await unlock();
  await page.getByText(title).filter({ visible: true }).first().waitFor();
  await page.getByText(text).first().waitFor();
  expect(proxy.told()).toBeGreaterThan(0);
  expect(written()).toEqual([]);
}

async function unlock() {
  await screen.button(/^Master Pasword (not entered|is incorrect)$/).click();
  await screen.remember(ada.masterPassword);
  await screen.button('Master Pasword validated').waitFor();
}

describe('M17, M22 a list of members that is no successor of the accepted one', () => {
  let first: RosterAnswer;
  let present: RosterAnswer;
  beforeAll(async () => {
    proxy.tell(null);
    first = await screen.call<RosterAnswer>('GET', `${API}/${group}/roster?from=0`);
    present = await screen.call<RosterAnswer>('GET', `${API}/${group}/roster`);
    // This browser has accepted the newest list.
    await page.goto(`${proxy.origin}/entryGroup/${group}`);
    await users.open();
    await unlock();
    await page.getByText(/^This group is read-only/).waitFor({ state: 'detached' });
  });
  test('M22 an older list of a former key does not open, also after logging out', async () => {
    const older = { ...first, rosters: first.rosters.slice(0, 1) };
    proxy.tell(rosterAs(group, () => older));
    // Its key was rotated since.
    await seesReadOnly('The server sent a wrong key for this group', 'This group cannot be opened here');
    await page.goto(`${proxy.origin}/identity/logout`);
    await screen.heading('Log in').waitFor();
    await signIn(page, proxy.origin, ada);
    proxy.tell(rosterAs(group, () => older));
    await seesReadOnly('The server sent a wrong key for this group', 'This group cannot be opened here');
  });

  test('M22 another list of the same version without a valid key proof does not open', async () => {
    const { wire, content } = newestOf(present);
    const forged = await signRoster(ada.keyring, { ...content, ts: content.ts + 1 });
    proxy.tell(rosterAs(group, (answer) => ({ ...answer, rosters: [{ ...wire, ...forged }] })));
    // Its key proof belongs to another list.
    await seesReadOnly('signed by a person who does not have the key', 'This group cannot be opened here');
  });

  test('M17, M19 a forged successor with a secret known to the server is read-only', async () => {
    proxy.tell(await takenOverBy(present, { groupId: group, signer: mallory, reader: ada }));
    await seesReadOnly('signed by a person who was not an admin');
  });

  test('M22 a new browser refuses an older list because of the trust record', async () => {
    const older = { ...first, rosters: first.rosters.slice(0, 1) };
    const fresh = await openPage(opened.browser);
    const there = await signIn(fresh.page, proxy.origin, ada);
    proxy.tell(rosterAs(group, () => older));
    await fresh.page.goto(`${proxy.origin}/entryGroup/${group}`);
    await there.button(/^Master Pasword not entered$/).click();
    await there.remember(ada.masterPassword);
    await fresh.page.getByText('This group cannot be opened here').filter({ visible: true }).first().waitFor();
    expect(proxy.told()).toBeGreaterThan(0);
    expect(written()).toEqual([]);
    await fresh.context.close();
  });
});
