// @vitest-environment node
/** Working from the copy without the server, coming back, and what makes an end of a copy (specification §4, crypto.md §16). */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { endSession, sessions } from '@passwordbroker/core/contract/credentials';
import { forgetApplication } from '@passwordbroker/core/contract/offline';
import { changeSettings } from '@passwordbroker/core/contract/site';
import { startTestApp, type SignedIn, type TestApp } from '../../../server/src/testing/test-app.ts';
import { newDevice, openPage, type Device, type OfflineTestPage } from '../testing/offline-page.node.ts';
import { groupWithSecret, mateOf, signUpAll, type Mate } from '../testing/team.node.ts';
import type { FieldPath } from '../vault/vault.ts';
import type { LocalCopy } from './offline.ts';
import { isReady } from './parts.ts';

const DAY_MS = 24 * 3_600_000;

let app: TestApp;
let site: SignedIn;
let ada: SignedIn;
let elsewhere: Mate;
let path: FieldPath;
let device: Device;
let page: OfflineTestPage;
const opened: OfflineTestPage[] = [];

beforeAll(async () => {
  app = await startTestApp();
  const [first, second] = await signUpAll(app, ['admin', 'ada']);
  if (first === undefined || second === undefined) throw new Error('nobody signed up');
  [site, ada] = [first, second];
  elsewhere = await mateOf(await app.signIn(ada));
  path = await groupWithSecret(elsewhere, 'first value');
}, 60_000);
afterAll(() => app.stop());
beforeEach(async () => {
  device = newDevice();
  page = await openOn(device);
  await page.unlock();
  await page.engine.enable();
  await synchronized(page);
});
afterEach(() => opened.splice(0).forEach((one) => one.close()));

/** @param person with the cookies of this browser */
async function openOn(of: Device, { isAway = false, person }: { isAway?: boolean; person?: SignedIn } = {}) {
  const one = await openPage(person ?? (await app.signIn(ada)), of, isAway);
  opened.push(one);
  return one;
}
const synchronized = (one: OfflineTestPage) => vi.waitFor(() => expect(isReady(one.state().parts)).toBe(true), 20_000);
const gone = () =>
  vi.waitFor(() => {
    const { records, pieces, seen, bodies } = device.copies.kept;
    expect([records, pieces, seen, bodies].map(({ size }) => size)).toEqual([0, 0, 0, 0]);
  }, 20_000);
function copyRecord() {
  const [record] = device.copies.kept.records.values();
  if (record === undefined) throw new Error('no copy');
  return Promise.resolve(record);
}
async function copyOf(one: OfflineTestPage): Promise<LocalCopy> {
  const [copy] = await one.engine.localCopies();
  if (copy === undefined) throw new Error('no copy');
  return copy;
}
async function revealed(one: OfflineTestPage) {
  const vault = one.engine.vault() ?? one.real.vault;
  const [field] = await vault.read.fields(path);
  return (await vault.read.reveal({ ...path, field: field ?? path.field })).text;
}

describe('without the server', () => {
  test('a browser that begins there opens the copy with the master password, and with no other', async () => {
    page.close();
    const away = await openOn(device, { isAway: true });
    expect(away.session.view()).toMatchObject({ status: 'network_error', user: null });
    const copy = await copyOf(away);
    expect(copy).toMatchObject({ userId: ada.userId, name: ada.name, email: ada.email, server: null });
    expect(copy.copyOf).toBe(page.state().copyOf);
    await expect(away.engine.logIn(copy, 'not hers')).rejects.toMatchObject({ code: 'wrong_master_password' });
    expect(away.state().databaseMode).toBe('online');
    expect(away.engine.vault()).toBeNull();
    await away.engine.logIn(copy, ada.masterPassword);
    expect(away.state()).toMatchObject({ databaseMode: 'offline', enabled: true, copyOf: copy.copyOf });
    expect(away.session.view()).toMatchObject({ status: 'logged-in', user: { user_id: ada.userId } });
    expect(await revealed(away)).toBe('first value');
    // Every request is refused here: after the one that found nobody none goes out.
    const before = away.real.requests.length;
    await expect(away.real.vault.read.tree()).rejects.toThrow('Not available offline');
    expect(away.real.requests).toHaveLength(before);
  });

  test('locked, it opens again from the copy; then everything is there again', async () => {
    await page.engine.switchToOffline();
    page.setAway(true);
    page.real.keyring.lock();
    await expect(page.engine.vault()?.read.tree()).rejects.toMatchObject({ code: 'locked' });
    await page.unlock();
    expect(await page.engine.vault()?.read.tree()).toHaveLength(1);
    expect(await revealed(page)).toBe('first value');
  });

  test('a vault that was locked when the server went away opens from the copy, and switches', async () => {
    page.real.keyring.lock();
    page.setAway(true);
    await expect(page.engine.switchToOffline()).rejects.toMatchObject({ code: 'locked' });
    expect(page.state()).toMatchObject({ databaseMode: 'online', problem: null });
    await page.unlock();
    await page.engine.switchToOffline();
    expect(page.state().databaseMode).toBe('offline');
    expect(await revealed(page)).toBe('first value');
  });

  test('coming back needs the server; then what was changed meanwhile arrives', async () => {
    page.close();
    const browser = await app.signIn(ada);
    const away = await openOn(device, { isAway: true, person: browser });
    await away.engine.logIn(await copyOf(away), ada.masterPassword);
    await expect(away.engine.switchToOnline()).rejects.toMatchObject({ name: 'NetworkError' });
    expect(away.state().databaseMode).toBe('offline');
    expect(await revealed(away)).toBe('first value');
    await elsewhere.write.updateField(path, { type: 'password', title: 'Root', login: 'root', value: 'meanwhile' });
    path = { ...path, field: { ...path.field, rev: 2 } };
    away.setAway(false);
    await away.engine.switchToOnline();
    expect(away.state().databaseMode).toBe('online');
    expect(away.engine.vault()).toBeNull();
    expect(away.session.view().sessionId).not.toBeNull();
    expect(await revealed(away)).toBe('meanwhile');
    await synchronized(away);
    await vi.waitFor(() => expect(device.copies.kept.pieces.get(away.name)?.length).toBeGreaterThan(1), 20_000);
  });
});

describe('a copy ends', () => {
  test('with the logout of its owner', async () => {
    await page.session.logOut();
    await gone();
    expect(page.state()).toMatchObject({ enabled: false, copyOf: null });
  });

  test('not with a logout after which it was to stay: it opens without the server', async () => {
    await page.engine.setKeepAtLogout(true);
    await page.session.logOut();
    expect(device.copies.kept.records.size).toBe(1);
    const away = await openOn(device, { isAway: true });
    await away.engine.logIn(await copyOf(away), ada.masterPassword);
    expect(await revealed(away)).not.toBe('');
  });

  test('with a logout offline', async () => {
    await page.engine.switchToOffline();
    await page.session.logOut();
    await gone();
    expect(page.real.http.isOffline()).toBe(false);
  });

  test('when it is switched off; the server knows', async () => {
    await page.engine.disable();
    await gone();
    expect(page.state()).toMatchObject({ enabled: false, syncMode: 'await', parts: { database: 'not_loaded' } });
    const application = await ada.request({ path: '/identity/api/userApplications' });
    const own = application.json<{ client_id: string; is_offline_database_mode: boolean }[]>();
    expect(own.find(({ client_id }) => client_id === device.clientId)?.is_offline_database_mode).toBe(false);
  });

  test('in every tab of the browser, when it is switched off in one', async () => {
    const tab = await openOn(device);
    await tab.unlock();
    await synchronized(tab);
    await tab.engine.disable();
    await vi.waitFor(() => expect(page.state()).toMatchObject({ enabled: false, copyOf: null, problem: null }), 20_000);
    await gone();
  });

  test('when it is switched off while the server is away: what is kept goes all the same', async () => {
    page.setAway(true);
    await expect(page.engine.disable()).rejects.toMatchObject({ name: 'NetworkError' });
    await gone();
    expect(page.state().enabled).toBe(false);
  });

  const endItsSession = async () => {
    const sessionId = page.session.view().sessionId ?? '';
    expect((await ada.call(sessions)).some(({ session_id }) => session_id === sessionId)).toBe(true);
    await ada.call(endSession, { params: { sessionId } });
  };

  test('when the server ends the session because the account may not sign in any more (401)', async () => {
    await page.engine.setKeepAtLogout(true);
    await ada.call(forgetApplication, { params: { id: (await copyRecord()).applicationId } });
    await endItsSession();
    await gone();
    expect(page.session.view().user).toBeNull();
  });

  test('not with a session that merely ended', async () => {
    await page.engine.setKeepAtLogout(true);
    await endItsSession();
    await vi.waitFor(() => expect(page.session.view().user).toBeNull(), 20_000);
    await page.engine.localCopies();
    expect(device.copies.kept.records.size).toBe(1);
  });

  test('after thirty days without a sync: not offered, not opened, downloaded anew', async () => {
    page.close();
    await device.copies.change(page.name, { syncedAt: Date.now() - 30 * DAY_MS });
    const away = await openOn(device, { isAway: true });
    expect(await away.engine.localCopies()).toEqual([]);
    const copy = { userId: ada.userId, name: '', email: '', server: null, copyOf: null };
    await expect(away.engine.logIn(copy, ada.masterPassword)).rejects.toMatchObject({ name: 'OfflineCopyError' });
    expect(device.copies.kept.pieces.size).toBe(0);
    const back = await openOn(device);
    await back.unlock();
    await synchronized(back);
    const days = (Date.now() - (device.copies.kept.records.get(back.name)?.syncedAt ?? 0)) / DAY_MS;
    expect(days).toBeLessThan(1);
  });

  test('when it is wiped; while it is wanted it is made anew', async () => {
    await page.engine.wipe();
    await synchronized(page);
    expect(page.states.some(({ parts }) => parts.key === 'download_required')).toBe(true);
  });

  test('where the site forbids it: switched off at once, and not to be switched on', async () => {
    await site.call(changeSettings, { body: { offline_allowed: false } });
    await elsewhere.write.createEntry(path.entryGroupId, 'One more');
    await gone();
    expect(page.state()).toMatchObject({ enabled: false, allowed: false });
    await expect(page.engine.enable()).rejects.toMatchObject({ code: 'forbidden' });
    expect(page.state()).toMatchObject({ enabled: false, allowed: false, syncMode: 'await' });
    await site.call(changeSettings, { body: { offline_allowed: true } });
    await page.engine.enable();
    expect(page.state()).toMatchObject({ enabled: true, allowed: true });
    await synchronized(page);
  });
});
