/**
 * When a copy is removed or expires while its owner is signed in (docs/spec/product.md §4,
 * docs/spec/crypto.md §16).
 */
import { describe, expect, test, vi } from 'vitest';
import { forgetApplication, setMode } from '@passwordbroker/core/contract/account/offline';
import { changeSettings } from '@passwordbroker/core/contract/site/site';
import { keptCopy } from '../testing/kept-copy.node.ts';

const DAY_MS = 24 * 3_600_000;

const { kept, openOn, synchronized, copyOn, revealed, gone, record } = keptCopy();

describe('a local copy', () => {
  test('is removed at the logout of its owner', async () => {
    await kept.page.session.logOut();
    await gone();
    expect(kept.page.state()).toMatchObject({ enabled: false, copyOf: null });
  });

  test('that is kept at logout opens without the server', async () => {
    await kept.page.engine.setKeepAtLogout(true);
    await kept.page.session.logOut();
    expect(kept.device.copies.kept.records.size).toBe(1);
    const away = await openOn(kept.device, { isAway: true });
    await away.engine.logIn(await copyOn(away), kept.ada.masterPassword);
    expect(await revealed(away)).not.toBe('');
  });

  test('is removed at a logout offline', async () => {
    await kept.page.engine.switchToOffline();
    await kept.page.session.logOut();
    await gone();
    expect(kept.page.real.http.isOffline()).toBe(false);
  });

  test('is removed when it is switched off, and the server is told', async () => {
    await kept.page.engine.disable();
    await gone();
    expect(kept.page.state()).toMatchObject({ enabled: false, syncMode: 'await', parts: { database: 'not_loaded' } });
    const application = await kept.ada.request({ path: '/identity/api/userApplications' });
    const own = application.json<{ client_id: string; is_offline_database_mode: boolean }[]>();
    expect(own.find(({ client_id }) => client_id === kept.device.clientId)?.is_offline_database_mode).toBe(false);
  });

  test('is removed in every tab when it is switched off in one', async () => {
    const tab = await openOn(kept.device);
    await tab.unlock();
    await synchronized(tab);
    await tab.engine.disable();
    await vi.waitFor(
      () => expect(kept.page.state()).toMatchObject({ enabled: false, copyOf: null, problem: null }),
      20_000,
    );
    await gone();
  });

  test('is removed when it is switched off without the server', async () => {
    kept.page.setAway(true);
    await expect(kept.page.engine.disable()).rejects.toMatchObject({ name: 'NetworkError' });
    await gone();
    expect(kept.page.state().enabled).toBe(false);
  });

  test('expires by the last sync of the database; checks of the keys alone do not extend it', async () => {
    kept.page.real.keyring.lock();
    const syncedAt = Date.now() - 29 * DAY_MS;
    await kept.device.copies.change(kept.page.name, { syncedAt });
    const asked = () => kept.page.real.requests.filter((request) => request.includes('isRsaPrivate')).length;
    const before = asked();
    await vi.waitFor(() => expect(asked()).toBeGreaterThan(before + 2), 20_000);
    expect(record().syncedAt).toBe(syncedAt);
    await kept.page.unlock();
    await vi.waitFor(() => expect(record().syncedAt).toBeGreaterThan(syncedAt), 20_000);
  });

  test('older than thirty days does not open with its keys', async () => {
    kept.page.real.keyring.lock();
    kept.page.setAway(true);
    await kept.device.copies.change(kept.page.name, { syncedAt: Date.now() - 30 * DAY_MS });
    await expect(kept.page.unlock()).rejects.toThrow('it was not updated for 30 days');
    expect(kept.page.real.keyring.isOpen()).toBe(false);
  });

  test('is not removed when the clock was set back: it stays closed until the clock is right', async () => {
    kept.page.close();
    const { copies } = kept.device;
    await copies.change(kept.page.name, { syncedAt: Date.now() + 40 * DAY_MS });
    const away = await openOn(kept.device, { isAway: true });
    await away.engine.keepsCopy();
    const copy = await copyOn(away);
    await expect(away.engine.logIn(copy, kept.ada.masterPassword)).rejects.toThrow('Correct the clock');
    expect(away.real.keyring.isOpen()).toBe(false);
    expect(away.state().databaseMode).toBe('online');
    expect(copies.kept.pieces.size).toBe(1);
    await copies.change(kept.page.name, { syncedAt: Date.now() - DAY_MS });
    await away.engine.logIn(copy, kept.ada.masterPassword);
    expect(await revealed(away)).not.toBe('');
  });

  test('does not open on an open page while the clock is set back; the next sync corrects the stored time', async () => {
    kept.page.real.keyring.lock();
    kept.page.setAway(true);
    await kept.device.copies.change(kept.page.name, { syncedAt: Date.now() + 40 * DAY_MS });
    await expect(kept.page.unlock()).rejects.toThrow('Correct the clock');
    await expect(kept.page.engine.switchToOffline()).rejects.toThrow('Correct the clock');
    // Like every failure of the switch (docs/spec/product.md §4).
    const failed = kept.page.states.findLast(({ problem }) => problem !== null);
    expect(failed).toMatchObject({ databaseMode: 'online', problem: expect.stringContaining('Correct the clock') });
    expect(Object.values(failed?.parts ?? {})).toEqual(Array(3).fill('download_required'));
    kept.page.setAway(false);
    await kept.page.unlock();
    await vi.waitFor(() => expect(record().syncedAt).toBeLessThanOrEqual(Date.now()), 20_000);
    await kept.page.engine.switchToOffline();
    expect(await revealed(kept.page)).not.toBe('');
  });

  test('of which only a remainder is left is removed completely', async () => {
    kept.page.close();
    await kept.device.copies.keepBody(kept.page.name, { fieldId: 'f', rev: 1, body: new Blob(['sealed']) });
    kept.device.copies.kept.records.clear();
    await openOn(kept.device, { isAway: true });
    await gone();
  });

  test('that was wiped is downloaded again while it is switched on', async () => {
    await kept.page.engine.wipe();
    await synchronized(kept.page);
    expect(kept.page.states.some(({ parts }) => parts.key === 'download_required')).toBe(true);
  });

  test('is switched off at the next check if the site forbids copies, and cannot be switched on', async () => {
    await kept.site.call(changeSettings, { body: { offline_allowed: false } });
    await gone();
    await vi.waitFor(() => expect(kept.page.state()).toMatchObject({ enabled: false, allowed: false }), 20_000);
    await expect(kept.page.engine.enable()).rejects.toMatchObject({ code: 'forbidden' });
    expect(kept.page.state()).toMatchObject({ enabled: false, allowed: false, syncMode: 'await' });
    await kept.site.call(changeSettings, { body: { offline_allowed: true } });
    await kept.page.engine.enable();
    expect(kept.page.state()).toMatchObject({ enabled: true, allowed: true });
    await synchronized(kept.page);
  });

  test('is removed when its application is deleted elsewhere; no other application is created for it', async () => {
    await kept.ada.call(forgetApplication, { params: { id: record().applicationId } });
    await gone();
    expect(kept.page.state()).toMatchObject({ enabled: false, copyOf: null });
    expect(kept.page.real.requests.filter((request) => request.startsWith('POST'))).toHaveLength(1);
  });

  test('is removed when it is switched off elsewhere, also while this browser is closed', async () => {
    const off = () => kept.ada.call(setMode, { params: { id: record().applicationId }, body: { status: false } });
    await off();
    await gone();
    await kept.page.engine.enable();
    await synchronized(kept.page);
    kept.page.close();
    await off();
    await openOn(kept.device);
    await gone();
  });

  test.each([403, 404])('is not removed by a bare %i from a proxy before the server', async (status) => {
    const code = status === 403 ? 'forbidden' : 'not_found';
    kept.page.real.refuse = (request) => (request.includes('/api/') ? { code, status } : null);
    await kept.page.engine.wipe();
    await vi.waitFor(() => expect(kept.page.state().syncMode).toBe('error'), 20_000);
    const asked = () => kept.page.real.requests.filter((request) => request.endsWith('/standing')).length;
    await vi.waitFor(() => expect(asked()).toBeGreaterThan(1), 20_000);
    expect(record()).toMatchObject({ userId: kept.ada.userId });
    expect(kept.page.state()).toMatchObject({ enabled: true, allowed: true });
    kept.page.real.refuse = null;
    await synchronized(kept.page);
  });

  test('that could not be switched on because of a bare 403 can be tried again', async () => {
    await kept.page.engine.disable();
    kept.page.real.refuse = (request) => (request.startsWith('PUT') ? { code: 'forbidden', status: 403 } : null);
    await expect(kept.page.engine.enable()).rejects.toMatchObject({ code: 'forbidden' });
    expect(kept.page.state()).toMatchObject({ enabled: false, allowed: true });
  });
});
