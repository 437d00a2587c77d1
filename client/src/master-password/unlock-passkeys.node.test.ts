/** Passkeys that open the vault, on the real server: adding, opening, other answers, lying servers. */
import { beforeEach, describe, expect, test } from 'vitest';
import * as passkeys from '@passwordbroker/core/contract/account/passkeys';
import { keyBundle } from '@passwordbroker/core/contract/users/users';
import type { Passkey } from '@passwordbroker/core/contract/account/webauthn';
import { makePasskey } from '../../../server/src/passkeys/testing/authenticator.ts';
import type { SignedIn, TestApp } from '../../../server/src/testing/test-app.ts';
import type { AskPasskey, PasskeyAnswer } from '../keyring/passkey-answer.ts';
import { type RealVault, vaultOf } from '../testing/real-vault.node.ts';
import { withPeople } from '../testing/with-vaults.node.ts';
import { KeysNotStored, makeOwnKeys } from './make-own-keys.ts';
import { createMasterPassword } from './master-password.ts';
import { addUnlockPasskey, canUsePasskey } from './unlock-passkeys.ts';

let app: TestApp;
let ada: SignedIn;
withPeople(['first'], (started) => {
  app = started;
});

let real: RealVault;
let count = 0;
beforeEach(async () => {
  count += 1;
  ada = await app.signUp(`person${count}`);
  real = vaultOf(ada);
});

const HOST = 'localhost';
const secret = (byte: number) => new Uint8Array(32).fill(byte).buffer;
const answerOf = ({ credential_id }: Pick<Passkey, 'credential_id'>, byte = 7): PasskeyAnswer => ({
  credentialId: credential_id,
  prf: secret(byte),
});
const asking =
  (answer: PasskeyAnswer): AskPasskey =>
  () =>
    Promise.resolve(answer);

async function register(): Promise<Passkey> {
  const { options, options_token } = await ada.call(passkeys.registrationOptions, { body: { uses: ['unlock'] } });
  const { attestation } = makePasskey(options, 'http://localhost:8080');
  const body = { attestation, options_token, name: 'Laptop', uses: ['unlock' as const], has_prf: true };
  return (await ada.call(passkeys.register, { body })).passkey;
}

function add(passkey: Passkey, { typed = ada.masterPassword, at = real, byte = 7 } = {}) {
  const masterPassword = createMasterPassword(at.keyring);
  const answer = answerOf(passkey, byte);
  const means = {
    http: at.http,
    keyring: at.keyring,
    masterPassword,
    whenFresh: <T>(call: () => Promise<T>) => call(),
  };
  return { answer, done: addUnlockPasskey(means, passkey, { typed, answer }) };
}

describe('a passkey that was added', () => {
  test('I65: opens the vault on another page; its answer stays nowhere', async () => {
    const passkey = await register();
    const { answer, done } = add(passkey);
    await done;
    // Moved to the worker.
    expect(answer.prf.byteLength).toBe(0);
    expect(await canUsePasskey(real, HOST)).toBe(true);
    const page = vaultOf(ada);
    const used = answerOf(passkey);
    await page.keyring.unlock(asking(used));
    expect([page.keyring.isOpen(), used.prf.byteLength]).toEqual([true, 0]);
    await page.vault.write?.createGroup({ name: 'Signed by these keys', parentId: null, sameMembers: false });
  });

  test('that answers otherwise, or is none of these, opens nothing and says so, not that the password is wrong', async () => {
    const passkey = await register();
    await add(passkey).done;
    const masterPassword = createMasterPassword(vaultOf(ada).keyring);
    masterPassword.open();
    for (const answer of [answerOf(passkey, 8), answerOf({ credential_id: 'AAAA' })]) {
      await masterPassword.usePasskey(asking(answer));
      const { state, modal } = masterPassword.view();
      expect(state).toBe('in-entry');
      expect(modal?.problem).toContain('The passkey gave another answer than when it was added.');
      expect(answer.prf.byteLength === 0 || new Uint8Array(answer.prf).every((byte) => byte === 0)).toBe(true);
    }
    await masterPassword.usePasskey(() => Promise.reject(new Error('No passkey was used.')));
    expect(masterPassword.view()).toMatchObject({ state: 'in-entry', modal: { problem: 'No passkey was used.' } });
    await masterPassword.usePasskey(asking(answerOf(passkey)));
    expect(masterPassword.view()).toEqual({ state: 'validated', modal: null });
  });

  test('after a lock in between opens nothing', async () => {
    const passkey = await register();
    await add(passkey).done;
    const page = vaultOf(ada);
    const opening = page.keyring.unlock(() => {
      page.keyring.lock();
      return Promise.resolve(answerOf(passkey));
    });
    await expect(opening).rejects.toMatchObject({ code: 'locked' });
    expect(page.keyring.isOpen()).toBe(false);
  });
});

describe('adding', () => {
  test.each([true, false])('I77: needs the master password, also at an open vault (open: %s)', async (isOpen) => {
    if (isOpen) await real.keyring.unlock(ada.masterPassword);
    const passkey = await register();
    const { answer, done } = add(passkey, { typed: 'not it' });
    await expect(done).rejects.toMatchObject({ code: isOpen ? 'wrong_master_password' : 'master_password_invalid' });
    expect(answer.prf.byteLength === 0 || new Uint8Array(answer.prf).every((byte) => byte === 0)).toBe(true);
    expect(await canUsePasskey(real, HOST)).toBe(false);
  });

  test('I76: is read back: a server that stores nothing is told', async () => {
    const passkey = await register();
    real.swallow = (request) =>
      request.startsWith('PUT') && request.includes('/passkeys/')
        ? { user_id: ada.userId, keyset: null, certificate: null, must_rekey: false, slots: [], documents: [] }
        : null;
    await expect(add(passkey).done).rejects.toBeInstanceOf(KeysNotStored);
  });

  test('I73, I75: a wrap of another account, or for another credential, opens nothing', async () => {
    const [passkey, other] = [await register(), await register()];
    await add(passkey).done;
    await add(other, { byte: 9 }).done;
    const page = vaultOf(ada);
    page.forge = (path, answer) => {
      if (path !== '/identity/api/keyBundle') return answer;
      const bundle = answer as { passkeys: { credential_id: string }[] };
      const [one, two] = bundle.passkeys;
      const exchanged = [
        { ...one, credential_id: two?.credential_id },
        { ...two, credential_id: one?.credential_id },
      ];
      return { ...bundle, passkeys: exchanged };
    };
    await expect(page.keyring.unlock(asking(answerOf(passkey)))).rejects.toMatchObject({ code: 'other_passkey' });
  });
});

test('I74: a wrap of former keys opens nothing, whatever the server shows', async () => {
  const passkey = await register();
  await add(passkey).done;
  const former = (await ada.call(keyBundle)).passkeys;
  expect(former).toHaveLength(1);
  const masterPassword = createMasterPassword(real.keyring);
  await masterPassword.enter(ada.masterPassword);
  const next = 'another quiet harbour at noon';
  await makeOwnKeys({ http: real.http, keyring: real.keyring, masterPassword }, next, () => {});
  expect((await ada.call(keyBundle)).passkeys).toEqual([]);
  const page = vaultOf(ada);
  page.forge = (path, answer) =>
    path === '/identity/api/keyBundle' ? { ...(answer as object), passkeys: former } : answer;
  await expect(page.keyring.unlock(asking(answerOf(passkey)))).rejects.toMatchObject({ code: 'integrity' });
  expect(page.keyring.isOpen()).toBe(false);
  await page.keyring.unlock(next);
});

test('whether a passkey may open the vault: not for another host, not while the server refuses', async () => {
  expect(await canUsePasskey(real, HOST)).toBe(false);
  await add(await register()).done;
  real.refuse = () => ({ code: 'forbidden', status: 403 });
  expect(await canUsePasskey(real, HOST)).toBe(false);
  real.refuse = () => ({ code: null, status: 502 });
  expect(await canUsePasskey(real, HOST)).toBe(false);
});
