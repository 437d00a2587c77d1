/** What makes an end of a copy, where its owner is signed in (docs/spec/product.md §4, docs/spec/crypto.md §16). */
import { describe, expect, test, vi } from 'vitest';
import { forgetApplication, setMode } from '@passwordbroker/core/contract/account/offline';
import { changeSettings } from '@passwordbroker/core/contract/site/site';
import { keptCopy } from '../testing/kept-copy.node.ts';

const DAY_MS = 24 * 3_600_000;

const { kept, openOn, synchronized, copyOn, revealed, gone, record } = keptCopy();

describe('a copy ends', () => {
  test('with the logout of its owner', async () => {
    await kept.page.session.logOut();
    await gone();
    expect(kept.page.state()).toMatchObject({ enabled: false, copyOf: null });
  });

  test('not with a logout after which it was to stay: it opens without the server', async () => {
    await kept.page.engine.setKeepAtLogout(true);
    await kept.page.session.logOut();
    expect(kept.device.copies.kept.records.size).toBe(1);
    const away = await openOn(kept.device, { isAway: true });
    await away.engine.logIn(await copyOn(away), kept.ada.masterPassword);
    expect(await revealed(away)).not.toBe('');
  });

  test('with a logout offline', async () => {
    await kept.page.engine.switchToOffline();
    await kept.page.session.logOut();
    await gone();
    expect(kept.page.real.http.isOffline()).toBe(false);
  });

  test('when it is switched off; the server knows', async () => {
    await kept.page.engine.disable();
    await gone();
    expect(kept.page.state()).toMatchObject({ enabled: false, syncMode: 'await', parts: { database: 'not_loaded' } });
    const application = await kept.ada.request({ path: '/identity/api/userApplications' });
    const own = application.json<{ client_id: string; is_offline_database_mode: boolean }[]>();
    expect(own.find(({ client_id }) => client_id === kept.device.clientId)?.is_offline_database_mode).toBe(false);
  });

  test('in every tab of the browser, when it is switched off in one', async () => {
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

  test('when it is switched off while the server is away: what is kept goes all the same', async () => {
    kept.page.setAway(true);
    await expect(kept.page.engine.disable()).rejects.toMatchObject({ name: 'NetworkError' });
    await gone();
    expect(kept.page.state().enabled).toBe(false);
  });

  test('by thirty days of answers about the keys alone: what is known of the database counts', async () => {
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

  test('when its keys are older than that: they open nothing any more', async () => {
    kept.page.real.keyring.lock();
    kept.page.setAway(true);
    await kept.device.copies.change(kept.page.name, { syncedAt: Date.now() - 30 * DAY_MS });
    await expect(kept.page.unlock()).rejects.toThrow('it was not synchronized for 30 days');
    expect(kept.page.real.keyring.isOpen()).toBe(false);
  });

  test('not by a clock that was set back: it stays closed until the clock is right', async () => {
    kept.page.close();
    const { copies } = kept.device;
    await copies.change(kept.page.name, { syncedAt: Date.now() + 40 * DAY_MS });
    const away = await openOn(kept.device, { isAway: true });
    await away.engine.keepsCopy();
    const copy = await copyOn(away);
    await expect(away.engine.logIn(copy, kept.ada.masterPassword)).rejects.toThrow('Look at the clock');
    expect(away.real.keyring.isOpen()).toBe(false);
    expect(away.state().databaseMode).toBe('online');
    expect(copies.kept.pieces.size).toBe(1);
    await copies.change(kept.page.name, { syncedAt: Date.now() - DAY_MS });
    await away.engine.logIn(copy, kept.ada.masterPassword);
    expect(await revealed(away)).not.toBe('');
  });

  test('not by a clock that was set back while it is open on a page; the server’s next word counts again', async () => {
    kept.page.real.keyring.lock();
    kept.page.setAway(true);
    await kept.device.copies.change(kept.page.name, { syncedAt: Date.now() + 40 * DAY_MS });
    await expect(kept.page.unlock()).rejects.toThrow('Look at the clock');
    await expect(kept.page.engine.switchToOffline()).rejects.toThrow('Look at the clock');
    // As every failure of the switch (docs/spec/product.md §4).
    const failed = kept.page.states.findLast(({ problem }) => problem !== null);
    expect(failed).toMatchObject({ databaseMode: 'online', problem: expect.stringContaining('Look at the clock') });
    expect(Object.values(failed?.parts ?? {})).toEqual(Array(3).fill('download_required'));
    kept.page.setAway(false);
    await kept.page.unlock();
    await vi.waitFor(() => expect(record().syncedAt).toBeLessThanOrEqual(Date.now()), 20_000);
    await kept.page.engine.switchToOffline();
    expect(await revealed(kept.page)).not.toBe('');
  });

  test('of which something is left without it: nothing is', async () => {
    kept.page.close();
    await kept.device.copies.keepBody(kept.page.name, { fieldId: 'f', rev: 1, body: new Blob(['sealed']) });
    kept.device.copies.kept.records.clear();
    await openOn(kept.device, { isAway: true });
    await gone();
  });

  test('when it is wiped; while it is wanted it is made anew', async () => {
    await kept.page.engine.wipe();
    await synchronized(kept.page);
    expect(kept.page.states.some(({ parts }) => parts.key === 'download_required')).toBe(true);
  });

  test('where the site forbids it: switched off at the next question, and not to be switched on', async () => {
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

  test('when its application is forgotten elsewhere; no other one is opened in its place', async () => {
    await kept.ada.call(forgetApplication, { params: { id: record().applicationId } });
    await gone();
    expect(kept.page.state()).toMatchObject({ enabled: false, copyOf: null });
    expect(kept.page.real.requests.filter((request) => request.startsWith('POST'))).toHaveLength(1);
  });

  test('when it is switched off elsewhere, also while this browser is closed', async () => {
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

  test.each([403, 404])('not with a bare %i of something in front of the server', async (status) => {
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

  test('that could not be switched on for a bare 403 may be tried again', async () => {
    await kept.page.engine.disable();
    kept.page.real.refuse = (request) => (request.startsWith('PUT') ? { code: 'forbidden', status: 403 } : null);
    await expect(kept.page.engine.enable()).rejects.toMatchObject({ code: 'forbidden' });
    expect(kept.page.state()).toMatchObject({ enabled: false, allowed: true });
  });
});
