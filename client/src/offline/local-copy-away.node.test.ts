/** Working from the copy without the server, and switching back to online (docs/spec/product.md §4). */
import { describe, expect, test, vi } from 'vitest';
import * as passkeys from '@passwordbroker/core/contract/account/passkeys';
import { makePasskey } from '../../../server/src/passkeys/testing/authenticator.ts';
import { createMasterPassword } from '../master-password/master-password.ts';
import { addUnlockPasskey } from '../master-password/unlock-passkeys.ts';
import { keptCopy } from '../testing/kept-copy.node.ts';
import { tabsOfOneBrowser } from '../testing/tabs-of-one-browser.ts';
import { NetworkError } from '../transport/exchange.ts';

const { kept, openOn, synchronized, copyOn, revealed } = keptCopy();

describe('without the server', () => {
  test('a newly started browser opens the copy with the right master password only', async () => {
    kept.page.close();
    const away = await openOn(kept.device, { isAway: true });
    expect(away.session.view()).toMatchObject({ status: 'network_error', user: null });
    const copy = await copyOn(away);
    expect(copy).toMatchObject({ userId: kept.ada.userId, name: kept.ada.name, email: kept.ada.email, server: null });
    expect(copy.copyOf).toBe(kept.page.state().copyOf);
    await expect(away.engine.logIn(copy, 'not hers')).rejects.toMatchObject({ code: 'wrong_master_password' });
    expect(away.state().databaseMode).toBe('online');
    expect(away.engine.vault()).toBeNull();
    await away.engine.logIn(copy, kept.ada.masterPassword);
    expect(away.state()).toMatchObject({ databaseMode: 'offline', enabled: true, copyOf: copy.copyOf });
    expect(away.session.view()).toMatchObject({ status: 'logged-in', user: { user_id: kept.ada.userId } });
    expect(await revealed(away)).toBe('first value');
    // All requests fail here; after the session check none is sent.
    const before = away.real.requests.length;
    await expect(away.real.vault.read.tree()).rejects.toThrow('Not available offline');
    expect(away.real.requests).toHaveLength(before);
  });

  test('I66: a passkey that opens the vault opens the copy, another answer does not', async () => {
    const { options, options_token } = await kept.ada.call(passkeys.registrationOptions, {
      body: { uses: ['unlock'] },
    });
    const { attestation } = makePasskey(options, 'http://localhost:8080');
    const body = { attestation, options_token, name: 'Laptop', uses: ['unlock' as const], has_prf: true };
    const { passkey } = await kept.ada.call(passkeys.register, { body });
    const answerOf = (byte: number) => ({
      credentialId: passkey.credential_id,
      prf: new Uint8Array(32).fill(byte).buffer,
    });
    const { http, keyring } = kept.page.real;
    const masterPassword = createMasterPassword(keyring);
    const means = { http, keyring, masterPassword, whenFresh: <T>(call: () => Promise<T>) => call() };
    await addUnlockPasskey(means, passkey, { typed: kept.ada.masterPassword, answer: answerOf(7) });
    await vi.waitFor(
      async () => expect(await copyOn(kept.page)).toMatchObject({ passkeyHosts: ['localhost'] }),
      20_000,
    );
    kept.page.close();
    const away = await openOn(kept.device, { isAway: true });
    const copy = await copyOn(away);
    const by = (byte: number) => () => Promise.resolve(answerOf(byte));
    await expect(away.engine.logIn(copy, by(8))).rejects.toMatchObject({ code: 'other_passkey' });
    expect(away.engine.vault()).toBeNull();
    await away.engine.logIn(copy, by(7));
    expect(away.state()).toMatchObject({ databaseMode: 'offline' });
    expect(await revealed(away)).toBe('first value');
  });

  test('after a lock the copy opens again, with all its data', async () => {
    await kept.page.engine.switchToOffline();
    kept.page.setAway(true);
    const read = () => kept.page.engine.vault()?.read;
    expect(read()?.treeAtHand()).toHaveLength(1);
    kept.page.real.keyring.lock();
    expect(read()?.treeAtHand()).toBeNull();
    await expect(read()?.tree()).rejects.toMatchObject({ code: 'locked' });
    await kept.page.unlock();
    expect(await read()?.tree()).toHaveLength(1);
    expect(read()?.treeAtHand()).toHaveLength(1);
    expect(await revealed(kept.page)).toBe('first value');
  });

  test('a vault that was locked when the connection broke opens from the copy and switches to offline', async () => {
    kept.page.real.keyring.lock();
    kept.page.setAway(true);
    await expect(kept.page.engine.switchToOffline()).rejects.toMatchObject({ code: 'locked' });
    expect(kept.page.state()).toMatchObject({ databaseMode: 'online', problem: null });
    await kept.page.unlock();
    await kept.page.engine.switchToOffline();
    expect(kept.page.state().databaseMode).toBe('offline');
    expect(await revealed(kept.page)).toBe('first value');
  });

  test.each([502, 503, 504])(
    'a locked vault opens from the copy and switches to offline if only a proxy answers, with %i',
    async (status) => {
      kept.page.real.keyring.lock();
      kept.page.real.refuse = () => ({ code: null, status });
      await kept.page.unlock();
      await kept.page.engine.switchToOffline();
      expect(await revealed(kept.page)).toBe('first value');
    },
  );

  test('a refusal of the server itself opens nothing from the copy', async () => {
    kept.page.real.keyring.lock();
    kept.page.real.refuse = () => ({ code: 'forbidden', status: 403 });
    await expect(kept.page.unlock()).rejects.toMatchObject({ code: 'forbidden' });
    expect(kept.page.real.keyring.isOpen()).toBe(false);
  });

  test('a logout in another tab while switching to online leaves nothing offline', async () => {
    const browser = tabsOfOneBrowser();
    kept.page.close();
    const page = await openOn(kept.device, { tabs: browser.open() });
    await page.unlock();
    await synchronized(page);
    await page.engine.switchToOffline();
    let fail: (failure: Error) => void = () => undefined;
    page.real.before = () => new Promise((_, reject) => (fail = reject));
    const back = page.engine.switchToOnline();
    const failed = expect(back).rejects.toMatchObject({ name: 'NetworkError' });
    browser.open().tell('signed out');
    expect(page.session.view().user).toBeNull();
    fail(new NetworkError('Failed to fetch'));
    await failed;
    expect(page.state().databaseMode).toBe('online');
    expect(page.real.http.isOffline()).toBe(false);
  });

  test('switching to online needs the server; changes made meanwhile then arrive', async () => {
    kept.page.close();
    const browser = await kept.app.signIn(kept.ada);
    const away = await openOn(kept.device, { isAway: true, person: browser });
    await away.engine.logIn(await copyOn(away), kept.ada.masterPassword);
    await expect(away.engine.switchToOnline()).rejects.toMatchObject({ name: 'NetworkError' });
    expect(away.state().databaseMode).toBe('offline');
    expect(await revealed(away)).toBe('first value');
    await kept.elsewhere.write.updateField(kept.path, {
      type: 'password',
      title: 'Root',
      login: 'root',
      value: 'meanwhile',
    });
    kept.path = { ...kept.path, field: { ...kept.path.field, rev: 2 } };
    away.setAway(false);
    await away.engine.switchToOnline();
    expect(away.state().databaseMode).toBe('online');
    expect(away.engine.vault()).toBeNull();
    expect(away.session.view().sessionId).not.toBeNull();
    expect(await revealed(away)).toBe('meanwhile');
    await synchronized(away);
    await vi.waitFor(() => expect(kept.device.copies.kept.pieces.get(away.name)?.length).toBeGreaterThan(1), 20_000);
  });
});
