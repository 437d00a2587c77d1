/** A change of the master password on the real server, with requests and answers that get lost. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type SignedIn, type TestApp } from '../../../server/src/testing/test-app.ts';
import type { KeyBundle } from '@passwordbroker/core/contract/entities';
import { writeDocument } from '@passwordbroker/core/contract/account/own-keys';
import { keyBundle } from '@passwordbroker/core/contract/users/users';
import { openDocument, sealDocument } from '@passwordbroker/core/domain/keyring/documents';
import { callWithProof } from '../../../server/src/testing/test-proof.ts';
import { NetworkError } from '../transport/exchange.ts';
import { vaultOf, type RealVault } from '../testing/real-vault.node.ts';
import { ChangeUncertain, changeMasterPassword } from './change-master-password.ts';
import { MASTER_PASSWORD_TEXTS } from '../texts/master-password.ts';
import { NEW_KEYS_TEXTS } from '../texts/new-keys.ts';
import { makeOwnKeys } from './make-own-keys.ts';
import { createMasterPassword } from './master-password.ts';

const NEW = 'bättery staple 🔋';
const SALT = Buffer.alloc(16, 1).toString('base64');

let app: TestApp;
let person: SignedIn;
let real: RealVault;
let count = 0;

beforeAll(async () => {
  app = await startTestApp();
  await app.signUp('ada');
});
afterAll(async () => {
  await app.stop();
});
beforeEach(async () => {
  count += 1;
  person = await app.signUp(`person${count}`);
  real = vaultOf(person);
});

function change(words: { readonly old?: string; readonly next?: string } = {}, at = real) {
  const masterPassword = createMasterPassword(at.keyring);
  const steps: string[] = [];
  const done = changeMasterPassword(
    { http: at.http, keyring: at.keyring, masterPassword },
    { oldMasterPassword: words.old ?? person.masterPassword, newMasterPassword: words.next ?? NEW },
    (step) => steps.push(step),
  );
  return { done, steps, masterPassword };
}

/** Whether this password opens the account on a new page. */
async function opens(masterPassword: string): Promise<boolean> {
  const page = vaultOf(person);
  try {
    await page.keyring.unlock(masterPassword);
    return true;
  } catch {
    return false;
  }
}
const isSlot = (request: string) => request.startsWith('PUT') && request.includes('/slots/');

describe('a change', () => {
  test('of an open vault keeps it open; the new password opens the same keys, the old one nothing', async () => {
    await real.keyring.unlock(person.masterPassword);
    const { done, steps } = change();
    await done;
    expect(steps).toEqual(['trying', 'locking', 'storing']);
    expect(real.keyring.isOpen()).toBe(true);
    expect([await opens(NEW), await opens(person.masterPassword)]).toEqual([true, false]);
    await real.vault.write?.createGroup({ name: 'Still signed by these keys', parentId: null, sameMembers: false });
  });

  test('of a locked vault unlocks it with the old password first', async () => {
    const { done, masterPassword } = change();
    await done;
    expect([real.keyring.isOpen(), masterPassword.view().state]).toEqual([true, 'validated']);
    expect(await opens(NEW)).toBe(true);
  });

  test.each([true, false])('with a wrong old password stores nothing (open before: %s)', async (isOpen) => {
    if (isOpen) await real.keyring.unlock(person.masterPassword);
    const { done } = change({ old: 'wrong' });
    await expect(done).rejects.toMatchObject({ message: 'MasterPassword is invalid' });
    expect(real.requests.some(isSlot)).toBe(false);
    expect([real.keyring.isOpen(), await opens(person.masterPassword)]).toEqual([isOpen, true]);
  });

  test('made twice at once succeeds once, and the other attempt is told of the conflict', async () => {
    const other = vaultOf(person);
    await real.keyring.unlock(person.masterPassword);
    let isOvertaken = false;
    real.before = async (request) => {
      if (!isSlot(request) || isOvertaken) return;
      isOvertaken = true;
      await change({ next: 'quicker' }, other).done;
    };
    await expect(change().done).rejects.toMatchObject({ code: 'slot_conflict' });
    expect([await opens('quicker'), await opens(NEW)]).toEqual([true, false]);
  });
});

describe('a connection that breaks', () => {
  test('before the request arrives: the old password is still right and is not reported as wrong', async () => {
    await real.keyring.unlock(person.masterPassword);
    real.before = (request) => (isSlot(request) ? Promise.reject(new NetworkError('gone')) : Promise.resolve());
    await expect(change().done).rejects.toMatchObject({ name: 'NetworkError', message: 'gone' });
    expect([await opens(NEW), await opens(person.masterPassword)]).toEqual([false, true]);
  });

  test('before the answer arrives: the stored keys are read back, and the change succeeds', async () => {
    await real.keyring.unlock(person.masterPassword);
    real.forge = (url, answer) => (url.includes('/slots/') ? { not: 'an answer' } : answer);
    await change().done;
    expect(await opens(NEW)).toBe(true);
  });

  test('after the request was accepted: the result is reported as uncertain', async () => {
    await real.keyring.unlock(person.masterPassword);
    let isSent = false;
    real.before = (request) => {
      if (isSent && request.startsWith('GET')) return Promise.reject(new NetworkError('gone'));
      isSent ||= isSlot(request);
      return Promise.resolve();
    };
    await expect(change().done).rejects.toBeInstanceOf(ChangeUncertain);
    expect(await opens(NEW)).toBe(true);
  });

  test('and stays broken: the result is reported as uncertain', async () => {
    await real.keyring.unlock(person.masterPassword);
    let isGone = false;
    real.before = (request) => {
      isGone ||= isSlot(request);
      return isGone ? Promise.reject(new NetworkError('gone')) : Promise.resolve();
    };
    await expect(change().done).rejects.toBeInstanceOf(ChangeUncertain);
  });
});

/** A write of another browser of the same person; the browser under test writes no such document. */
const writeSettings = async (version: number, content: object) =>
  callWithProof(app, person, writeDocument, {
    params: { name: 'settings' },
    body: { blob_base64: await sealDocument(person.keyring, { name: 'settings', n: version + 1 }, content) },
    headers: { 'if-match': String(version) },
  });
const settingsNow = async () => (await real.http.call(keyBundle)).documents.find(({ name }) => name === 'settings');

const BUSY = { code: 'internal', status: 500 } as const;

describe('new keys while another browser writes a document', () => {
  async function makeKeys(writes: number) {
    await real.keyring.unlock(person.masterPassword);
    // Blocks writes of the browser's own record during the test.
    real.refuse = (request) => (request.endsWith('PUT /identity/api/keyBundle/documents/trust') ? BUSY : null);
    let tries = 0;
    real.before = async (request) => {
      if (request !== 'GET /identity/api/keyBundle/grants') return;
      tries += 1;
      if (tries <= writes) await writeSettings(tries - 1, { tries });
    };
    const means = { http: real.http, keyring: real.keyring, masterPassword: createMasterPassword(real.keyring) };
    const failure = await makeOwnKeys(means, NEW, () => undefined).catch((thrown: unknown) => thrown);
    return { failure, tries };
  }

  test('M53 the keys are made again from the present documents, three times at most', async () => {
    expect(await makeKeys(2)).toEqual({ failure: undefined, tries: 3 });
    expect(await opens(NEW)).toBe(true);
    // Two writes by the other browser, then the new keys.
    expect(await settingsNow()).toMatchObject({ version: 3 });
  });

  test('M53 after the third time the person is told of the conflict, and the old keys still open', async () => {
    const { failure, tries } = await makeKeys(9);
    expect(failure).toMatchObject({ code: 'slot_conflict', details: { document: 'settings', current_version: 3 } });
    expect([tries, await opens(person.masterPassword)]).toEqual([3, true]);
  });
});

describe('new keys from a server that shows older documents', () => {
  type Documents = KeyBundle['documents'];
  async function makeKeys(shown: (documents: Documents) => Documents) {
    real.forge = (path, answer) => {
      if (path !== '/identity/api/keyBundle') return answer;
      const bundle = answer as KeyBundle;
      return { ...bundle, documents: shown(bundle.documents) };
    };
    const means = { http: real.http, keyring: real.keyring, masterPassword: createMasterPassword(real.keyring) };
    return makeOwnKeys(means, NEW, () => undefined).catch((thrown: unknown) => thrown);
  }
  const storedNow = async () => (await person.call(keyBundle)).documents;
  const settingsOf = (documents: Documents) => documents.filter(({ name }) => name === 'settings');

  test.each<[string, (older: Documents) => (documents: Documents) => Documents]>([
    [
      'an older version',
      (older) => (documents) => documents.map((one) => older.find(({ name }) => name === one.name) ?? one),
    ],
    ['no version', () => (documents) => documents.filter(({ name }) => name !== 'settings')],
    ['no trust record', () => (documents) => documents.filter(({ name }) => name !== 'trust')],
  ])('M53 %s in place of one that the unlock has seen is refused before anything is sent', async (_name, shown) => {
    await writeSettings(0, { a: 1 });
    const older = settingsOf(await storedNow());
    await writeSettings(1, { a: 2 });
    await real.keyring.unlock(person.masterPassword);
    const before = settingsOf(await storedNow());
    real.requests.length = 0;
    expect(await makeKeys(shown(older))).toMatchObject({ code: 'integrity', detail: 'rolled_back' });
    expect(real.requests).not.toContain('PUT /identity/api/keyBundle');
    expect(settingsOf(await storedNow())).toEqual(before);
    expect(await opens(person.masterPassword)).toBe(true);
  });

  test('M53 an older version of a document that this browser has not seen: the server refuses the write, and nothing is lost', async () => {
    await writeSettings(0, { a: 1 });
    await real.keyring.unlock(person.masterPassword);
    const older = settingsOf(await storedNow());
    await writeSettings(1, { a: 2 });
    const failure = await makeKeys((documents) =>
      documents.map((one) => older.find(({ name }) => name === one.name) ?? one),
    );
    expect(failure).toMatchObject({ code: 'slot_conflict', details: { document: 'settings', current_version: 2 } });
    const [settings] = settingsOf(await storedNow());
    const place = { name: 'settings', n: 2 } as const;
    expect(await openDocument(person.keyring, place, settings?.blob_base64 ?? '', (raw) => raw)).toEqual({ a: 2 });
  });
});

describe('a server that accepts a write of keys and keeps the former ones (M31)', () => {
  test('a change of the master password is read back and reported as not stored; the vault stays open and the old password right', async () => {
    await real.keyring.unlock(person.masterPassword);
    const before = await real.http.call(keyBundle);
    real.swallow = (request) => (isSlot(request) ? before : null);
    await expect(change().done).rejects.toMatchObject({
      name: 'KeysNotStored',
      message: MASTER_PASSWORD_TEXTS.change.notStored,
    });
    expect(real.keyring.isOpen()).toBe(true);
    expect([await opens(NEW), await opens(person.masterPassword)]).toEqual([false, true]);
    await real.vault.write?.createGroup({ name: 'Signed by open keys', parentId: null, sameMembers: false });
  });

  test('a new slot that comes back with another salt counts as not stored', async () => {
    await real.keyring.unlock(person.masterPassword);
    let isSent = false;
    real.before = (request) => {
      isSent ||= isSlot(request);
      return Promise.resolve();
    };
    // The old salt must open first, so the forgery begins with the write.
    real.forge = (url, answer) => {
      if (!isSent || !url.endsWith('/keyBundle')) return answer;
      const bundle = answer as KeyBundle;
      return { ...bundle, slots: bundle.slots.map((slot) => ({ ...slot, salt_base64: SALT })) };
    };
    await expect(change().done).rejects.toMatchObject({ name: 'KeysNotStored' });
  });

  test('new keys that are not stored leave the old ones open, and nothing is discarded', async () => {
    await real.keyring.unlock(person.masterPassword);
    const before = await real.http.call(keyBundle);
    real.swallow = (request) => (request === 'PUT /identity/api/keyBundle' ? before : null);
    const masterPassword = createMasterPassword(real.keyring);
    const steps: string[] = [];
    const means = { http: real.http, keyring: real.keyring, masterPassword };
    await expect(makeOwnKeys(means, NEW, (step) => steps.push(step))).rejects.toMatchObject({
      name: 'KeysNotStored',
      message: NEW_KEYS_TEXTS.notStored,
    });
    expect([steps.at(-1), real.keyring.isOpen()]).toEqual(['storing', true]);
    expect(await opens(person.masterPassword)).toBe(true);
  });
});
