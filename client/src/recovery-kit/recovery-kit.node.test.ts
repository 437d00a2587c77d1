/** Making, using and demanding a recovery kit on the real server, with answers that get lost and a server that lies. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type SignedIn, type TestApp } from '../../../server/src/testing/test-app.ts';
import { changeSettings } from '@passwordbroker/core/contract/site/site';
import type { KeyBundle } from '@passwordbroker/core/contract/entities';
import { writeDocument } from '@passwordbroker/core/contract/account/own-keys';
import { keyBundle } from '@passwordbroker/core/contract/users/users';
import { openDocument, sealDocument } from '@passwordbroker/core/domain/keyring/documents';
import { textOfRecoveryKey } from '@passwordbroker/core/domain/keyring/recovery-kit/recovery-key';
import { callWithProof } from '../../../server/src/testing/test-proof.ts';
import { createMasterPassword } from '../master-password/master-password.ts';
import { vaultOf, type RealVault } from '../testing/real-vault.node.ts';
import { NetworkError } from '../transport/exchange.ts';
import { KIT_GRACE_MS, kitDemand } from './kit-policy.ts';
import { makeKit, removeKit, storeKit, type NewKit } from './make-kit.ts';
import { recoverWithKey } from './use-recovery-key.ts';

const NEW = 'bättery staple 🔋';

let app: TestApp;
let admin: SignedIn;
let person: SignedIn;
let real: RealVault;
let count = 0;

beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signUp('ada');
});
afterAll(() => app.stop());
beforeEach(async () => {
  count += 1;
  person = await app.signUp(`person${count}`);
  real = vaultOf(person);
});

const make = (at = real) => makeKit({ ...at, masterPassword: createMasterPassword(at.keyring) }, person.masterPassword);
/** A kit that is stored, as text. */
async function kit(at = real): Promise<string> {
  const made = await make(at);
  await storeKit(at, made);
  return keyOf(made);
}
const keyOf = ({ written }: NewKit) => textOfRecoveryKey(written);
const recover = (recoveryKey: string, at = real) =>
  recoverWithKey(at, { recoveryKey, newMasterPassword: NEW }, () => undefined);

/** Whether this opens the account on a new page. */
const opens = (by: string | { readonly recoveryKey: string }) =>
  vaultOf(person)
    .keyring.unlock(by)
    .then(
      () => true,
      () => false,
    );
const state = async (key: string) => [
  await opens(person.masterPassword),
  await opens(NEW),
  await opens({ recoveryKey: key }),
];
const OLD_STATE = [true, false, true];
const NEW_STATE = [false, true, false];
const isSlot = (request: string) => request.startsWith('PUT') && request.includes('/slots/');

describe('making a kit', () => {
  test('I80, I81 writes nothing before it is stored: a closed dialog changes nothing', async () => {
    const former = await kit();
    real.requests.length = 0;
    const made = await make();
    expect(real.requests.filter((request) => !request.startsWith('GET'))).toEqual([]);
    expect([await opens({ recoveryKey: former }), await opens({ recoveryKey: keyOf(made) })]).toEqual([true, false]);
  });

  test('I82 from the write on, the former key opens nothing', async () => {
    const [former, next] = [await kit(), await kit()];
    expect([await opens({ recoveryKey: former }), await opens({ recoveryKey: next })]).toEqual([false, true]);
    expect(await opens(person.masterPassword)).toBe(true);
  });

  test('a wrong master password makes none, also in an open vault', async () => {
    await real.keyring.unlock(person.masterPassword);
    const masterPassword = createMasterPassword(real.keyring);
    await expect(makeKit({ ...real, masterPassword }, 'not it')).rejects.toMatchObject({
      code: 'wrong_master_password',
    });
    expect(real.keyring.isOpen()).toBe(true);
  });

  test('of two browsers the second one is told', async () => {
    const [here, there] = [await make(), await make()];
    await storeKit(real, there);
    await expect(storeKit(real, here)).rejects.toMatchObject({ code: 'slot_conflict' });
    expect(await opens({ recoveryKey: keyOf(there) })).toBe(true);
  });

  test('M31 a server that accepts the kit and keeps the former keys is found out', async () => {
    const made = await make();
    real.swallow = (request) => (isSlot(request) ? { user_id: person.userId } : null);
    await expect(storeKit(real, made)).rejects.toMatchObject({ name: 'AnswerError' });
    const bundle = await person.call(keyBundle);
    real.swallow = (request) => (isSlot(request) ? bundle : null);
    await expect(storeKit(real, made)).rejects.toMatchObject({ name: 'KeysNotStored' });
  });

  test('an answer that gets lost is looked up', async () => {
    const made = await make();
    real.forge = (url, answer) => (url.includes('/slots/') ? { not: 'an answer' } : answer);
    await storeKit(real, made);
    expect(await opens({ recoveryKey: keyOf(made) })).toBe(true);
  });

  test('removed, it opens nothing', async () => {
    const key = await kit();
    await removeKit(real);
    expect(await state(key)).toEqual([true, false, false]);
    await removeKit(real);
  });
});

describe('a forgotten master password', () => {
  test('I85 the key opens the vault and is replaced with a new master password in one write', async () => {
    const key = await kit();
    const page = vaultOf(person);
    expect(await page.keyring.tryRecoveryKey(` ${key.toLowerCase().replaceAll('-', ' ')} `)).toEqual({
      isLocal: false,
    });
    expect(page.keyring.isOpen()).toBe(false);
    await recover(key, page);
    expect(page.keyring.isOpen()).toBe(true);
    // Sent again once with the time of the server.
    expect(new Set(page.requests.filter((request) => !request.startsWith('GET')))).toEqual(
      new Set(['PUT /identity/api/keyBundle/slots/password']),
    );
    expect(await state(key)).toEqual(NEW_STATE);
    await page.vault.write?.createGroup({ name: 'Signed by the same keys', parentId: null, sameMembers: false });
  });

  test('I84, I85 a wrong key, one with a typing error, and an account without a kit', async () => {
    const page = vaultOf(person);
    const other = '0000-0000-0000-0000-0000-0000-0000-0000-0';
    await expect(page.keyring.tryRecoveryKey(other)).rejects.toMatchObject({ code: 'no_recovery_kit' });
    await kit();
    for (const typed of [other, `${other.slice(0, -1)}1`]) {
      await expect(page.keyring.tryRecoveryKey(typed)).rejects.toMatchObject({ code: 'wrong_recovery_key' });
      await expect(recover(typed, page)).rejects.toMatchObject({ code: 'wrong_recovery_key' });
    }
    expect(page.keyring.isOpen()).toBe(false);
    expect(page.requests.some(isSlot)).toBe(false);
  });

  test('I84 without the server the key opens the local copy and changes nothing', async () => {
    const key = await kit();
    const bundle = await person.call(keyBundle);
    const page = vaultOf(person);
    page.before = () => Promise.reject(new NetworkError('gone'));
    page.keyring.setLocalBundle(() => Promise.resolve(bundle));
    expect(await page.keyring.tryRecoveryKey(key)).toEqual({ isLocal: true });
    await page.keyring.unlock({ recoveryKey: key });
    expect(page.keyring.isOpen()).toBe(true);
    expect([page.requests, await state(key)]).toEqual([[], OLD_STATE]);
    const slots = bundle.slots.filter(({ slot_type }) => slot_type === 'password');
    page.keyring.setLocalBundle(() => Promise.resolve({ ...bundle, slots }));
    await expect(page.keyring.unlock({ recoveryKey: key })).rejects.toMatchObject({ code: 'no_recovery_kit' });
  });

  test('an unusable new master password stores nothing and leaves the vault locked', async () => {
    const key = await kit();
    const page = vaultOf(person);
    await expect(
      recoverWithKey(page, { recoveryKey: key, newMasterPassword: '\ud800' }, () => undefined),
    ).rejects.toMatchObject({ code: 'unusable_master_password' });
    expect([page.keyring.isOpen(), await state(key)]).toEqual([false, OLD_STATE]);
  });

  test.each<[string, (page: RealVault) => void, boolean]>([
    [
      'before the request arrives',
      (page) => {
        page.before = (request) => (isSlot(request) ? Promise.reject(new NetworkError('gone')) : Promise.resolve());
      },
      false,
    ],
    [
      'before the answer arrives',
      (page) => {
        page.forge = (url, answer) => (url.includes('/slots/') ? { not: 'an answer' } : answer);
      },
      true,
    ],
    [
      'for good, after the request was accepted',
      (page) => {
        let isSent = false;
        page.before = (request) => {
          if (isSent && request.startsWith('GET')) return Promise.reject(new NetworkError('gone'));
          isSent ||= isSlot(request);
          return Promise.resolve();
        };
      },
      true,
    ],
  ])('I86 a connection that breaks %s: exactly one state', async (name, breaks, isStored) => {
    const key = await kit();
    const page = vaultOf(person);
    breaks(page);
    const failure = await recover(key, page).catch((thrown: unknown) => thrown);
    expect(failure === undefined).toBe(name === 'before the answer arrives');
    expect(page.keyring.isOpen()).toBe(failure === undefined);
    expect(await state(key)).toEqual(isStored ? NEW_STATE : OLD_STATE);
  });

  test('M31 a server that says it stored the new slots and keeps the former ones: the vault is locked again', async () => {
    const key = await kit();
    const page = vaultOf(person);
    const bundle = await person.call(keyBundle);
    page.swallow = (request) => (isSlot(request) ? bundle : null);
    await expect(recover(key, page)).rejects.toMatchObject({ name: 'KeysNotStored' });
    expect([page.keyring.isOpen(), await state(key)]).toEqual([false, OLD_STATE]);
  });

  test('I86 made in another browser meanwhile: nothing changes, and the new kit opens', async () => {
    const key = await kit();
    const page = vaultOf(person);
    let next = '';
    page.before = async (request) => {
      if (isSlot(request) && next === '') next = await kit();
    };
    await expect(recover(key, page)).rejects.toMatchObject({ code: 'slot_conflict' });
    expect([await state(key), await opens({ recoveryKey: next })]).toEqual([[true, false, false], true]);
  });
});

describe('a site that asks for a kit', () => {
  beforeAll(() => admin.call(changeSettings, { body: { recovery_kit: 'required' } }));
  afterAll(() => admin.call(changeSettings, { body: { recovery_kit: 'optional' } }));

  const stored = async () => (await person.call(keyBundle)).documents.find(({ name }) => name === 'settings');
  /** An admin made the account; otherwise new keys come first. */
  const ownKeys = async (): Promise<KeyBundle> => ({ ...(await person.call(keyBundle)), must_rekey: false });
  async function demandAt(now: number, at = real) {
    if (!at.keyring.isOpen()) await at.keyring.unlock(person.masterPassword);
    return kitDemand({ ...at, now: () => now }, await ownKeys());
  }

  test('may be put off for 14 days from the first time, in every browser', async () => {
    const began = app.clock.now();
    expect(await demandAt(began)).toEqual({ canPutOff: true });
    const note = await stored();
    expect(note?.version).toBe(1);
    expect(await demandAt(began + KIT_GRACE_MS - 1)).toEqual({ canPutOff: true });
    expect(await demandAt(began + KIT_GRACE_MS, vaultOf(person))).toEqual({ canPutOff: false });
    expect(await stored()).toEqual(note);
  });

  test('M21 asks nobody who has a kit, and the note keeps what else is in the document', async () => {
    const content = { v: 1, later: { of: 'a newer version' } };
    await callWithProof(app, person, writeDocument, {
      params: { name: 'settings' },
      body: { blob_base64: await sealDocument(person.keyring, { name: 'settings', n: 1 }, content) },
      headers: { 'if-match': '0' },
    });
    const now = app.clock.now();
    await demandAt(now);
    const { version: n, blob_base64 } = (await stored()) ?? { version: 0, blob_base64: null };
    const read = await openDocument(person.keyring, { name: 'settings', n }, blob_base64, (raw) => raw);
    expect(read).toEqual({ ...content, recovery_kit_asked_at: now });
    await kit();
    expect(await demandAt(now)).toBeNull();
  });

  test('a damaged document is left as it is', async () => {
    const forged = (bundle: KeyBundle): KeyBundle => ({
      ...bundle,
      documents: [{ name: 'settings', version: 1, blob_base64: 'AAAA' }],
    });
    await real.keyring.unlock(person.masterPassword);
    const now = app.clock.now();
    expect(await kitDemand({ ...real, now: () => now }, forged(await ownKeys()))).toEqual({
      canPutOff: true,
    });
    expect(await stored()).toBeUndefined();
  });
});
