/** A local copy on the real server: made, updated after changes elsewhere, and opened. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startTestApp, type SignedIn, type TestApp } from '../../../server/src/testing/test-app.ts';
import { changeMasterPassword } from '../master-password/change-master-password.ts';
import { createMasterPassword } from '../master-password/master-password.ts';
import { newDevice, openPage, ORIGIN, type Device, type OfflineTestPage } from '../testing/offline-page.node.ts';
import { addSecret, groupWithSecret, mateOf, type Mate } from '../testing/team.node.ts';
import type { FieldPath, VaultRead } from '../vault/vault.ts';
import { isReady } from './parts/parts.ts';

let app: TestApp;
let ada: SignedIn;
let elsewhere: Mate;
let path: FieldPath;
let device: Device;
let page: OfflineTestPage;
const opened: OfflineTestPage[] = [];

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterAll(() => app.stop());
beforeEach(async () => {
  elsewhere = await mateOf(await app.signIn(ada));
  path = await groupWithSecret(elsewhere, 'first value');
  device = newDevice();
  page = await openOn(device);
});
afterEach(() => opened.splice(0).forEach((one) => one.close()));

async function openOn(of: Device, isAway = false): Promise<OfflineTestPage> {
  const one = await openPage(await app.signIn(ada), of, { isAway });
  opened.push(one);
  return one;
}
const synchronized = (one = page) =>
  vi.waitFor(() => expect([one.state().parts, isReady(one.state().parts)]).toEqual([expect.anything(), true]), 20_000);
async function enabled(one = page) {
  await one.unlock();
  await one.engine.enable();
  await synchronized(one);
}
const pieces = () => device.copies.kept.pieces.get(page.name) ?? [];
/** Waits until the copy has this many pieces. */
const changed = (count: number) => vi.waitFor(() => expect(pieces()).toHaveLength(count), 20_000);
/** Switches to offline until the copy shows the expected data. */
const copied = (expected: (read: VaultRead) => Promise<void>) =>
  vi.waitFor(async () => {
    await page.engine.switchToOffline();
    try {
      await expected((page.engine.vault() ?? (await elsewhereOnly())).read);
    } catch (failure) {
      await page.engine.switchToOnline();
      throw failure;
    }
  }, 20_000);
async function revealed(one: OfflineTestPage, of: FieldPath) {
  const { read } = one.engine.vault() ?? (await elsewhereOnly());
  const field = (await read.fields(of)).find(({ field_id }) => field_id === of.field.field_id);
  return (await read.reveal({ ...of, field: field ?? of.field })).text;
}
const elsewhereOnly = () => Promise.reject(new Error('The page is not offline'));

describe('the first sync', () => {
  test('starts when the copy is enabled, waits for the keys to load the database, and ends with three parts', async () => {
    await page.engine.enable();
    const keys = { key: 'synchronized', salt: 'synchronized' };
    await vi.waitFor(() => expect(page.state().parts).toMatchObject(keys), 20_000);
    expect(page.state()).toMatchObject({ enabled: true, copyOf: null, parts: { database: 'not_loaded' } });
    await page.unlock();
    await synchronized();
    expect(page.state()).toMatchObject({ syncMode: 'await', problem: null, databaseMode: 'online', progress: null });
    expect(Math.abs((page.state().copyOf ?? 0) - app.clock.now() / 1000)).toBeLessThan(120);
    expect(page.states.some(({ syncMode, progress }) => syncMode === 'updating' && progress !== null)).toBe(true);
  });

  test('leaves nothing readable in the browser', async () => {
    await enabled();
    const record = device.copies.kept.records.get(page.name);
    const kept = Buffer.concat([...pieces().map(({ blob }) => blob), record?.label ?? new Uint8Array()]);
    // The name with its quotes: sealed bytes contain three given letters by chance.
    for (const text of ['Production', 'Ledger', 'root', 'first value', ada.email, `"${ada.name}"`, 'trees'])
      expect(kept.includes(text), text).toBe(false);
    const { label: _label, ...open } = record ?? {};
    expect(JSON.stringify(open)).not.toMatch(new RegExp(`${ada.email}|Production|Ledger`));
  });

  test('does not start if the copy was never enabled', async () => {
    await page.unlock();
    expect(page.state().enabled).toBe(false);
    expect(page.real.requests.some((request) => /userApplication|entryGroupsWithFields/.test(request))).toBe(false);
  });
});

describe('changes made elsewhere', () => {
  test('arrive as changes after the copy, and are readable offline', async () => {
    await enabled();
    await elsewhere.write.updateField(path, { type: 'password', title: 'Root', login: 'root', value: 'second value' });
    await changed(2);
    const added = await addSecret(elsewhere, path, 'of the other field');
    await changed(3);
    const other = await groupWithSecret(elsewhere, 'of another group');
    await copied(async (read) => {
      expect(await read.entries(other.entryGroupId)).toHaveLength(1);
      expect(await read.fields(other)).toHaveLength(1);
    });
    expect(await revealed(page, path)).toBe('second value');
    expect(await revealed(page, added)).toBe('of the other field');
    expect(await revealed(page, other)).toBe('of another group');
    const downloads = page.real.requests.filter((request) => request.includes('entryGroupsWithFields'));
    expect(downloads.filter((request) => !request.includes('since='))).toHaveLength(1);
  });

  test('removals are applied', async () => {
    const entry = await elsewhere.write.createEntry(path.entryGroupId, 'Short-lived');
    await enabled();
    await elsewhere.write.removeEntries(path.entryGroupId, [entry.entry_id]);
    await changed(2);
    await page.engine.switchToOffline();
    const { read } = page.engine.vault() ?? (await elsewhereOnly());
    expect((await read.entries(path.entryGroupId)).map(({ title }) => title)).toEqual(['Ledger']);
  });

  test('arrive after the page was closed and after the browser had no room (R48)', async () => {
    await enabled();
    await elsewhere.write.updateField(path, { type: 'password', title: 'Root', login: 'root', value: 'second value' });
    const add = vi.spyOn(device.copies, 'add').mockRejectedValue(new DOMException('full', 'QuotaExceededError'));
    await vi.waitFor(() => expect(page.state().syncMode).toBe('error'), 20_000);
    expect(page.state().parts.database).toBe('download_required');
    expect(page.state().problem).toBe('This browser has no room for the copy');
    page.close();
    add.mockRestore();
    expect(pieces()).toHaveLength(1);
    const next = await openOn(device);
    await next.unlock();
    await vi.waitFor(() => expect(pieces().at(-1)?.step).toBe(2), 20_000);
    await synchronized(next);
    await next.engine.switchToOffline();
    expect(await revealed(next, path)).toBe('second value');
  });

  test('arrive in two tabs of one browser without a conflict', async () => {
    await enabled();
    const tab = await openOn(device);
    await tab.unlock();
    await synchronized(tab);
    await elsewhere.write.updateField(path, { type: 'password', title: 'Root', login: 'root', value: 'second value' });
    await vi.waitFor(async () => {
      expect(pieces().length).toBeGreaterThan(1);
      expect([page.state().copyOf, tab.state().copyOf]).toEqual(Array(2).fill(pieces().at(-1)?.timestamp));
    }, 20_000);
    for (const one of [page, tab]) {
      await synchronized(one);
      await one.engine.switchToOffline();
      expect(await revealed(one, path)).toBe('second value');
    }
  });

  test('many changes are merged into one copy', async () => {
    await enabled();
    for (let count = 2; count <= 44; count += 1) {
      await elsewhere.write.renameEntry(path, `Ledger ${count}`);
      await vi.waitFor(() => expect(device.copies.kept.pieces.get(page.name)?.at(-1)?.step).toBe(count), 20_000);
    }
    page.close();
    page = await openOn(device);
    await page.unlock();
    await synchronized();
    expect(pieces()).toHaveLength(1);
    const trees = await page.real.vault.read.tree();
    await page.engine.switchToOffline();
    const { read } = page.engine.vault() ?? (await elsewhereOnly());
    expect((await read.entries(path.entryGroupId)).map(({ title }) => title)).toEqual(['Ledger 44']);
    expect(read.treeAtHand()).toEqual(trees);
    expect(await page.real.keyring.call('checkCopy', { origin: ORIGIN })).toMatchObject({ state: 'found' });
  }, 120_000);
});

describe('keys', () => {
  test('of a rotated group: the present and the former ones open (R48)', async () => {
    await enabled();
    await elsewhere.write.members.rotate(path.entryGroupId, { force: true });
    const added = await addSecret(elsewhere, path, 'under the new key');
    await copied(async (read) => {
      expect((await read.group(path.entryGroupId)).entryGroup.gk_version).toBe(2);
      expect(await read.fields(path)).toHaveLength(2);
    });
    expect(await revealed(page, added)).toBe('under the new key');
    expect(await revealed(page, path)).toBe('first value');
  });
});

describe('files', () => {
  const file = (size: number) => new File([new Uint8Array(size).fill(7)], `${size}.bin`);

  test('are kept up to the limit, and removed when the limit is lowered', async () => {
    const small = await elsewhere.write.createField(path, { type: 'file', title: 'Small', file: file(1_000) });
    const large = await elsewhere.write.createField(path, { type: 'file', title: 'Large', file: file(90_000) });
    await enabled();
    expect(page.state().fileLimit).toBe(0);
    await page.engine.setFileLimit(50_000);
    const kept = () => [...(device.copies.kept.bodies.get(page.name)?.keys() ?? [])];
    await vi.waitFor(() => expect(kept()).toEqual([small.field_id]), 20_000);
    const later = await elsewhere.write.createField(path, { type: 'file', title: 'Later', file: file(2_000) });
    await vi.waitFor(() => expect(kept()).toEqual([small.field_id, later.field_id]), 20_000);
    await page.engine.switchToOffline();
    const { read } = page.engine.vault() ?? (await elsewhereOnly());
    const openedFile = await read.openFile({ ...path, field: small });
    expect(openedFile.blob.size).toBe(1_000);
    await expect(read.openFile({ ...path, field: large })).rejects.toMatchObject({
      name: 'NotInCopyError',
      message: /too large for the copy/,
    });
    await page.engine.switchToOnline();
    await page.engine.setFileLimit(0);
    await vi.waitFor(() => expect(kept()).toEqual([]), 20_000);
  });
});

// Must be last, because it changes Ada's master password.
test('a new master password arrives with key and salt, and opens the copy (R48)', async () => {
  await enabled();
  const before = device.copies.kept.records.get(page.name);
  await changeMasterPassword(
    { ...elsewhere, masterPassword: createMasterPassword(elsewhere.keyring) },
    { oldMasterPassword: ada.masterPassword, newMasterPassword: 'a new one' },
  );
  await vi.waitFor(
    () => expect(device.copies.kept.records.get(page.name)?.salt?.digest).not.toBe(before?.salt?.digest),
    20_000,
  );
  await synchronized();
  page.close();
  const away = await openOn(device, true);
  const [copy] = await away.engine.localCopies();
  if (copy === undefined) throw new Error('no copy');
  await expect(away.engine.logIn(copy, ada.masterPassword)).rejects.toMatchObject({ code: 'wrong_master_password' });
  await away.engine.logIn(copy, 'a new one');
  expect(await revealed(away, path)).toBe('first value');

  // Rolled-back keys would open with the old password; the next unlock with the server detects them.
  away.close();
  await device.copies.change(page.name, { key: before?.key ?? null, salt: before?.salt ?? null });
  const back = await openOn(device);
  await back.real.keyring.unlock('a new one');
  const digests = () => {
    const { key, salt } = device.copies.kept.records.get(page.name) ?? {};
    return [key?.digest, salt?.digest];
  };
  await vi.waitFor(() => {
    expect(digests()).not.toContain(before?.key?.digest);
    expect(digests()).not.toContain(before?.salt?.digest);
  }, 20_000);
  await synchronized(back);
});
