/** A copy that is removed while a page uses it or is about to (docs/spec/product.md §4, database mode). */
import { describe, expect, test } from 'vitest';
import { keptCopy } from '../testing/kept-copy.node.ts';

const { kept, gone } = keptCopy();

describe('a local copy in use', () => {
  test('is closed and removed when it is switched off on the same page, and the server is told', async () => {
    await kept.page.engine.switchToOffline();
    await kept.page.engine.disable();
    await gone();
    expect(kept.page.state()).toMatchObject({ enabled: false, databaseMode: 'online', syncMode: 'await' });
    expect(kept.page.engine.vault()).toBeNull();
    expect(kept.page.real.http.isOffline()).toBe(false);
    expect(await kept.page.real.vault.read.tree()).toHaveLength(1);
    const application = await kept.ada.request({ path: '/identity/api/userApplications' });
    const own = application.json<{ client_id: string; is_offline_database_mode: boolean }[]>();
    expect(own.find(({ client_id }) => client_id === kept.device.clientId)?.is_offline_database_mode).toBe(false);
  });

  test('is closed and removed when it is switched off without the server, and the keyring is locked', async () => {
    await kept.page.engine.switchToOffline();
    kept.page.setAway(true);
    await expect(kept.page.engine.disable()).rejects.toMatchObject({ name: 'NetworkError' });
    await gone();
    expect(kept.page.state()).toMatchObject({ enabled: false, databaseMode: 'online' });
    expect(kept.page.engine.vault()).toBeNull();
    expect(kept.page.real.keyring.isOpen()).toBe(false);
  });

  test('does not open if another tab removes it during the switch to offline', async () => {
    const { copies } = kept.device;
    // Another tab removes the pieces while the worker reads them.
    const whole = { ...copies };
    copies.pieces = async (name) => {
      const read = await whole.pieces(name);
      await copies.remove(name);
      return read;
    };
    await expect(kept.page.engine.switchToOffline()).rejects.toMatchObject({ name: 'OfflineCopyError' });
    Object.assign(copies, whole);
    expect(kept.page.state().databaseMode).toBe('online');
    expect(kept.page.engine.vault()).toBeNull();
    expect(kept.page.real.http.isOffline()).toBe(false);
  });
});
